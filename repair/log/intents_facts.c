/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Posts waiting intents to the accounts.  Most define exactly what they change, and are posted as facts that add to
 * those of the disk or cancel them.  If the disk lacks what an intent cancels, the accounts don't balance, and recovery
 * would fail.  Two kinds are not exact: freeing blocks removes any rmapbt records that they have (recovery does not
 * know the owner), and a parent pointer may have been changed already.  For these, facts on the disk are dropped before
 * they reach the accounts.
 */
#include <string.h>

#include "array.h"
#include "intents_waiting.h"

/* ---- dropping facts of the disk ---- */

static bool span_ends_up_to(const void *element, const void *key)
{
	const struct span *span = element, *at = key;

	return span->group < at->group || (span->group == at->group && span->end <= at->start);
}

/* Returns the first of the freed spans that ends behind a block. */
static size_t freed_behind(const struct effects *effects, group_t group, uint64_t start)
{
	const struct span at = { .group = group.v, .start = start };

	return array_lower_bound(effects->freed, effects->nfreed, sizeof(at), &at, span_ends_up_to);
}

typedef void rmap_fn(void *ctx, unsigned worker, group_t group, const struct rmap_record *record);

/* Passes the parts of an rmapbt record that will not be freed to fn; NULL: does nothing. */
static void kept_parts(const struct effects *effects, rmap_fn *fn, const struct sink *below, unsigned worker,
		       group_t group, const struct rmap_record *record)
{
	struct rmap_record rest = *record;
	uint64_t end = (uint64_t)record->start.v + record->len;

	if (!fn)
		return;
	for (size_t i = freed_behind(effects, group, record->start.v);
	     i < effects->nfreed && effects->freed[i].group == group.v && effects->freed[i].start < end && rest.len;
	     i++) {
		const struct span *span = &effects->freed[i];
		struct rmap_record part = rest;
		uint64_t from = span->end < end ? span->end : end;

		if (span->start > rest.start.v) {
			part.len = (uint32_t)(span->start - rest.start.v);
			fn(below->ctx, worker, group, &part);
		}
		if (rest.owner < OWNER_COW && !(rest.flags & RMAP_BMBT))
			rest.offset += from - rest.start.v;
		rest.start.v = (uint32_t)from;
		rest.len = (uint32_t)(end - from);
	}
	if (rest.len)
		fn(below->ctx, worker, group, &rest);
}

static void filter_rmap(void *ctx, unsigned worker, group_t group, const struct rmap_record *record)
{
	const struct intents_filter *filter = ctx;

	kept_parts(&filter->intents->effects, filter->below.ops->rmap, &filter->below, worker, group, record);
}

static void filter_pptr(void *ctx, unsigned worker, const struct pptr_fact *fact)
{
	const struct intents_filter *filter = ctx;
	struct logged_pptr name;

	memset(&name, 0, sizeof(name));
	name.child = fact->child;
	name.parent = fact->parent;
	name.parent_gen = fact->parent_gen;
	name.namelen = fact->namelen;
	memcpy(name.name, fact->name, fact->namelen);
	if (!effects_touch_pptr(&filter->intents->effects, &name))
		sink_tell(&filter->below, pptr, worker, fact);
}

struct sink intents_sink(struct intents_filter *room, const struct intents *intents, const struct sink *below)
{
	*room = (struct intents_filter){ *below, sink_passing_on, intents };
	room->ops.rmap = filter_rmap;
	room->ops.pptr = filter_pptr;
	if (!intents || (!intents->effects.nfreed && !intents->effects.npptrs))
		return *below;
	return (struct sink){ &room->ops, room, below->key };
}

/* ---- posting facts for intents ---- */

/* Cancels an rmapbt record, except blocks that will be freed: those parts of it have been dropped. */
static void unmap_kept(const struct intents *intents, const struct sink *below, group_t group,
		       const struct rmap_record *record)
{
	kept_parts(&intents->effects, below->ops->unmap, below, 0, group, record);
}

static void post_effect(const struct intents *intents, const struct effect *effect, const struct sink *below)
{
	const struct claim *c = &effect->claim;
	const struct rmap_record record = { .start.v = (uint32_t)c->at.start.v,
					    .len = (uint32_t)c->at.len,
					    .owner = c->owner,
					    .offset = c->offset,
					    .flags = c->flags };

	switch (effect->kind) {
	case EFFECT_NONE:
		break;
	case EFFECT_FREE:
		sink_tell(below, freed, 0, &c->at);
		break;
	case EFFECT_MAP:
		sink_tell(below, claim, 0, c);
		if (intents->geo->rmapbt)
			sink_tell(below, rmap, 0, c->at.group, &record);
		break;
	case EFFECT_UNMAP:
		sink_tell(below, unclaim, 0, c);
		if (intents->geo->rmapbt)
			unmap_kept(intents, below, c->at.group, &record);
		break;
	case EFFECT_RMAP:
		sink_tell(below, rmap, 0, c->at.group, &record);
		break;
	case EFFECT_UNRMAP:
		unmap_kept(intents, below, c->at.group, &record);
		break;
	case EFFECT_SHARE:
		sink_tell(below, recount, 0, &c->at, 1);
		break;
	case EFFECT_UNSHARE:
		sink_tell(below, recount, 0, &c->at, -1);
		break;
	case EFFECT_STAGE:
		sink_tell(below, claim, 0, c);
		break;
	case EFFECT_UNSTAGE:
		sink_tell(below, unclaim, 0, c);
		break;
	}
}

static void post_pptr(const struct logged_pptr *name, const struct sink *below)
{
	const struct pptr_fact fact = { .child = name->child,
					.parent = name->parent,
					.parent_gen = name->parent_gen,
					.name = name->name,
					.namelen = name->namelen,
					.name_hash = hash_name(below->key, name->name, name->namelen) };

	if (name->namelen)
		sink_tell(below, pptr, 0, &fact);
}

void intents_facts(const struct intents *intents, const struct sink *below)
{
	if (!intents)
		return;
	for (size_t i = 0; i < intents->effects.count; i++)
		post_effect(intents, &intents->effects.v[i], below);
	for (size_t i = 0; i < intents->effects.npptrs; i++)
		post_pptr(&intents->effects.pptrs[i].comes, below);
}

/* ---- other changes of recovery ---- */

void intents_charge(const struct intents *intents, xino_t ino, int64_t *ret_blocks, int64_t *ret_rtblocks)
{
	const struct effects *effects = intents ? &intents->effects : NULL;

	*ret_blocks = *ret_rtblocks = 0;
	for (size_t i = effects ? effects_of_file(effects, ino) : 0; effects && i < effects->count; i++) {
		const struct effect *e = &effects->v[i];
		int64_t len = (int64_t)e->claim.at.len;

		if (e->kind > EFFECT_UNMAP || e->claim.owner != ino.v)
			break;
		*(group_is_rt(intents->geo, e->claim.at.group) ? ret_rtblocks : ret_blocks) +=
			e->kind == EFFECT_MAP ? len : -len;
	}
}

int64_t intents_staged(const struct intents *intents)
{
	int64_t staged = 0;

	for (size_t i = 0; intents && i < intents->effects.count; i++) {
		const struct effect *e = &intents->effects.v[i];
		int64_t len = (int64_t)e->claim.at.len;

		staged += e->kind == EFFECT_STAGE ? len : e->kind == EFFECT_UNSTAGE ? -len : 0;
	}
	return staged;
}

bool intents_change(const struct intents *intents, group_t group)
{
	bool any = false;

	for (size_t i = 0; intents && i < intents->effects.count; i++)
		any |= intents->effects.v[i].claim.at.group.v == group.v;
	return any;
}

void intents_groups(const struct intents *intents, bool *groups)
{
	for (size_t i = 0; intents && i < intents->effects.count; i++)
		groups[intents->effects.v[i].claim.at.group.v] = true;
}

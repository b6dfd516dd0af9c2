/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The intents that wait for recovery, in a hash table by type and id; a done item removes its intent (ondisk 11,
 * "Intents/dones").  Ids are memory addresses of the kernel that wrote the log, so another intent may have the same id
 * after the first is done.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "effects.h"
#include "intents.h"
#include "sets/ordered.h"

#define INTENTS_BUCKETS 65536u

struct intents {
	struct intent *table[INTENTS_BUCKETS];
	struct hash_key key;
	uint64_t waiting[INTENT_KINDS];
	uint64_t seen; /* intents in the log so far, for their order */
	/* set by intents_settle() */
	const struct geometry *geo;
	struct effects effects;
	const struct intent_op **ops; /* in the order of the log */
	size_t nops;
};

/* Each thread of a kernel has only a few intents at a time: a log with more than this was made to exhaust memory. */
#define WAITING_MAX (1u << 20)

/* An intent that waits for recovery. */
struct intent {
	struct intent *next;
	uint64_t id;
	uint64_t order; /* in the log */
	enum log_item_type type;
	struct intent_op *op; /* NULL: not about files */
	uint32_t count;
	struct log_intent_extent extents[];
};

static enum intent_kind kind_of(enum log_item_type type)
{
	switch (type) {
	case LI_EFI:
	case LI_EFI_RT:
		return INTENT_EFI;
	case LI_RUI:
	case LI_RUI_RT:
		return INTENT_RUI;
	case LI_CUI:
	case LI_CUI_RT:
		return INTENT_CUI;
	case LI_BUI:
		return INTENT_BUI;
	case LI_ATTRI:
		return INTENT_ATTRI;
	default:
		return INTENT_XMI;
	}
}

static bool is_intent_or_done(enum log_item_type type)
{
	return type == LI_EFI || type == LI_EFD || (type >= LI_RUI && type <= LI_CUD_RT);
}

struct intents *intents_new(void)
{
	struct intents *intents = calloc(1, sizeof(*intents));

	if (intents && hash_key_random(&intents->key)) {
		free(intents);
		return NULL;
	}
	return intents;
}

static void intent_free(struct intent *intent)
{
	if (intent)
		free(intent->op);
	free(intent);
}

void intents_free(struct intents *intents)
{
	if (!intents)
		return;
	for (unsigned i = 0; i < INTENTS_BUCKETS; i++) {
		while (intents->table[i]) {
			struct intent *next = intents->table[i]->next;

			intent_free(intents->table[i]);
			intents->table[i] = next;
		}
	}
	effects_free(&intents->effects);
	free(intents->ops);
	free(intents);
}

/* Returns the pointer that links the intent into its chain, or the one at the end of the chain. */
static struct intent **find_intent(struct intents *intents, enum log_item_type type, uint64_t id)
{
	struct intent **link = &intents->table[hash2(&intents->key, id, type) % INTENTS_BUCKETS];

	while (*link && ((*link)->type != type || (*link)->id != id))
		link = &(*link)->next;
	return link;
}

static void remove_intent(struct intents *intents, enum log_item_type type, uint64_t id)
{
	struct intent **link = find_intent(intents, type, id), *intent = *link;

	if (!intent)
		return; /* the intent of this done is before the tail of the log */
	*link = intent->next;
	intents->waiting[kind_of(type)]--;
	intent_free(intent);
}

/* Returns a zeroed operation, with room for so many bytes behind it. */
static struct intent_op *new_op(enum log_item_type type, size_t bytes)
{
	struct intent_op *op = calloc(1, sizeof(*op) + bytes);

	if (op)
		op->type = type;
	return op;
}

/* Copies the bytes of a region, which are valid only during the call, to *at, and advances *at. */
static void keep_region(struct log_region *region, uint8_t **at)
{
	if (region->len)
		memcpy(*at, region->bytes, region->len);
	region->bytes = *at;
	*at += region->len;
}

static int read_attri(const struct check *c, const struct log_item *item, struct intent *intent)
{
	struct log_attri attri;
	uint8_t *bytes;

	if (!log_attri_decode(c, item, &attri))
		return 1;
	intent->op =
		new_op(LI_ATTRI, (size_t)attri.name.len + attri.new_name.len + attri.value.len + attri.new_value.len);
	if (!intent->op)
		return -ENOMEM;
	bytes = (uint8_t *)(intent->op + 1);
	keep_region(&attri.name, &bytes);
	keep_region(&attri.new_name, &bytes);
	keep_region(&attri.value, &bytes);
	keep_region(&attri.new_value, &bytes);
	intent->op->attri = attri;
	return 0;
}

static int read_xmi(const struct check *c, const struct log_item *item, struct intent *intent)
{
	struct log_xmi xmi;

	if (!log_xmi_decode(c, item, &xmi))
		return 1;
	intent->op = new_op(LI_XMI, 0);
	if (!intent->op)
		return -ENOMEM;
	intent->op->xmi = xmi;
	return 0;
}

/* Decodes an item into an intent with room for its extents.  Returns 0, 1: invalid and reported, or -ENOMEM. */
static int read_intent(const struct check *c, const struct log_item *item, uint32_t count, struct intent *intent)
{
	switch (kind_of(intent->type)) {
	case INTENT_ATTRI:
		return read_attri(c, item, intent);
	case INTENT_XMI:
		return read_xmi(c, item, intent);
	default:
		break;
	}
	for (; intent->count < count; intent->count++)
		if (!log_intent_extent(c, item, intent->count, &intent->extents[intent->count]))
			return 1;
	if (intent->type != LI_BUI)
		return 0;
	intent->op = new_op(LI_BUI, 0);
	if (!intent->op)
		return -ENOMEM;
	intent->op->extent = intent->extents[0]; /* it has exactly one */
	return 0;
}

int intents_item(struct intents *intents, const struct check *c, const struct log_item *item)
{
	struct log_intent said;
	struct intent *intent;
	int ret;

	if (!is_intent_or_done(item->type))
		return 0;
	if (!log_intent_decode(c, item, &said))
		return 1;
	remove_intent(intents, said.type, said.id);
	if (said.done)
		return 0;
	if (intents_waiting(intents) >= WAITING_MAX) {
		problem(c, F_LOG_INTENT_MANY, 0, WAITING_MAX, 0);
		return 1;
	}
	intent = calloc(1, sizeof(*intent) + (size_t)said.count * sizeof(struct log_intent_extent));
	if (!intent)
		return -ENOMEM;
	intent->id = said.id;
	intent->type = said.type;
	ret = read_intent(c, item, said.count, intent);
	if (ret) {
		intent_free(intent);
		return ret;
	}
	intent->order = intents->seen++;
	*find_intent(intents, said.type, said.id) = intent;
	intents->waiting[kind_of(said.type)]++;
	return 0;
}

/* Appends the effects of an intent's extents.  False: some are outside of the file system, which has been reported. */
static bool collect_extents(const struct check *c, const struct intent *intent, struct effects *effects)
{
	bool ok = true;

	for (uint32_t i = 0; i < intent->count; i++) {
		const struct log_intent_extent *extent = &intent->extents[i];

		if (!effects_possible(c->geo, intent->type, extent)) {
			ok = problem(c, F_LOG_INTENT_PLACE, 0, extent->startblock, extent->len);
			continue;
		}
		effects_of_extent(c->geo, intent->type, extent, effects->v + effects->count);
		effects->count += effects->v[effects->count + 1].kind == EFFECT_NONE ? 1 : 2;
	}
	return ok;
}

static bool inode_possible(const struct check *c, xino_t ino)
{
	return ino_valid(c->geo, ino) || problem(c, F_LOG_INTENT_CHILD, 0, ino.v, 0);
}

/*
 * Appends an operation's changes to parent pointers.  Exchanging contents has no effect on accounts, since they don't
 * depend on which of the two files has the blocks.  False: an inode number is invalid, which has been reported.
 */
static bool collect_op(const struct check *c, const struct intent_op *op, struct effects *effects)
{
	switch (op->type) {
	case LI_ATTRI:
		if (!inode_possible(c, op->attri.ino))
			return false;
		/* parent pointers are the only attributes in the accounts */
		effects->npptrs += effects_of_attri(&op->attri, &effects->pptrs[effects->npptrs]);
		return true;
	case LI_XMI:
		return inode_possible(c, op->xmi.ino1) && inode_possible(c, op->xmi.ino2);
	default:
		return inode_possible(c, (xino_t){ op->extent.owner });
	}
}

/* Returns all waiting intents, in the order of the log, then NULL; the caller frees the array.  NULL: out of memory. */
static const struct intent **in_order(const struct intents *intents)
{
	const struct intent **all = calloc(intents_waiting(intents) + 1, sizeof(const struct intent *));
	size_t n = 0;

	for (unsigned i = 0; all && i < INTENTS_BUCKETS; i++)
		for (const struct intent *intent = intents->table[i]; intent; intent = intent->next)
			all[n++] = intent;
	if (all)
		ordered_sort(all, n, MEMBERS(THROUGH(all, order)));
	return all;
}

static int collect(struct intents *intents, const struct check *c, const struct intent *const *all)
{
	struct effects *effects = &intents->effects;
	size_t count = 0, nops = 0;

	for (size_t i = 0; all[i]; i++) {
		count += all[i]->count;
		nops += all[i]->op != NULL;
	}
	effects->v = calloc(count + 1, EFFECTS_PER_EXTENT * sizeof(*effects->v));
	effects->pptrs = calloc(intents->waiting[INTENT_ATTRI] + 1, sizeof(*effects->pptrs));
	intents->ops = calloc(nops + 1, sizeof(const struct intent_op *));
	if (!effects->v || !effects->pptrs || !intents->ops)
		return -ENOMEM;
	for (size_t i = 0; all[i]; i++)
		if (collect_extents(c, all[i], effects) && all[i]->op && collect_op(c, all[i]->op, effects))
			intents->ops[intents->nops++] = all[i]->op;
	return effects_settle(effects);
}

int intents_settle(struct intents *intents, const struct check *c)
{
	const struct intent **all = in_order(intents);
	int ret;

	intents->geo = c->geo;
	ret = all ? collect(intents, c, all) : -ENOMEM;
	free(all);
	return ret;
}

uint64_t intents_waiting(const struct intents *intents)
{
	uint64_t total = 0;

	for (unsigned kind = 0; intents && kind < INTENT_KINDS; kind++)
		total += intents->waiting[kind];
	return total;
}

uint64_t intents_waiting_of(const struct intents *intents, enum intent_kind kind)
{
	return intents ? intents->waiting[kind] : 0;
}

size_t intents_ops(const struct intents *intents, const struct intent_op *const **ret_ops)
{
	*ret_ops = intents ? intents->ops : NULL;
	return intents ? intents->nops : 0;
}

/*
 * Posts waiting intents to the accounts.  Most define exactly what they change, and are posted as facts that add to
 * those of the disk or cancel them.  If the disk lacks what an intent cancels, the accounts don't balance, and recovery
 * would fail.  Two kinds are not exact: freeing blocks removes any rmapbt records that they have (recovery does not
 * know the owner), and a parent pointer may have been changed already.  For these, facts on the disk are dropped before
 * they reach the accounts.
 */

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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers for walking every kind of object: posting, reporting, gaps and claims. */
#include "array.h"
#include "libxfs/crc.h"
#include "libxfs/da.h"
#include "report.h"
#include "report/finding.h"
#include "walker.h"

#include <stdlib.h>

/* Notes damage.  After the first one, blocks are kept in memory: they will be read again to locate and mend it. */
static void note_damage(struct traverse *t, enum finding finding)
{
	if (finding_is_damage(finding) && !__atomic_exchange_n(&t->damage, true, __ATOMIC_RELAXED) && t->keep_bytes &&
	    !t->keep_for_gaps)
		device_keep(t->device, t->keep_bytes);
}

/* Returns the name of the directory entry that a problem is about; empty if there is none, or it has no name. */
static struct name_view entry_of(const struct walker *w, const struct problem *problem)
{
	struct name_view name = { 0 };

	switch (problem->finding) {
	case F_DIR_ENTRY_NAME:
	case F_DIR_ENTRY_DOTS:
	case F_DIR_ENTRY_INO:
	case F_DIR_ENTRY_INTERNAL:
	case F_DIR_ENTRY_FTYPE:
	case F_DIR_ENTRY_DUPLICATE:
		if (w->entries.bytes)
			name.bytes = dir_entry_name_at(w->entries.bytes, w->entries.size, w->entries.shortform,
						       problem->offset, &name.len);
		break;
	default:
		break;
	}
	return name;
}

static void reported(void *ctx, const struct problem *problem)
{
	struct walker *w = ctx;
	struct place place = w->place;
	const struct name_view entry = entry_of(w, problem);

	if (entry.len)
		place.name = entry;
	findings_add(w->t->findings, w->worker, &place, problem);
	note_damage(w->t, problem->finding);
}

void walk_entry_say(struct walker *w, const struct name_view *name, enum finding finding, uint64_t got)
{
	const struct problem problem = { .finding = finding, .index = NO_INDEX, .got = got };
	struct place place = w->place;

	place.name = *name;
	if (!w->t->scope.judge)
		return;
	findings_add(w->t->findings, w->worker, &place, &problem);
	note_damage(w->t, finding);
}

static void noted(void *ctx, const struct problem *problem)
{
	const struct walker *w = ctx;

	note_damage(w->t, problem->finding);
}

/* Returns the check for decoders, by what happens to problems that they find. */
static struct check check_of(struct walker *w)
{
	const struct scope *scope = &w->t->scope;

	return scope->judge  ? (struct check){ w->t->geo, reported, w }
	       : scope->wary ? (struct check){ w->t->geo, noted, w }
			     : check_known(w->t->geo);
}

struct walker *walker_new(struct traverse *t, unsigned worker)
{
	struct walker *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->t = t;
	w->worker = worker;
	w->check = check_of(w);
	return w;
}

void walker_free(struct walker *w)
{
	free(w->gaps);
	free(w->tree_gaps);
	free(w->samples);
	free(w);
}

void *walk_want(struct walker *w, size_t size)
{
	struct want *want = walk_alloc(w, size);

	if (want)
		want->size = (uint32_t)size;
	return want;
}

int walk_grow(struct walker *w, void *array, size_t *room, size_t count, size_t element)
{
	int ret = array_grow(array, room, count, element);

	if (ret)
		walk_failed(w);
	return ret;
}

void walk_post(struct walker *w, struct want *want, enum want_kind kind, agno_t agno, xdaddr_t daddr, uint64_t len,
	       uint32_t unit)
{
	want->kind = kind;
	want->item.offset = bytes_of_daddr(daddr);
	want->item.length = len;
	want->item.unit = unit;
	/* headers and btrees change their AG's state without a lock, and the AG's pass waits for early items */
	want->item.anywhere = kind != WANT_HEADERS && kind != WANT_BTREE && !want->item.early;
	/* these depend on nothing but their own expectation */
	want->item.parks = kind == WANT_BTREE || kind == WANT_CHUNK;
	sweep_post(w->t->sweep, w->worker, agno.v, &want->item);
}

void walk_seal(struct walker *w, const void *bytes, size_t len, size_t crc_offset, const be64_t *owner)
{
	const struct sink *sink = &w->t->sink;

	if (w->t->scope.contents && w->t->geo->crc && sink->ops->sealed)
		sink_tell(sink, sealed, w->worker, crc_stored(bytes, crc_offset), !crc_is_right(bytes, len, crc_offset),
			  (xino_t){ be64_get(*owner) });
}

bool walk_readable(struct walker *w, uint64_t offset, uint64_t len)
{
	uint64_t bad, bad_len, end = offset + len;
	bool readable = true;

	for (; device_unreadable(w->t->device, offset, end - offset, &bad, &bad_len); offset = bad + bad_len) {
		readable = false;
		/* a device that is too short has its own finding */
		if (bad < device_bytes(w->t->device))
			walk_problem(w, F_IO_UNREADABLE, NO_INDEX, bad_len, bad);
	}
	if (!readable)
		walk_incomplete(w);
	return readable;
}

void walk_problem(struct walker *w, enum finding finding, uint32_t index, uint64_t got, uint64_t want)
{
	problem_at(&w->check, finding, 0, index, got, want);
}

void walk_incomplete(struct walker *w)
{
	struct traverse *t = w->t;

	__atomic_store_n(&t->incomplete, true, __ATOMIC_RELAXED);
	if (__atomic_add_fetch(&t->gaps, 1, __ATOMIC_RELAXED) == GAPS_FEW && t->keep_bytes && t->keep_for_gaps)
		device_keep(t->device, t->keep_bytes);
}

void walk_gap(struct walker *w, xino_t ino, unsigned what)
{
	walk_incomplete(w);
	if (!w->t->scope.judge)
		return;
	if (w->ngaps && w->gaps[w->ngaps - 1].ino.v == ino.v)
		w->gaps[w->ngaps - 1].what |= what;
	else if (!walk_grow(w, &w->gaps, &w->gaps_room, w->ngaps, sizeof(*w->gaps)))
		w->gaps[w->ngaps++] = (struct gap){ ino, what };
}

/* Makes room for one more gap, by joining first: the walk of a tree with a loop finds the same gap many times. */
static int make_tree_gap_room(struct walker *w)
{
	if (w->ntree_gaps < w->tree_gaps_room)
		return 0;
	w->ntree_gaps = tree_gaps_join(w->tree_gaps, w->ntree_gaps);
	if (w->tree_gaps && w->ntree_gaps <= w->tree_gaps_room / 2)
		return 0;
	return walk_grow(w, &w->tree_gaps, &w->tree_gaps_room, w->tree_gaps_room, sizeof(*w->tree_gaps));
}

void walk_tree_gap(struct walker *w, const struct tree_gap *gap)
{
	walk_incomplete(w);
	if (w->t->scope.judge && !make_tree_gap_room(w))
		w->tree_gaps[w->ntree_gaps++] = *gap;
}

void walk_tree_gap_at(struct walker *w, const struct btree_expect *expect, bool claims)
{
	const struct geometry *geo = w->t->geo;
	struct tree_gap gap = { .group = group_of_ag(expect->agno), .kind = expect->kind, .claims = claims };

	if (btree_is_rt(expect->kind)) {
		gap.group = group_of_rg(geo, expect->rgno);
		gap.kind = expect->kind == BT_RTRMAP ? BT_RMAP : BT_REFC;
	}
	/* with keys out of order, any record may be missing */
	gap.to = (struct btkey){ { UINT64_MAX, UINT64_MAX, UINT64_MAX } };
	if (expect->has_low && (expect->keys_ok || expect->root))
		gap.from = expect->low;
	if (expect->has_bound && (expect->keys_ok || expect->root))
		gap.to = expect->bound;
	walk_tree_gap(w, &gap);
}

void walk_claim_special(struct walker *w, enum object object, agno_t agno, agbno_t agbno, uint32_t len, uint64_t owner)
{
	const struct claim claim = { { group_of_ag(agno), { agbno.v }, len }, owner, 0, 0, (uint8_t)object };

	sink_tell(&w->t->sink, claim, w->worker, &claim);
	if (walk_shared_any(w, &claim.at))
		sink_tell(&w->t->sink, alone, w->worker, &claim.at);
}

void walk_shared(struct walker *w, group_t group, const struct refcount_record *record)
{
	struct shared *shared = &w->t->shared[group.v];

	if (!record->cow)
		walk_add(w, shared->v, shared->room, shared->count,
			 (struct shared_range){ record->start.v, record->start.v + record->len });
}

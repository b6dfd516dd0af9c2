/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers for all comparisons of Locate: finding records in the evidence, setting places, reporting differences. */
#include "locate.h"

#include "repair.h"
#include "sets/ordered.h"
#include "check/walk/walker.h"

/* Returns the index of the first record of a group and kind, and their number; records are sorted by these. */
static size_t range_of(const void *records, size_t count, struct member group, uint32_t g, struct member kind,
		       unsigned k, size_t *ret_count)
{
	const size_t first = ordered_from(records, count, group, g), end = ordered_behind(records, count, group, g);
	const uint8_t *of_group = (const uint8_t *)records + first * group.record;
	const size_t from = ordered_from(of_group, end - first, kind, k);

	*ret_count = ordered_behind(of_group, end - first, kind, k) - from;
	return first + from;
}

const struct use *locate_uses(const struct locate *l, group_t group, enum use_kind kind, size_t *ret_count)
{
	const struct evidence_records *r = &l->records;

	return r->uses +
	       range_of(r->uses, r->nuses, MEMBER(r->uses, group), group.v, MEMBER(r->uses, kind), kind, ret_count);
}

const struct chunk_fact *locate_chunks(const struct locate *l, agno_t agno, enum btree_kind kind, size_t *ret_count)
{
	const struct evidence_records *r = &l->records;

	return r->chunks + range_of(r->chunks, r->nchunks, MEMBER(r->chunks, agno), agno.v, MEMBER(r->chunks, kind),
				    kind, ret_count);
}

void locate_say(struct locate *l, unsigned account, enum finding finding, uint32_t index, uint64_t got, uint64_t want)
{
	l->settled |= 1u << account;
	walk_problem(l->w, finding, index, got, want);
}

void locate_say_unless(struct locate *l, bool explained, unsigned account, enum finding finding, uint32_t index,
		       uint64_t got, uint64_t want)
{
	l->settled |= 1u << account;
	l->explained += explained;
	if (!explained)
		walk_problem(l->w, finding, index, got, want);
}

void locate_explained(struct locate *l, unsigned account, uint64_t count)
{
	l->settled |= 1u << account;
	l->explained += count;
}

void locate_at_block(struct locate *l, enum object object, group_t group, uint64_t block)
{
	const struct geometry *geo = &l->rc->geo;

	l->w->place = place_of_group(geo, group, object, object == OBJ_AG ? OBJ_RTGROUP : object);
	if (group_is_rt(geo, group))
		l->w->place.rgbno.v = block;
	else
		l->w->place.agbno.v = (uint32_t)block;
}

void locate_at_claim(struct locate *l, group_t group, uint64_t block, const struct use *claim)
{
	if (claim->owner >= OWNER_COW) {
		locate_at_block(l, claim->object, group, block);
		return;
	}
	locate_at_block(l,
			claim->flags & RMAP_BMBT   ? OBJ_BMBT
			: claim->flags & RMAP_ATTR ? OBJ_ATTR_FORK
						   : OBJ_DATA_FORK,
			group, block);
	l->w->place.ino.v = claim->owner;
	if (!(claim->flags & RMAP_BMBT))
		l->w->place.fileoff.v = claim->offset + (block - claim->start);
}

void locate_at_inode(struct locate *l, enum object object, xino_t ino)
{
	l->w->place = place_of(object);
	l->w->place.agno = agno_of_ino(&l->rc->geo, ino);
	l->w->place.ino = ino;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all comparisons of Locate need: finding records in the evidence, setting places, reporting differences. */
#include "locate.h"

#include "array.h"

/* A number that is the same for all records of one group and kind, and rises in the order of the arrays. */
static uint64_t sort_of(uint32_t group, unsigned kind)
{
	return (uint64_t)group << 32 | kind;
}

static bool use_below(const void *element, const void *key)
{
	const struct use *use = element;
	const uint64_t *sort = key;

	return sort_of(use->group, use->kind) < *sort;
}

static bool chunk_below(const void *element, const void *key)
{
	const struct chunk_fact *chunk = element;
	const uint64_t *sort = key;

	return sort_of(chunk->agno.v, chunk->kind) < *sort;
}

/* The index of the first record with this number of sort_of(), and how many there are. */
static size_t range_of(const void *records, size_t count, size_t size, uint64_t sort,
		       bool (*below)(const void *element, const void *key), size_t *ret_count)
{
	const uint64_t next = sort + 1;
	size_t first = array_lower_bound(records, count, size, &sort, below);

	*ret_count = array_lower_bound(records, count, size, &next, below) - first;
	return first;
}

const struct use *locate_uses(const struct locate *l, group_t group, enum use_kind kind, size_t *ret_count)
{
	const struct evidence_records *r = &l->records;

	return r->uses + range_of(r->uses, r->nuses, sizeof(*r->uses), sort_of(group.v, kind), use_below, ret_count);
}

const struct chunk_fact *locate_chunks(const struct locate *l, agno_t agno, enum btree_kind kind, size_t *ret_count)
{
	const struct evidence_records *r = &l->records;

	return r->chunks +
	       range_of(r->chunks, r->nchunks, sizeof(*r->chunks), sort_of(agno.v, kind), chunk_below, ret_count);
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

	l->w->place = place_of(group_is_rt(geo, group) && object == OBJ_AG ? OBJ_RTGROUP : object);
	if (group_is_rt(geo, group)) {
		l->w->place.rgno = group.v - geo->agcount;
		l->w->place.rgbno.v = block;
	} else {
		l->w->place.agno.v = group.v;
		l->w->place.agbno.v = (uint32_t)block;
	}
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the comparisons of Locate share: finding records, and saying where they are. */
#include "locate.h"

/* Which records belong together: a group's or AG's, of a kind. */
static uint64_t sort_of(uint32_t group, unsigned kind)
{
	return (uint64_t)group << 32 | kind;
}

static uint64_t sort_of_use(const struct evidence_records *r, size_t i)
{
	return sort_of(r->uses[i].group, r->uses[i].kind);
}

static uint64_t sort_of_chunk(const struct evidence_records *r, size_t i)
{
	return sort_of(r->chunks[i].agno.v, r->chunks[i].kind);
}

/* The first record of a sort, and in *ret_count how many. */
static size_t first_of(const struct locate *l, uint64_t sort, size_t total,
		       uint64_t (*sort_at)(const struct evidence_records *r, size_t i), size_t *ret_count)
{
	size_t bounds[2];

	for (unsigned b = 0; b < 2; b++) {
		size_t low = 0, high = total;

		while (low < high) {
			size_t mid = low + (high - low) / 2;

			if (sort_at(&l->records, mid) < sort + b)
				low = mid + 1;
			else
				high = mid;
		}
		bounds[b] = low;
	}
	*ret_count = bounds[1] - bounds[0];
	return bounds[0];
}

const struct use *locate_uses(const struct locate *l, group_t group, enum use_kind kind, size_t *ret_count)
{
	return l->records.uses + first_of(l, sort_of(group.v, kind), l->records.nuses, sort_of_use, ret_count);
}

const struct chunk_fact *locate_chunks(const struct locate *l, agno_t agno, enum btree_kind kind, size_t *ret_count)
{
	return l->records.chunks + first_of(l, sort_of(agno.v, kind), l->records.nchunks, sort_of_chunk, ret_count);
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

void locate_explained(struct locate *l, unsigned account)
{
	l->settled |= 1u << account;
	l->explained++;
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

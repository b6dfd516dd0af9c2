/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the comparisons of Locate share: finding records, and saying where they are. */
#include "locate.h"

#include <stdlib.h>

static size_t uses_before(const struct locate *l, uint32_t group, unsigned kind)
{
	size_t low = 0, high = l->records.nuses;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct use *use = &l->records.uses[mid];

		if (use->group < group || (use->group == group && use->kind < kind))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const struct use *locate_uses(const struct locate *l, group_t group, enum use_kind kind, size_t *ret_count)
{
	size_t first = uses_before(l, group.v, kind);

	*ret_count = uses_before(l, group.v, kind + 1u) - first;
	return l->records.uses + first;
}

/* First chunk fact of an AG's tree, or of one behind it. */
static size_t chunks_before(const struct locate *l, uint32_t agno, unsigned kind)
{
	size_t low = 0, high = l->records.nchunks;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct chunk_fact *c = &l->records.chunks[mid];

		if (c->agno.v < agno || (c->agno.v == agno && (unsigned)c->kind < kind))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const struct chunk_fact *locate_chunks(const struct locate *l, agno_t agno, enum btree_kind kind, size_t *ret_count)
{
	size_t first = chunks_before(l, agno.v, kind);

	*ret_count = chunks_before(l, agno.v, kind + 1u) - first;
	return l->records.chunks + first;
}

int locate_gap_order(const void *a, const void *b)
{
	const struct gap *x = a, *y = b;

	return (x->ino.v > y->ino.v) - (x->ino.v < y->ino.v);
}

bool locate_inode_unknown(const struct locate *l, xino_t ino, unsigned what)
{
	const struct gap key = { .ino = ino }, *gap;

	if (!ino_valid(&l->rc->geo, ino))
		return false;
	gap = l->ngaps ? bsearch(&key, l->gaps, l->ngaps, sizeof(key), locate_gap_order) : NULL;
	return l->blind[agno_of_ino(&l->rc->geo, ino).v] || (gap && gap->what & what);
}

bool locate_owner_unknown(const struct locate *l, group_t group, uint64_t owner)
{
	const struct geometry *geo = &l->rc->geo;

	if (owner == OWNER_INODES || owner == OWNER_INOBT)
		return !group_is_rt(geo, group) && l->blind[group.v];
	return owner < OWNER_COW && locate_inode_unknown(l, (xino_t){ owner }, GAP_CLAIMS);
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

/* What the blocks of an owner that is no inode are. */
static enum object special_object(uint64_t owner)
{
	switch (owner) {
	case OWNER_LOG:
		return OBJ_LOG;
	case OWNER_INODES:
		return OBJ_CLUSTER;
	case OWNER_INOBT:
		return OBJ_INOBT;
	case OWNER_REFC:
	case OWNER_COW:
		return OBJ_REFCBT;
	default:
		return OBJ_AG;
	}
}

void locate_at_owner(struct locate *l, group_t group, uint64_t block, uint64_t owner, uint8_t flags, uint64_t offset)
{
	if (owner >= OWNER_COW) {
		locate_at_block(l, special_object(owner), group, block);
		return;
	}
	locate_at_block(l,
			flags & RMAP_BMBT   ? OBJ_BMBT
			: flags & RMAP_ATTR ? OBJ_ATTR_FORK
					    : OBJ_DATA_FORK,
			group, block);
	l->w->place.ino.v = owner;
	if (!(flags & RMAP_BMBT))
		l->w->place.fileoff.v = offset;
}

void locate_at_inode(struct locate *l, enum object object, xino_t ino)
{
	l->w->place = place_of(object);
	l->w->place.agno = agno_of_ino(&l->rc->geo, ino);
	l->w->place.ino = ino;
}

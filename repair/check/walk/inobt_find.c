/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks up an inode by a descent in the inobt, which reads one block of each level. */
#include "inobt_find.h"

#include <errno.h>
#include <stdlib.h>

#include "disk/inobt.h"

/* What the current block says about the inode. */
struct seeking {
	agino_t agino;
	enum inode_use use; /* by the records of a leaf */
	bool child;	    /* a child's records begin at or before the inode: */
	struct btree_expect expect;
	uint64_t low, high; /* between the keys of children that were found */
};

static void record_met(void *ctx, const union btree_record *record, uint32_t index)
{
	struct seeking *s = ctx;
	const struct inobt_record *r = &record->inobt;
	const uint32_t at = s->agino.v - r->start.v;

	(void)index;
	if (s->agino.v < r->start.v || at >= INODES_PER_CHUNK)
		return;
	s->use = !(inobt_existing(r->holemask) >> at & 1) ? INODE_NONE : r->free >> at & 1 ? INODE_FREE : INODE_IN_USE;
}

static void child_met(void *ctx, const struct btree_expect *child)
{
	struct seeking *s = ctx;

	if (child->low.k[0] > s->agino.v) {
		if (child->low.k[0] < s->high)
			s->high = child->low.k[0];
		return;
	}
	s->child = true;
	s->low = child->low.k[0];
	s->expect = *child;
}

/* Descends from s->expect to the leaf, and leaves its bytes in leaf->block.  *ret_whole: no block is damaged. */
static int descend(const struct geometry *geo, struct device *device, struct seeking *s, struct inobt_leaf *leaf,
		   bool *ret_whole)
{
	const struct check check = check_silent(geo);
	const struct btree_visitor visitor = { s, record_met, child_met, NULL };
	int error = 0;

	*ret_whole = true;
	leaf->known = false;
	s->child = true;
	/* levels decrease, so this ends */
	while (s->child && !error && *ret_whole) {
		const struct btree_expect expect = s->expect;
		struct btree_block decoded;

		s->child = false;
		error = device_read(device, leaf->block, bytes_of_daddr(daddr_of(geo, expect.agno, expect.agbno)),
				    geo->block_size);
		*ret_whole = !error && btree_decode(&check, leaf->block, &expect, &visitor, &decoded);
		leaf->known = *ret_whole && !expect.level;
		leaf->expect = expect;
	}
	leaf->low = s->low;
	leaf->high = s->high;
	return error;
}

int inobt_find(const struct geometry *geo, struct device *device, const struct ag_state *ag, agno_t agno, agino_t agino,
	       struct inobt_leaf *leaf, enum inode_use *ret)
{
	const struct check check = check_silent(geo);
	struct seeking s = { .agino = agino, .use = INODE_NONE, .high = UINT64_MAX };
	const struct btree_visitor visitor = { &s, record_met, child_met, NULL };
	struct btree_block decoded;
	bool whole;
	int error;

	*ret = INODE_UNKNOWN;
	if (!ag->have_agi || !ag->agi.root_ok[BT_INO] || !ag->agi.level[BT_INO])
		return 0;
	if (!leaf->block)
		leaf->block = malloc(geo->block_size);
	if (!leaf->block)
		return -ENOMEM;
	if (leaf->known && leaf->expect.agno.v == agno.v && agino.v >= leaf->low && agino.v < leaf->high) {
		if (btree_decode(&check, leaf->block, &leaf->expect, &visitor, &decoded))
			*ret = s.use;
		return 0;
	}
	s.expect = (struct btree_expect){ .kind = BT_INO,
					  .agno = agno,
					  .agbno = ag->agi.root[BT_INO],
					  .owner = agno.v,
					  .level = (uint8_t)(ag->agi.level[BT_INO] - 1),
					  .root = true };
	error = descend(geo, device, &s, leaf, &whole);
	if (!error && whole)
		*ret = s.use;
	return error;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A descent in the inobt: one block of each level is read. */
#include "inobt_find.h"

#include <errno.h>
#include <stdlib.h>

#include "disk/inobt.h"

/* What the block at hand has for the inode. */
struct seeking {
	agino_t agino;
	enum inode_use use; /* by the records of a leaf */
	bool child;	    /* there is a child whose records begin at the inode, or before it: */
	struct btree_expect expect;
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

	if (child->low.k[0] > s->agino.v)
		return;
	s->child = true;
	s->expect = *child;
}

int inobt_find(const struct geometry *geo, struct device *device, const struct ag_state *ag, agno_t agno, agino_t agino,
	       enum inode_use *ret)
{
	const struct check check = check_silent(geo);
	struct seeking s = { .agino = agino, .use = INODE_NONE };
	const struct btree_visitor visitor = { &s, record_met, child_met, NULL };
	uint8_t *block;
	int error = 0;

	*ret = INODE_UNKNOWN;
	if (!ag->have_agi || !ag->agi.root_ok[BT_INO] || !ag->agi.level[BT_INO])
		return 0;
	block = malloc(geo->block_size);
	if (!block)
		return -ENOMEM;
	s.child = true;
	s.expect = (struct btree_expect){ .kind = BT_INO,
					  .agno = agno,
					  .agbno = ag->agi.root[BT_INO],
					  .owner = agno.v,
					  .level = (uint8_t)(ag->agi.level[BT_INO] - 1),
					  .root = true };
	/* levels fall, so this ends */
	while (s.child && !error) {
		const struct btree_expect expect = s.expect;
		struct btree_block decoded;

		s.child = false;
		error = device_read(device, block, bytes_of_daddr(daddr_of(geo, agno, expect.agbno)), geo->block_size);
		if (!error && !btree_decode(&check, block, &expect, &visitor, &decoded)) {
			free(block);
			return 0;
		}
	}
	free(block);
	if (!error)
		*ret = s.use;
	return error;
}

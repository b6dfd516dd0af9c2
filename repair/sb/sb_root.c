/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inode of the root directory where the primary superblock is lost.  A few
 * secondaries have its number (ondisk 01); else it is the first inode of the
 * first AG, which the inobt knows (ondisk 00, section 2).
 */
#include <stdlib.h>

#include "sb_choose.h"

#include "disk/sb.h"
#include "libxfs/ag.h"
#include "libxfs/btree.h"

struct leftmost {
	bool inode; /* a record was met: start is its first inode */
	agino_t start;
	bool child; /* else a child */
	struct btree_expect expect;
};

static void record_met(void *ctx, const union btree_record *record, uint32_t index)
{
	struct leftmost *left = ctx;

	(void)index;
	if (left->inode)
		return;
	left->inode = true;
	left->start = record->inobt.start;
}

static void child_met(void *ctx, const struct btree_expect *child)
{
	struct leftmost *left = ctx;

	if (left->child)
		return;
	left->child = true;
	left->expect = *child;
}

/* Down the left side of the inobt of the first AG.  Levels fall, so it ends. */
static bool first_inode(struct device *device, const struct geometry *geo, uint8_t *buffer, agino_t *ret_agino)
{
	const struct check check = check_silent(geo);
	const agno_t first_ag = { 0 };
	struct leftmost left = { 0 };
	const struct btree_visitor visitor = { &left, record_met, child_met, NULL };
	struct btree_block block;
	struct agi agi;

	device_read(device, buffer, ag_sector_offset(geo, first_ag, AGI_SECTOR), geo->sector_size);
	if (!agi_decode(&check, buffer, first_ag, &agi) || !agi.root_ok[BT_INO])
		return false;
	left.child = true;
	left.expect = (struct btree_expect){ .kind = BT_INO, .agbno = agi.root[BT_INO], .root = true, .unsure = true };
	left.expect.level = (uint8_t)(agi.level[BT_INO] - 1);
	while (left.child) {
		const struct btree_expect expect = left.expect;

		left.child = false;
		device_read(device, buffer, bytes_of_daddr(daddr_of(geo, first_ag, expect.agbno)), geo->block_size);
		if (!btree_decode(&check, buffer, &expect, &visitor, &block))
			return false;
	}
	*ret_agino = left.start;
	return left.inode;
}

xino_t sb_root_find(const struct sb_candidates *all, const struct sb_candidate *chosen)
{
	xino_t root = { NULL_INO };
	agino_t agino;
	uint8_t *block;

	for (size_t i = 0; i < all->count; i++) {
		const struct sb_candidate *c = &all->all[i];

		/* the geometry has NULL_INO where the number can't be, and reports are not made of secondaries */
		if (c->usable && be64_get(((const struct sb_disk *)c->sector)->rootino) == c->geo.rootino.v &&
		    c->geo.rootino.v != NULL_INO && sb_candidates_alike(c, chosen))
			return c->geo.rootino;
	}
	block = malloc(chosen->geo.block_size);
	if (block && first_inode(all->device, &chosen->geo, block, &agino))
		root = ino_of(&chosen->geo, (agno_t){ 0 }, agino);
	free(block);
	return root;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the root inode if the primary superblock is lost.  A few backups have its number (ondisk 01).  Otherwise it is
 * the first inode of the first AG: the first record of the inobt points to it, or it is looked for in the blocks behind
 * the headers (ondisk 00, section 2).  If these inodes are lost, others are behind them, so an inode behind the usual
 * place of the first inodes must look like a root.
 */
#include <stdlib.h>

#include "sb_choose.h"

#include "disk/inode.h"
#include "disk/sb.h"
#include "libxfs/ag.h"
#include "libxfs/btree.h"

/* The first entry of an inobt block. */
struct leftmost {
	bool inode; /* a record: */
	agino_t start;
	bool child; /* a child block: */
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

/* Finds the first record by descending the left side of the first AG's inobt.  Levels decrease, so that ends. */
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

#define BLOCKS_TRIED 4096u /* headers, first btrees, the log, and a gap for alignment are before the first inodes */

/* True if a block begins with inodes: enough with magic number, and in version 5 number, to be no accident. */
static bool holds_inodes(const struct geometry *geo, const uint8_t *block, agbno_t agbno)
{
	for (uint32_t i = 0; i < SB_MIN_INOPBLOCK; i++) {
		const struct dinode_disk *inode = (const struct dinode_disk *)(block + ((size_t)i << geo->inode_log));
		const agino_t agino = { (agbno.v << geo->inopb_log) + i };

		if (be16_get(inode->magic) != DINODE_MAGIC)
			return false;
		if (geo->crc ? be64_get(inode->ino) != ino_of(geo, (agno_t){ 0 }, agino).v
			     : inode->version != DINODE_VERSION_1 && inode->version != DINODE_VERSION_2)
			return false;
	}
	return true;
}

/* Returns the usual place of the first inodes: behind headers, btree roots, the free list and the log in this AG. */
static agbno_t first_inodes_due(const struct sb_candidate *chosen)
{
	const struct geometry *geo = &chosen->geo;
	const uint32_t unit = be32_get(((const struct sb_disk *)chosen->sector)->unit), chunk = geo->cluster_align;
	const uint32_t trees = 3u + geo->finobt + geo->rmapbt + geo->reflink, list = geo->rmapbt ? 6 : 4;
	const bool log = geo->logstart.v && !agno_of_fsbno(geo, geo->logstart).v;
	const uint64_t behind = (uint64_t)geo->first_data_agbno + trees + list + (log ? geo->logblocks : 0);
	const uint64_t align = unit && unit % chunk == 0 ? unit : chunk;

	return (agbno_t){ (uint32_t)((behind + align - 1) / align * align) };
}

/* True if the chunk of this block may be the root's: a directory is its first inode. */
static bool may_hold_root(const struct geometry *geo, const uint8_t *block, agbno_t agbno)
{
	return agbno.v % geo->cluster_align == 0 &&
	       (be16_get(((const struct dinode_disk *)block)->mode) & MODE_TYPE) == MODE_DIR;
}

/* Searches the blocks of the first AG for the first inodes, except the log, which may have copies of inodes. */
static bool first_inodes_met(struct device *device, const struct geometry *geo, agbno_t due, uint8_t *buffer,
			     agbno_t *ret_agbno)
{
	bool log_in_the_way = geo->logstart.v && !agno_of_fsbno(geo, geo->logstart).v;
	agbno_t log = agbno_of_fsbno(geo, geo->logstart), at = { geo->first_data_agbno };

	for (uint32_t i = 0; i < BLOCKS_TRIED; i++, at.v++) {
		if (log_in_the_way && at.v == log.v)
			at.v += geo->logblocks;
		if (!agbno_valid(geo, (agno_t){ 0 }, at))
			return false;
		if (device_read(device, buffer, bytes_of_daddr(daddr_of(geo, (agno_t){ 0 }, at)), geo->block_size) ||
		    !holds_inodes(geo, buffer, at))
			continue;
		ret_agbno->v = at.v - at.v % geo->cluster_align;
		return ret_agbno->v <= due.v || may_hold_root(geo, buffer, at);
	}
	return false;
}

/* Returns the first inode of the first AG that is found in its blocks, or else at the usual place. */
static agino_t first_inode_met(struct device *device, const struct sb_candidate *chosen, uint8_t *buffer)
{
	const agbno_t due = first_inodes_due(chosen);
	agbno_t agbno;

	if (!first_inodes_met(device, &chosen->geo, due, buffer, &agbno))
		agbno = due;
	return (agino_t){ agbno.v << chosen->geo.inopb_log };
}

xino_t sb_root_find(const struct sb_candidates *all, const struct sb_candidate *chosen)
{
	xino_t root = { NULL_INO };
	agino_t agino;
	uint8_t *block;

	for (size_t i = 0; i < all->count; i++) {
		const struct sb_candidate *c = &all->all[i];

		/* the geometry may have NULL_INO, or a derived number: only that in the sector counts */
		if (c->usable && be64_get(((const struct sb_disk *)c->sector)->rootino) == c->geo.rootino.v &&
		    c->geo.rootino.v != NULL_INO && sb_candidates_alike(c, chosen))
			return c->geo.rootino;
	}
	block = malloc(chosen->geo.block_size);
	if (block) {
		if (!first_inode(all->device, &chosen->geo, block, &agino))
			agino = first_inode_met(all->device, chosen, block);
		root = ino_of(&chosen->geo, (agno_t){ 0 }, agino);
	}
	free(block);
	return root;
}

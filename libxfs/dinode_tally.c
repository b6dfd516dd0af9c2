/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the contradictions in an inode (ondisk 04): those that its decoder finds, and those that the decoders of the
 * forks' contents find in the inode's bytes.
 */
#include "dinode_parts.h"

#include "disk/dir.h"
#include "libxfs/bmap.h"
#include "libxfs/btree.h"
#include "libxfs/da.h"

/* the weight of a fork that can't be decoded, since it hides other faults */
#define WEIGHT_LOST 4u

static void tally_problem(void *ctx, const struct problem *problem)
{
	struct tally *tally = ctx;

	if (problem->finding == F_BLOCK_CRC)
		return;
	tally->problems++;
	if (!tally->have_first)
		tally->first = *problem;
	tally->have_first = true;
}

/* Counts problems inside forks, and does not keep them as tally->first, since no rule of the core settles them. */
static void tally_contents(void *ctx, const struct problem *problem)
{
	struct tally *tally = ctx;

	(void)problem;
	tally->problems++;
}

/* Counts problems with extent records. */
static void tally_extents(void *ctx, const struct problem *problem)
{
	struct tally *tally = ctx;

	(void)problem;
	tally->problems++;
	tally->bad_extents++;
}

static void tally_attr_extent(void *ctx, const struct bmap_record *record)
{
	struct tally *tally = ctx;

	tally->extents++;
	tally->blocks += record->len;
	if (record->off.v == 0)
		tally->attr = record->start;
}

static void tally_data_extent(void *ctx, const struct bmap_record *record)
{
	struct tally *tally = ctx;

	tally->extents++;
	tally->blocks += record->len;
	if (record->off.v < tally->limit && record->off.v + record->len > tally->end)
		tally->end = record->off.v + record->len;
}

struct children {
	struct tally *tally;
	const struct dinode_witness *witness;
};

static void ask_for_child(void *ctx, const struct btree_expect *child)
{
	const struct children *children = ctx;

	if (children->witness && !children->witness->node(children->witness->ctx, child))
		children->tally->problems += WEIGHT_LOST;
}

/* Counts problems with attributes; one with an attribute itself, not with the header, counts as an entry too. */
static void tally_attributes(void *ctx, const struct problem *problem)
{
	struct tally *tally = ctx;

	tally->problems++;
	switch (problem->finding) {
	case F_ATTR_SF_TOTSIZE:
	case F_ATTR_SF_COUNT:
	case F_ATTR_SF_ENTRY:
		break;
	default:
		tally->entries++;
	}
}

static void tally_attribute(void *ctx, const struct attr_entry *entry)
{
	struct tally *tally = ctx;

	(void)entry;
	tally->entries++;
}

static void tally_name(void *ctx, const struct dir_entry *entry)
{
	struct tally *tally = ctx;

	tally->entries += entry->kind != ENTRY_INVALID;
}

static void tally_local(struct tally *tally, const struct check *c, const struct dinode *inode, enum fork which)
{
	const struct check attributes = { c->geo, tally_attributes, tally };
	const struct dinode_fork *fork = &inode->fork[which];
	bool ok = true;

	if (which == ATTR_FORK)
		ok = attr_sf_decode(&attributes, fork->bytes, fork->size, inode->ino, tally_attribute, tally);
	else if (inode->ftype == FT_DIR)
		ok = dir_sf_decode(c, fork->bytes, fork->size, inode->size, inode->ino, tally_name, tally);
	else if (inode->ftype == FT_SYMLINK)
		ok = symlink_local_check(c, fork->bytes, fork->size, inode->size);
	tally->problems += ok ? 0 : WEIGHT_LOST;
}

/* Counts the contents of a fork.  True if tally->blocks includes all its blocks. */
static bool tally_fork(struct tally *tally, const struct check *c, const struct dinode *inode, enum fork which,
		       const struct dinode_witness *witness)
{
	const struct dinode_fork *fork = &inode->fork[which];
	const struct btree_expect root = { .kind = BT_BMAP, .owner = inode->ino.v, .rules = &fork->rules };
	struct children children = { tally, witness };
	const struct btree_visitor visitor = { &children, btree_ignore_record, ask_for_child, NULL };
	const struct check extents = { c->geo, tally_extents, tally };
	struct btree_block block;
	uint8_t level;

	if (!fork->present)
		return true;
	if (!fork->ok) {
		tally->problems += WEIGHT_LOST;
		return false;
	}
	switch (fork->format) {
	case FMT_LOCAL:
		tally_local(tally, c, inode, which);
		return true;
	case FMT_EXTENTS:
		bmap_inline_decode(&extents, fork->bytes, fork->size, fork->nextents, &fork->rules,
				   which == DATA_FORK ? tally_data_extent : tally_attr_extent, tally);
		/* an attribute fork has a block 0 (ondisk 07); leftover extents of an older fork need not have one */
		if (which == ATTR_FORK && fork->nextents && tally->attr.v == NULL_FSBNO)
			tally->problems += WEIGHT_LOST;
		return true;
	case FMT_BTREE:
		if (!bmdr_decode(c, fork->bytes, fork->size, &root, &visitor, &block, &level))
			tally->problems += WEIGHT_LOST;
		return false;
	case FMT_DEV:
		return true;
	case FMT_META_BTREE:
		break;
	}
	return false;
}

struct tally dinode_tally(const struct geometry *g, const void *bytes, xino_t ino, bool allocated, enum ftype ftype,
			  const struct dinode_witness *witness)
{
	struct tally tally = { .attr = { NULL_FSBNO } };
	const struct check core = { g, tally_problem, &tally }, contents = { g, tally_contents, &tally };
	struct dinode inode;
	bool data, attr;

	if (!dinode_decode(&core, bytes, ino, allocated, &inode))
		return tally;
	if (ftype != FT_UNKNOWN && inode.ftype != ftype)
		tally.problems += 2;
	tally.limit = inode.ftype == FT_DIR ? DIR_LEAF_OFFSET >> g->block_log : UINT64_MAX;
	data = tally_fork(&tally, &contents, &inode, DATA_FORK, witness);
	attr = tally_fork(&tally, &contents, &inode, ATTR_FORK, witness);
	/* if most extents are sound, the others are themselves wrong, which no change to the core can settle */
	if (tally.bad_extents && tally.bad_extents < tally.extents)
		tally.problems -= tally.bad_extents;
	else if (data && attr && tally.blocks != inode.nblocks)
		tally.problems++;
	if (witness && tally.attr.v != NULL_FSBNO && !witness->attr(witness->ctx, ino, tally.attr))
		tally.problems += WEIGHT_LOST;
	return tally;
}

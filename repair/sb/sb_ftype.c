/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In version 4 a feature bit tells whether entries of directories have file types (ondisk 01, 06).  Tools have lost it
 * from all superblocks at once, as xfs_db does with the second word of features when it makes a log one of version 2.
 * Without it no name can be read, and a repair would give up all of them; so the root directory has a say.
 */
#include "sb_ftype.h"

#include <errno.h>
#include <stdlib.h>

#include "disk/sb.h"
#include "libxfs/da.h"
#include "libxfs/dinode.h"
#include "repair.h"
#include "run.h"
#include "base/spot.h"

/* The root directory as it was read. */
struct root_names {
	struct dinode inode;
	uint8_t inode_bytes[SB_MAX_INODE];
	xdaddr_t daddr; /* of its first block, in `block`; not if the names are in the inode itself */
	uint8_t *block;
	bool mapped;
};

static void count_name(void *ctx, const struct dir_entry *entry)
{
	*(unsigned *)ctx += entry->kind == ENTRY_NAME;
}

/* Whether there are names, and nothing is wrong with them, if entries have file types or not. */
static bool makes_sense(const struct geometry *geo, bool ftype, const struct root_names *r)
{
	const struct dinode_fork *fork = &r->inode.fork[DATA_FORK];
	const struct da_expect expect = { r->inode.ino, r->daddr, { 0 }, DATA_FORK };
	struct geometry as = *geo;
	unsigned problems = 0, names = 0;
	const struct check check = check_counting(&as, &problems);
	struct dir_data data;
	bool ok;

	as.ftype = ftype;
	if (!r->mapped)
		ok = dir_sf_decode(&check, fork->bytes, fork->size, r->inode.size, r->inode.ino, count_name, &names);
	else if (da_identify(&check, r->block, geo->dir_block_size) == DA_DIR_BLOCK)
		ok = dir_block_decode(&check, r->block, &expect, count_name, dir_ignore_leaf, &names, &data);
	else
		ok = dir_data_decode(&check, r->block, &expect, count_name, &names, &data);
	return ok && names && !problems;
}

static void first_extent(void *ctx, const struct bmap_record *record)
{
	struct bmap_record *first = ctx;

	if (record->off.v == 0)
		*first = *record;
}

/* Read the root inode, and its first block if it has one in a single piece. Whether there are names to look at. */
static bool read_root(const struct repair *rc, struct root_names *r)
{
	const struct geometry *geo = &rc->geo;
	const struct check silent = check_silent(geo);
	const struct dinode_fork *fork = &r->inode.fork[DATA_FORK];
	struct bmap_record first = { 0 };

	if (!ino_valid(geo, geo->rootino) ||
	    device_read(rc->run->device, r->inode_bytes, bytes_of_ino(geo, geo->rootino), geo->inode_size) ||
	    !dinode_decode(&silent, r->inode_bytes, geo->rootino, true, &r->inode) || r->inode.ftype != FT_DIR ||
	    !fork->ok)
		return false;
	if (fork->format == FMT_LOCAL)
		return true;
	if (fork->format != FMT_EXTENTS)
		return false;
	bmap_inline_decode(&silent, fork->bytes, fork->size, fork->nextents, &fork->rules, first_extent, &first);
	r->mapped = true;
	r->daddr = daddr_of_fsbno(geo, first.start);
	return first.len >= 1ull << geo->dirblk_log &&
	       !device_read(rc->run->device, r->block, bytes_of_daddr(r->daddr), geo->dir_block_size);
}

int sb_ftype_settle(struct repair *rc)
{
	struct spot spot = spot_of(rc, OBJ_SUPERBLOCK, 0);
	const struct check check = spot_check(&spot);
	const struct sb_disk *sb = (const struct sb_disk *)rc->primary;
	const uint32_t features = be32_get(sb->features2);
	struct root_names root = { 0 };

	/* without this bit, there is no second word of features */
	if (rc->geo.crc || rc->geo.ftype || !(be16_get(sb->versionnum) & SB_VERSION_MOREBITS))
		return 0;
	root.block = malloc(rc->geo.dir_block_size);
	if (!root.block)
		return -ENOMEM;
	if (read_root(rc, &root) && !makes_sense(&rc->geo, false, &root) && makes_sense(&rc->geo, true, &root)) {
		rc->geo.ftype = true;
		problem(&check, F_SB_FEATURES2, offsetof(struct sb_disk, features2), features,
			features | SB_FEATURES2_FTYPE);
	}
	free(root.block);
	return 0;
}

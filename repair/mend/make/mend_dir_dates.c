/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the LSNs of a directory's blocks, to tell which of two contradicting structures is newer. */
#include "mend_dir_dates.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "disk/dir.h"
#include "libxfs/dir_build.h"
#include "libxfs/log_stamp.h"
#include "mend/base/mend.h"
#include "mend/collect/mend_inode.h"
#include "mend_dir.h"
#include "mend_dir_block.h"
#include "repair.h"
#include "sets/ordered.h"

/* Returns the LSN of a block. NULL_LSN: not whole, or not this directory's; 0: its checksum is wrong. */
static lsn_t block_date(const struct geometry *geo, xino_t dir, const struct mend_dir_block *block)
{
	xdaddr_t daddr;
	xino_t owner;

	if (block->whole && (log_stamp_torn(geo, LB_DIR_DATA, block->bytes, geo->dir_block_size) ||
			     log_stamp_torn(geo, LB_DIR_BLOCK, block->bytes, geo->dir_block_size)))
		return (lsn_t){ 0 };
	if (!block->whole || !log_stamp_place(geo, block->bytes, geo->dir_block_size, &daddr, &owner) ||
	    daddr.v != block->daddr.v || owner.v != dir.v)
		return (lsn_t){ NULL_LSN };
	return log_stamp_lsn(geo, LB_DIR_DATA, block->bytes);
}

struct date_collector {
	const struct geometry *geo;
	xino_t dir;
	struct dir_dates *dates;
	int error;
};

static void add_hash(void *ctx, uint32_t hash, uint32_t address)
{
	struct date_collector *c = ctx;
	struct dir_dates *dates = c->dates;

	(void)address;
	if (!c->error)
		c->error = array_add(dates->hashes, dates->hashes_room, dates->nhashes, hash);
}

/* True if a leaf has a wrong checksum, so that its LSN may be wrong, too. */
static bool is_torn_leaf(const struct geometry *geo, const struct mend_dir_block *block)
{
	return log_stamp_torn(geo, LB_DIR_LEAF1, block->bytes, geo->dir_block_size) ||
	       log_stamp_torn(geo, LB_DIR_LEAFN, block->bytes, geo->dir_block_size);
}

static int add_block(void *ctx, uint64_t off, const struct mend_dir_block *block)
{
	struct date_collector *c = ctx;
	struct dir_dates *dates = c->dates;
	const struct check check = check_silent(c->geo);
	const struct da_expect expect = { c->dir, block->daddr, { (uint32_t)off }, DATA_FORK };
	struct dir_date date = { .off = off, .date = block_date(c->geo, c->dir, block) };
	struct dir_leaf leaf;

	if (off >= DIR_LEAF_OFFSET >> c->geo->block_log) {
		if (da_identify(&check, block->bytes, c->geo->dir_block_size) == DA_NODE)
			return 0;
		if (date.date.v == NULL_LSN || is_torn_leaf(c->geo, block) ||
		    !dir_leaf_decode(&check, block->bytes, &expect, add_hash, c, &leaf)) {
			dates->index_broken = true;
			return 0;
		}
		if (c->error || !leaf.count)
			return c->error;
		date.leaf = true;
		date.first_hash = leaf.first_hash;
		date.last_hash = leaf.last_hash;
	}
	return array_add(dates->blocks, dates->room, dates->count, date);
}

int dir_dates_collect(struct mend *m, struct mend_inode *dir, struct dir_dates *ret)
{
	const struct geometry *geo = &m->now->geo;
	const struct mend_fork *fork = &dir->fork[DATA_FORK];
	const struct dinode_fork *of = &dir->inode.fork[DATA_FORK];
	struct date_collector c = { geo, dir->ino, ret, 0 };
	int error;

	*ret = (struct dir_dates){ .index_broken = !geo->crc || !fork->whole };
	if (of->ok && of->format == FMT_LOCAL && geo->crc) {
		const uint64_t date = be64_get(mend_inode_disk(dir)->lsn);

		ret->in_inode = true;
		ret->inode.v = date ? date : NULL_LSN;
		return 0;
	}
	error = mend_dir_block_each(m, fork, 0, DIR_FREE_OFFSET >> geo->block_log, add_block, &c);
	ordered_sort(ret->hashes, ret->nhashes, MEMBERS(ELEMENT(ret->hashes)));
	ret->index_broken |= error == -E2BIG;
	return error == -E2BIG ? 0 : error;
}

void dir_dates_free(struct dir_dates *dates)
{
	free(dates->blocks);
	free(dates->hashes);
}

lsn_t dir_dates_of_name(const struct geometry *geo, const struct dir_dates *dates, const struct dir_name *name)
{
	const uint64_t bytes = (uint64_t)name->address * DIR_ALIGN;
	const uint64_t off = bytes / geo->dir_block_size << geo->dirblk_log;
	size_t at = ordered_find(dates->blocks, dates->count, MEMBER(dates->blocks, off), off);

	if (dates->in_inode)
		return dates->inode;
	if (!name->address || at == dates->count)
		return (lsn_t){ NULL_LSN };
	return dates->blocks[at].date;
}

lsn_t dir_dates_of_found(const struct geometry *geo, const struct dir_dates *dates, struct dir_names *names,
			 const struct found *found)
{
	const size_t at = dir_names_of_found(geo, names, found);
	const lsn_t date = at < names->count ? dir_dates_of_name(geo, dates, &names->names[at]) : (lsn_t){ NULL_LSN };

	return date.v == NULL_LSN ? (lsn_t){ 0 } : date;
}

/* True if a hash between leaves belongs to `leaf` rather than `than`: to the next one, or to the last. */
static bool is_nearer(const struct dir_date *leaf, const struct dir_date *than, uint32_t hash)
{
	const bool behind = leaf->last_hash >= hash, than_behind = than->last_hash >= hash;

	if (behind != than_behind)
		return behind;
	return behind ? leaf->last_hash < than->last_hash : leaf->last_hash > than->last_hash;
}

lsn_t dir_dates_of_hash(const struct dir_dates *dates, uint32_t hash)
{
	const struct dir_date *nearest = NULL;
	lsn_t date = { 0 }, data = { 0 };

	if (dates->in_inode)
		return dates->inode;
	for (size_t i = 0; i < dates->count; i++) {
		const struct dir_date *block = &dates->blocks[i];

		if (!block->leaf) {
			data.v = block->date.v > data.v ? block->date.v : data.v;
			continue;
		}
		if (!nearest || is_nearer(block, nearest, hash))
			nearest = block;
		if (block->first_hash <= hash && hash <= block->last_hash && block->date.v > date.v)
			date = block->date;
	}
	if (dates->index_broken)
		return (lsn_t){ NULL_LSN };
	if (nearest && nearest->date.v > date.v)
		date = nearest->date;
	return nearest ? date : data; /* in block form, the index is in the data block */
}

bool dir_dates_has_hash(const struct dir_dates *dates, uint32_t hash)
{
	return ordered_find(dates->hashes, dates->nhashes, ELEMENT(dates->hashes), hash) < dates->nhashes;
}

bool dir_dates_removed(const struct geometry *geo, const struct dir_dates *dates, const struct dir_name *name)
{
	const uint32_t hash = da_hashname(name->name, name->namelen, geo->ascii_ci);
	const lsn_t block = dir_dates_of_name(geo, dates, name), leaf = dir_dates_of_hash(dates, hash);

	/* a torn block has no LSN, and may have got the name later */
	return dates->nhashes && block.v && leaf.v != NULL_LSN && block.v < leaf.v && !dir_dates_has_hash(dates, hash);
}

/* Returns the LSN of the inode's attribute leaf; NULL_LSN: unknown, or there are several blocks. */
static lsn_t leaf_date(struct mend *m, const struct mend_inode *inode)
{
	const struct geometry *geo = &m->now->geo;
	const struct mend_fork *fork = &inode->fork[ATTR_FORK];
	const struct check check = check_silent(geo);
	lsn_t date = { NULL_LSN };
	uint8_t *block;
	xdaddr_t daddr;
	xino_t owner;

	if (!fork->whole || fork->count != 1 || fork->extents[0].len != 1 || fork->extents[0].off.v)
		return date;
	block = malloc(geo->block_size);
	daddr = daddr_of_fsbno(geo, fork->extents[0].start);
	if (block && !mend_read(m, block, bytes_of_daddr(daddr), geo->block_size) &&
	    da_identify(&check, block, geo->block_size) == DA_ATTR_LEAF &&
	    log_stamp_place(geo, block, geo->block_size, &daddr, &owner) && owner.v == inode->ino.v &&
	    daddr.v == daddr_of_fsbno(geo, fork->extents[0].start).v)
		date = log_stamp_lsn(geo, LB_ATTR_LEAF, block);
	free(block);
	return date;
}

lsn_t pptrs_date(struct mend *m, struct mend_inode *inode)
{
	lsn_t date = { be64_get(mend_inode_disk(inode)->lsn) };

	if (inode->inode.fork[ATTR_FORK].format != FMT_LOCAL) {
		const lsn_t leaf = leaf_date(m, inode);

		if (leaf.v == NULL_LSN || leaf.v < date.v)
			date.v = leaf.v == NULL_LSN ? 0 : leaf.v;
	}
	return date;
}

int dir_parent_dates(struct mend *m, xino_t ino, lsn_t *ret_pptr, lsn_t *ret_dotdot)
{
	struct dir_dates dates = { 0 };
	struct mend_inode dir;
	int ret = mend_inode_load(m, ino, &dir);

	ret_pptr->v = ret_dotdot->v = 0;
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	ret = dir_dates_collect(m, &dir, &dates);
	if (dates.in_inode)
		*ret_dotdot = dates.inode;
	else if (!ret && dates.count && !dates.blocks[0].off)
		*ret_dotdot = dates.blocks[0].date;
	if (ret_dotdot->v == NULL_LSN)
		ret_dotdot->v = 0;
	*ret_pptr = pptrs_date(m, &dir);
	dir_dates_free(&dates);
	mend_inode_free(&dir);
	return ret;
}

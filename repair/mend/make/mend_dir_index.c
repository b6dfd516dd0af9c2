/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The live entries of a directory's leaves, or of the end of its only block, for looking them up by address. */
#include "mend_dir_index.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "disk/da.h"
#include "disk/dir.h"
#include "libxfs/crc.h"
#include "libxfs/dir_build.h"
#include "mend/base/mend.h"
#include "mend_dir_block.h"
#include "repair.h"
#include "sets/sort.h"

struct index_collector {
	const struct geometry *geo;
	xino_t dir;
	struct dir_index *index;
	bool alone;    /* the directory has no block but its first, which has the index at its end */
	uint64_t most; /* entries that the data blocks have room for */
	uint32_t last; /* hash in the block */
	int error;
};

static void add_hash(void *ctx, uint32_t hash, uint32_t address)
{
	struct index_collector *c = ctx;
	struct dir_index *index = c->index;

	if (!c->error && index->count == c->most)
		c->error = -E2BIG; /* the extent map leads to the same leaves again and again */
	if (!c->error && array_grow(&index->entries, &index->room, index->count, sizeof(*index->entries)))
		c->error = -ENOMEM;
	if (!c->error)
		index->entries[index->count++] = (uint64_t)address << 32 | hash;
	index->unsound |= hash < c->last;
	c->last = hash;
}

static int add_block(void *ctx, uint64_t off, const struct mend_dir_block *block)
{
	struct index_collector *c = ctx;
	const struct check check = check_silent(c->geo);
	const struct da_expect expect = { c->dir, block->daddr, { (uint32_t)off }, DATA_FORK };
	struct dir_data data;
	struct dir_leaf leaf;

	c->last = 0;
	if (off && c->geo->crc)
		c->index->unsound |=
			!crc_is_right(block->bytes, c->geo->dir_block_size, offsetof(struct da_blkinfo_disk, crc));
	/* whose the block is, is not asked here: an index that does not go with the names is of no use */
	if (!off && c->alone)
		dir_build_header(c->geo, block->bytes, &expect, DA_DIR_BLOCK);
	if (!off)
		dir_block_decode(&check, block->bytes, &expect, dir_ignore_entry, add_hash, c, &data);
	else
		dir_leaf_decode(&check, block->bytes, &expect, add_hash, c, &leaf);
	return c->error;
}

int dir_index_collect(struct mend *m, const struct mend_inode *dir, struct dir_index *ret)
{
	const struct geometry *geo = &m->now->geo;
	const struct mend_fork *fork = &dir->fork[DATA_FORK];
	const uint64_t leaves = DIR_LEAF_OFFSET >> geo->block_log, end = DIR_FREE_OFFSET >> geo->block_log;
	struct index_collector c = { .geo = geo, .dir = dir->ino, .index = ret };
	int error;

	c.alone = fork->count && fork->extents[fork->count - 1].off.v < 1u << geo->dirblk_log;
	for (size_t i = 0; i < fork->count && fork->extents[i].off.v < leaves; i++)
		c.most += ((uint64_t)fork->extents[i].len << geo->block_log) / DIR_ENTRY_MIN;
	error = mend_dir_block_each(m, fork, 0, 1u << geo->dirblk_log, add_block, &c);
	if (!error)
		error = mend_dir_block_each(m, fork, leaves, end, add_block, &c);
	if (ret->count)
		sort_words(ret->entries, ret->count, 1);
	return error == -E2BIG ? 0 : error;
}

void dir_index_free(struct dir_index *index)
{
	free(index->entries);
}

static bool entry_below(const void *element, const void *key)
{
	return *(const uint64_t *)element >> 32 < *(const uint32_t *)key;
}

bool dir_index_hash(const void *ctx, uint32_t address, uint32_t *ret_hash)
{
	const struct dir_index *index = ctx;
	const uint64_t *entries = index->entries;
	size_t at = array_lower_bound(entries, index->count, sizeof(*entries), &address, entry_below);

	if (at == index->count || entries[at] >> 32 != address ||
	    (at + 1 < index->count && entries[at + 1] >> 32 == address))
		return false;
	*ret_hash = (uint32_t)entries[at];
	return true;
}

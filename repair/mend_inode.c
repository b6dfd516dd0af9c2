/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading an inode with its extents, and staging it again. */
#include "mend_inode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "libxfs/crc.h"
#include "libxfs/dinode.h"

struct load {
	struct mend *m;
	struct mend_inode *inode;
	enum fork fork;
	struct btree_expect *todo; /* blocks of the bmbt that are to be read */
	size_t ntodo, room;
	unsigned doubtful; /* of them: their keys were not as expected */
	int error;
};

uint64_t mend_inode_offset(const struct geometry *geo, xino_t ino)
{
	agino_t agino = agino_of_ino(geo, ino);
	uint64_t block = bytes_of_daddr(daddr_of(geo, agno_of_ino(geo, ino), agbno_of_agino(geo, agino)));

	return block + ((uint64_t)(agino.v & (geo->inodes_per_block - 1)) << geo->inode_log);
}

static void add_extent(void *ctx, const struct bmap_record *record)
{
	struct load *load = ctx;
	struct mend_fork *fork = &load->inode->fork[load->fork];

	if (load->error)
		return;
	load->error = array_grow(&fork->extents, &fork->room, fork->count, sizeof(*fork->extents));
	if (!load->error)
		fork->extents[fork->count++] = *record;
}

static void add_record(void *ctx, const union btree_record *record, uint32_t index)
{
	(void)index;
	add_extent(ctx, &record->bmap);
}

#define DOUBTFUL_MAX 64u

static void add_child(void *ctx, const struct btree_expect *child)
{
	struct load *load = ctx;

	if (load->error)
		return;
	/* where keys are out of order the tree may lead back to itself */
	if (!child->keys_ok && load->doubtful++ >= DOUBTFUL_MAX) {
		load->inode->fork[load->fork].whole = false;
		return;
	}
	load->error = array_grow(&load->todo, &load->room, load->ntodo, sizeof(*load->todo));
	if (!load->error)
		load->todo[load->ntodo++] = *child;
}

/* The blocks below the root. A tree has no more of them than the file system has blocks. */
static int load_tree(struct load *load, const struct check *check, const struct dinode_fork *of)
{
	const struct geometry *geo = check->geo;
	const struct btree_visitor visitor = { load, add_record, add_child, NULL };
	const struct btree_expect root = { .kind = BT_BMAP, .owner = load->inode->ino.v, .rules = &of->rules };
	struct mend_fork *fork = &load->inode->fork[load->fork];
	uint8_t *block = malloc(geo->block_size), level;
	struct btree_block found;

	if (!block)
		return -ENOMEM;
	fork->whole = bmdr_decode(check, of->bytes, of->size, &root, &visitor, &found, &level);
	for (size_t i = 0; i < load->ntodo && !load->error; i++) {
		struct btree_expect expect = load->todo[i];
		uint64_t offset = bytes_of_daddr(daddr_of(geo, expect.agno, expect.agbno));

		fork->nodes++;
		if (fork->nodes > geo->dblocks || mend_read(load->m, block, offset, geo->block_size) ||
		    !btree_decode(check, block, &expect, &visitor, &found))
			fork->whole = false;
		if (fork->nodes > geo->dblocks)
			break;
	}
	free(block);
	return load->error;
}

static int extent_order(const void *a, const void *b)
{
	const struct bmap_record *x = a, *y = b;

	return (x->off.v > y->off.v) - (x->off.v < y->off.v);
}

static int load_fork(struct load *load, const struct check *check)
{
	const struct dinode_fork *of = &load->inode->inode.fork[load->fork];
	struct mend_fork *fork = &load->inode->fork[load->fork];
	int ret = 0;

	fork->whole = of->ok || !of->present;
	if (!of->present || !of->ok)
		return 0;
	if (of->format == FMT_EXTENTS)
		bmap_inline_decode(check, of->bytes, of->size, of->nextents, &of->rules, add_extent, load);
	else if (of->format == FMT_BTREE)
		ret = load_tree(load, check, of);
	if (fork->count)
		qsort(fork->extents, fork->count, sizeof(*fork->extents), extent_order);
	fork->tree = load->todo;
	fork->ntree = load->ntodo;
	return ret ? ret : load->error;
}

int mend_inode_read(struct mend *m, xino_t ino, struct mend_inode *ret)
{
	const struct geometry *geo = &m->now->geo;
	int error;

	*ret = (struct mend_inode){ .ino = ino };
	if (!ino_valid(geo, ino))
		return -ENOENT;
	ret->bytes = malloc(geo->inode_size);
	if (!ret->bytes)
		return -ENOMEM;
	error = mend_read(m, ret->bytes, mend_inode_offset(geo, ino), geo->inode_size) ? -ENOENT : 0;
	if (error)
		mend_inode_free(ret);
	return error;
}

int mend_inode_load(struct mend *m, xino_t ino, struct mend_inode *ret)
{
	const struct check check = check_silent(&m->now->geo);
	int error = mend_inode_read(m, ino, ret);

	if (error)
		return error;
	if (!dinode_decode(&check, ret->bytes, ino, true, &ret->inode))
		error = -ENOENT;
	for (unsigned fork = DATA_FORK; fork <= ATTR_FORK && !error; fork++) {
		struct load load = { .m = m, .inode = ret, .fork = fork };

		error = load_fork(&load, &check);
	}
	if (error)
		mend_inode_free(ret);
	return error;
}

void mend_inode_free(struct mend_inode *inode)
{
	free(inode->bytes);
	free(inode->fork[DATA_FORK].extents);
	free(inode->fork[ATTR_FORK].extents);
	free(inode->fork[DATA_FORK].tree);
	free(inode->fork[ATTR_FORK].tree);
}

int mend_inode_store(struct mend *m, struct mend_inode *inode)
{
	const struct geometry *geo = &m->now->geo;
	uint64_t offset = mend_inode_offset(geo, inode->ino), start = offset & ~(uint64_t)(SECTOR_SIZE - 1);
	uint8_t sectors[4096]; /* inodes have 256 to 2048 bytes */
	size_t len = geo->inode_size < SECTOR_SIZE ? SECTOR_SIZE : geo->inode_size;
	int ret = 0;

	/* a neighbour that can't be read is zeroes from now on: lost, as the next check finds */
	if (len > geo->inode_size && mend_read(m, sectors, start, len) == -ENOMEM)
		ret = -ENOMEM;
	if (geo->crc)
		crc_store(inode->bytes, geo->inode_size, offsetof(struct dinode_disk, crc));
	memcpy(sectors + (offset - start), inode->bytes, geo->inode_size);
	return ret ? ret : mend_write(m, sectors, start, len);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes an extent map: as records in the inode, or as a bmbt in new blocks (ondisk 05). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libxfs/bmap_build.h"
#include "mend/base/mend_map.h"
#include "mend/collect/mend_inode.h"
#include "mend_space.h"
#include "repair.h"

/* A level of a new bmbt. */
struct level {
	struct bmbt_child *children; /* its blocks, as records for their parents */
	uint32_t count;
};

/* Returns the number of items in block `index` when all items are divided evenly. */
static uint32_t share(uint64_t items, uint32_t blocks, uint32_t index)
{
	return (uint32_t)(items / blocks) + (index < items % blocks);
}

static int write_block(struct mend *m, const uint8_t *block, fsbno_t fsbno)
{
	const struct geometry *geo = &m->now->geo;

	return mend_own_write(m, block, bytes_of_daddr(daddr_of_fsbno(geo, fsbno)), geo->block_size);
}

/* Returns how many blocks a level needs for this many items; depth 0: leaves. */
static uint32_t level_blocks(const struct geometry *geo, unsigned depth, uint64_t items)
{
	const uint32_t room = depth ? bmbt_node_room(geo) : bmbt_leaf_room(geo);

	return (uint32_t)((items + room - 1) / room);
}

/* Writes a level to the first of these blocks: leaves with the extents (depth 0), or nodes above the level `below`. */
static int write_level(struct mend *m, xino_t owner, unsigned depth, const struct level *below,
		       const struct bmap_record *extents, uint64_t items, const fsbno_t *blocks,
		       struct level *ret_level)
{
	const struct geometry *geo = &m->now->geo;
	struct level level = { .count = level_blocks(geo, depth, items) };
	uint8_t *block = malloc(geo->block_size);
	uint64_t next = 0;
	int ret = -ENOMEM;

	level.children = calloc(level.count, sizeof(*level.children));
	if (block && level.children)
		ret = 0;
	for (uint32_t i = 0; i < level.count && !ret; i++) {
		uint32_t count = share(items, level.count, i);
		const struct bmbt_place place = {
			owner,
			blocks[i],
			{ i ? blocks[i - 1].v : NULL_FSBNO },
			{ i + 1 < level.count ? blocks[i + 1].v : NULL_FSBNO },
		};

		if (depth)
			bmbt_build_node(geo, block, &place, depth, below->children + next, count);
		else
			bmbt_build_leaf(geo, block, &place, extents + next, count);
		level.children[i].first = depth ? below->children[next].first : extents[next].off;
		level.children[i].block = blocks[i];
		next += count;
		ret = write_block(m, block, blocks[i]);
	}
	free(block);
	*ret_level = level;
	return ret;
}

/* Returns how many blocks below its root a bmbt with this many extents has. */
static uint32_t tree_blocks(const struct geometry *geo, uint64_t extents, uint32_t root_room)
{
	uint64_t items = extents;
	uint32_t blocks = 0;

	for (unsigned depth = 0; !depth || items > root_room; depth++) {
		items = level_blocks(geo, depth, items);
		blocks += (uint32_t)items;
	}
	return blocks;
}

/*
 * Writes a new bmbt with its root in the inode.  All blocks are allocated before any is written.  *ret_count: their
 * number.  0, -ENOSPC or another negative errno.
 */
static int write_tree(struct mend *m, struct mend_inode *inode, enum fork fork, const struct bmap_record *extents,
		      size_t count, uint64_t *ret_count)
{
	const struct dinode_fork *of = &inode->inode.fork[fork];
	const uint32_t root_room = bmbt_root_room(of->size), need = tree_blocks(&m->now->geo, count, root_room);
	fsbno_t *blocks = calloc(need, sizeof(*blocks));
	struct level below = { 0 };
	uint64_t items = count;
	unsigned depth = 0;
	int ret = blocks ? mend_fork_blocks(m, inode, fork, extents, count, blocks, need) : -ENOMEM;

	for (uint32_t done = 0; done < need && !ret; done += below.count) {
		struct level level;

		ret = write_level(m, inode->ino, depth++, &below, extents, items, blocks + done, &level);
		free(below.children);
		below = level;
		items = level.count;
	}
	if (!ret)
		bmbt_build_root(inode->bytes + (of->bytes - inode->bytes), of->size, depth, below.children,
				below.count);
	free(below.children);
	free(blocks);
	*ret_count = need;
	return ret;
}

void mend_fork_put_count(struct mend_inode *inode, enum fork fork, uint64_t count)
{
	struct dinode_disk *disk = mend_inode_disk(inode);
	bool large = be64_get(disk->flags2) & DIFLAG2_NREXT64;

	if (disk->version < DINODE_VERSION)
		large = false;
	if (fork == DATA_FORK && large)
		disk->large_nextents = be64_put(count);
	else if (fork == DATA_FORK || large)
		disk->nextents = be32_put((uint32_t)count);
	else
		disk->anextents = be16_put((uint16_t)count);
}

void mend_fork_claims(struct mend *m, const struct mend_inode *inode, enum fork fork, const struct bmap_record *extents,
		      size_t count)
{
	if (inode->inode.fork[fork].rules.realtime) {
		mend_space_forget_rt(m);
		return;
	}
	for (size_t i = 0; i < count; i++)
		mend_space_claim(m, extents[i].start, extents[i].len);
}

int mend_inode_claims(struct mend *m, xino_t ino)
{
	const struct geometry *geo = &m->now->geo;
	struct mend_inode inode;
	bool whole = true;
	int ret = mend_inode_load(m, ino, &inode);

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	for (unsigned which = DATA_FORK; which <= ATTR_FORK; which++) {
		const struct mend_fork *fork = &inode.fork[which];

		mend_fork_claims(m, &inode, which, fork->extents, fork->count);
		for (size_t i = 0; i < fork->ntree; i++)
			mend_space_claim(m, fsbno_of(geo, fork->tree[i].agno, fork->tree[i].agbno), 1);
		whole &= fork->whole;
	}
	mend_inode_free(&inode);
	return whole ? ino_set_put(&m->round.blocks_reported, ino) : 0;
}

int mend_fork_store(struct mend *m, struct mend_inode *inode, enum fork fork, const struct bmap_record *extents,
		    size_t count)
{
	const struct dinode_fork *of = &inode->inode.fork[fork];
	struct mend_fork *old = &inode->fork[fork];
	struct dinode_disk *disk = mend_inode_disk(inode);
	uint8_t *bytes = inode->bytes + (of->bytes - inode->bytes);
	uint64_t tree = 0;
	uint8_t format = DINODE_FMT_EXTENTS;
	int ret = 0;

	if (count * sizeof(struct bmbt_rec_disk) <= of->size) {
		memset(bytes, 0, of->size);
		for (size_t i = 0; i < count; i++) {
			const struct bmbt_rec_disk record = bmap_record_put(&extents[i]);

			memcpy(bytes + i * sizeof(record), &record, sizeof(record));
		}
	} else {
		format = DINODE_FMT_BTREE;
		ret = write_tree(m, inode, fork, extents, count, &tree);
	}
	if (ret)
		return ret;
	if (fork == DATA_FORK)
		disk->format = format;
	else
		disk->aformat = format;
	mend_fork_put_count(inode, fork, count);
	mend_fork_claims(m, inode, fork, extents, count);
	disk->nblocks = be64_put(be64_get(disk->nblocks) - mend_map_blocks(old->extents, old->count) - old->nodes +
				 mend_map_blocks(extents, count) + tree);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gives the blocks of a fork's bmbt another owner (ondisk 11, "INODE": DOWNER, AOWNER).  That is needed when two files
 * have exchanged their extents, since then only the inodes are in the log.
 */
#include "replay.h"

#include <stdlib.h>

#include "array.h"
#include "disk/bmbt.h"
#include "disk/btree.h"
#include "disk/inode.h"
#include "libxfs/crc.h"

/* Blocks to visit, with the levels that they must have. */
struct todo {
	struct entry {
		fsbno_t block;
		uint32_t level;
	} * entries;
	size_t count, room;
	uint64_t budget; /* blocks that may still be visited: a tree has no more than the inode, unless it loops */
};

/* Adds the children of `count` pointers at `pointers`. */
static int add_children(struct replay *r, struct todo *todo, const uint8_t *pointers, uint32_t count, uint32_t level)
{
	for (uint32_t i = 0; i < count; i++) {
		fsbno_t block = { be64_get(*(const be64_t *)(pointers + i * sizeof(be64_t))) };

		if (!fsb_range_valid(&r->geo, block, 1) || !todo->budget) {
			problem(&r->check, F_LOG_REPLAY_BMBT, 0, block.v, level);
			return 0;
		}
		todo->budget--;
		if (array_add(todo->entries, todo->room, todo->count, (struct entry){ block, level }))
			return -ENOMEM;
	}
	return 0;
}

/* Changes the owner of one block, and adds its children. */
static int change_block(struct replay *r, struct todo *todo, const struct entry *entry, xino_t ino)
{
	const struct geometry *geo = &r->geo;
	struct btree_long_disk *block = (struct btree_long_disk *)r->buffer;
	uint64_t offset = bytes_of_daddr(daddr_of_fsbno(geo, entry->block));
	uint32_t max = geo->btree[BT_BMAP].node_max, numrecs, level;
	bool ok;
	int ret = replay_read(r, r->buffer, offset, geo->block_size, &ok);

	if (ret || !ok)
		return ret;
	numrecs = be16_get(block->numrecs);
	level = be16_get(block->level);
	if (be32_get(block->magic) != BMBT_MAGIC || level != entry->level || (level && numrecs > max)) {
		problem(&r->check, F_LOG_REPLAY_BMBT, 0, entry->block.v, entry->level);
		return 0;
	}
	if (level)
		ret = add_children(r, todo, r->buffer + sizeof(*block) + max * sizeof(struct bmbt_key_disk), numrecs,
				   level - 1);
	if (ret || be64_get(block->owner) == ino.v)
		return ret;
	block->owner = be64_put(ino.v);
	crc_store(block, geo->block_size, offsetof(struct btree_long_disk, crc));
	return replay_write(r, r->buffer, offset, geo->block_size);
}

int replay_owner(struct replay *r, const uint8_t *dinode, xino_t ino, enum fork fork)
{
	const struct dinode_disk *disk = (const struct dinode_disk *)dinode;
	uint32_t core = sizeof(*disk), room = r->geo.inode_size - core, start = core;
	uint32_t data = disk->forkoff * 8u, level, numrecs, max;
	struct todo todo = { .budget = be64_get(disk->nblocks) };
	const struct bmdr_disk *root;
	int ret;

	if ((fork == DATA_FORK ? disk->format : disk->aformat) != DINODE_FMT_BTREE || data >= room)
		return 0; /* the fork has changed since, and has no bmbt */
	if (fork == ATTR_FORK)
		start += data;
	room = fork == ATTR_FORK || !data ? room - data : data;
	root = (const struct bmdr_disk *)(dinode + start);
	level = be16_get(root->level);
	numrecs = be16_get(root->numrecs);
	max = (room - (uint32_t)sizeof(*root)) / (uint32_t)(sizeof(struct bmbt_key_disk) + sizeof(be64_t));
	if (!level || level >= r->geo.btree[BT_BMAP].max_level || numrecs > max) {
		problem(&r->check, F_LOG_REPLAY_BMBT, 0, ino.v, level);
		return 0;
	}
	ret = add_children(r, &todo, dinode + start + sizeof(*root) + max * sizeof(struct bmbt_key_disk), numrecs,
			   level - 1);
	while (todo.count && !ret) {
		const struct entry entry = todo.entries[--todo.count];

		ret = change_block(r, &todo, &entry, ino);
	}
	free(todo.entries);
	return ret;
}

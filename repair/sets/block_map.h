/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of blocks of a group, or of a part of it: a bit for each block. */
#ifndef XFSCK_REPAIR_BLOCK_MAP_H
#define XFSCK_REPAIR_BLOCK_MAP_H

#include <stdbool.h>
#include <stdint.h>

#define BLOCK_MAP_WORD 64u /* blocks to a word */

/* Blocks [from, to). */
struct block_map {
	uint64_t *bits;
	uint64_t from, to;
};

/* Make an empty set of blocks [from, to). 0 or -ENOMEM; it may be freed in either case. */
int block_map_new(struct block_map *map, uint64_t from, uint64_t to);
void block_map_free(struct block_map *map);
/* Set or clear `len` blocks; those outside of the map are ignored. */
void block_map_set(struct block_map *map, uint64_t start, uint64_t len, bool value);
/* Set `len` blocks likewise; other threads may do so at the same time. */
void block_map_mark(const struct block_map *map, uint64_t start, uint64_t len);
/* The same; blocks that were set before are also set in `again`, a map of the same blocks. */
void block_map_mark_again(const struct block_map *map, const struct block_map *again, uint64_t start, uint64_t len);
/* Set, or clear, all blocks that are set in another map of the same blocks. */
void block_map_unite(struct block_map *map, const struct block_map *other);
void block_map_subtract(struct block_map *map, const struct block_map *other);
/* Whether a block is set in both maps, which are of the same blocks. */
bool block_map_meets(const struct block_map *map, const struct block_map *other);
/* How many blocks are set. */
uint64_t block_map_count(const struct block_map *map);
bool block_map_get(const struct block_map *map, uint64_t block);
/*
 * The first block, not before `from` (which must not lie before the map), that is set in this map or the other one of
 * the same blocks; or, unless `set`, in neither.  If there is none, the map's `to`.
 */
uint64_t block_map_next(const struct block_map *map, const struct block_map *other, uint64_t from, bool set);

#endif

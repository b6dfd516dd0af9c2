/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of blocks of a group, or of a part of it: a bit for each block. */
#ifndef XFSCK_REPAIR_BLOCK_MAP_H
#define XFSCK_REPAIR_BLOCK_MAP_H

#include <stdbool.h>
#include <stdint.h>

#define BLOCK_MAP_WORD 64u /* blocks in a word */

/* A set of blocks in [from, to). */
struct block_map {
	uint64_t *bits;
	uint64_t from, to;
};

/* Makes an empty set for blocks [from, to).  Returns 0 or -ENOMEM; it may be freed in either case. */
int block_map_new(struct block_map *map, uint64_t from, uint64_t to);
void block_map_free(struct block_map *map);
/* Sets or clears `len` blocks; those outside of the map are ignored. */
void block_map_set(struct block_map *map, uint64_t start, uint64_t len, bool value);
/* Sets `len` blocks in the same way; other threads may do so at the same time. */
void block_map_mark(const struct block_map *map, uint64_t start, uint64_t len);
/* Does the same; blocks that were set before are also set in `again`, a map of the same range. */
void block_map_mark_again(const struct block_map *map, const struct block_map *again, uint64_t start, uint64_t len);
/* Set, or clear, all blocks that are set in another map of the same range. */
void block_map_unite(struct block_map *map, const struct block_map *other);
void block_map_subtract(struct block_map *map, const struct block_map *other);
/* True if a block is set in both maps, which have the same range. */
bool block_map_meets(const struct block_map *map, const struct block_map *other);
/* Returns how many blocks are set. */
uint64_t block_map_count(const struct block_map *map);
bool block_map_get(const struct block_map *map, uint64_t block);
/*
 * Returns the first block from `from` on that is set in either of two maps of the same range, or, unless `set`, in
 * neither; if there is none, map->to.  from: not before the map.
 */
uint64_t block_map_next(const struct block_map *map, const struct block_map *other, uint64_t from, bool set);

#endif

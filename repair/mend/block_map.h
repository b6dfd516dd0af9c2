/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bit per block of a group, or of a part of it. */
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

/* None of them is set. 0 or -ENOMEM. */
int block_map_new(struct block_map *map, uint64_t from, uint64_t to);
void block_map_free(struct block_map *map);
/* Set or clear `len` blocks, as far as the map has them. */
void block_map_set(struct block_map *map, uint64_t start, uint64_t len, bool value);
/* Set them while other threads do the same. */
void block_map_mark(const struct block_map *map, uint64_t start, uint64_t len);
/* The same; those that were set before are set in another map, of the same blocks, too. */
void block_map_mark_again(const struct block_map *map, const struct block_map *again, uint64_t start, uint64_t len);
/* Set what is set in another map of the same blocks, or clear it. */
void block_map_unite(struct block_map *map, const struct block_map *other);
void block_map_subtract(struct block_map *map, const struct block_map *other);
/* Whether any of them is set in another map of the same blocks, too. */
bool block_map_meets(const struct block_map *map, const struct block_map *other);
bool block_map_get(const struct block_map *map, uint64_t block);
/*
 * The first block, from one on that is not before the map's, that is set in this map or another of the same blocks, or,
 * unless `set`, in neither. The map's `to`: there is none.
 */
uint64_t block_map_next(const struct block_map *map, const struct block_map *other, uint64_t from, bool set);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bit per block of an AG. */
#ifndef XFSCK_REPAIR_BLOCK_MAP_H
#define XFSCK_REPAIR_BLOCK_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct block_map {
	uint64_t *bits;
	uint32_t blocks;
};

/* Room for all blocks of an AG, none set. 0 or -ENOMEM. */
int block_map_new(struct block_map *map, uint32_t blocks);
void block_map_free(struct block_map *map);
/* Set or clear [start, start + len), as far as it lies in the AG. */
void block_map_set(struct block_map *map, uint64_t start, uint64_t len, bool value);
bool block_map_get(const struct block_map *map, uint64_t block);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which blocks of an AG are something. */
#include "block_map.h"

#include <errno.h>
#include <stdlib.h>

int block_map_new(struct block_map *map, uint32_t blocks)
{
	*map = (struct block_map){ calloc(blocks / 64 + 1, sizeof(*map->bits)), blocks };
	return map->bits ? 0 : -ENOMEM;
}

void block_map_free(struct block_map *map)
{
	free(map->bits);
	*map = (struct block_map){ 0 };
}

void block_map_set(struct block_map *map, uint64_t start, uint64_t len, bool value)
{
	for (uint64_t b = start; b < map->blocks && b - start < len; b++) {
		uint64_t bit = 1ull << b % 64;

		if (value)
			map->bits[b / 64] |= bit;
		else
			map->bits[b / 64] &= ~bit;
	}
}

bool block_map_get(const struct block_map *map, uint64_t block)
{
	return block < map->blocks && map->bits[block / 64] >> block % 64 & 1;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where in a file the bytes of a sparse device lie: extents, of which a later one of the file covers earlier ones.
 * Units are sectors of SECTOR_SIZE for addresses and lengths, bytes for places in the file.
 */
#ifndef XFSCK_CACHE_EXTENT_MAP_H
#define XFSCK_CACHE_EXTENT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_extent {
	uint64_t addr; /* sector */
	uint64_t len;  /* sectors, not 0; addr + len does not overflow */
	uint64_t at;   /* in the file: byte */
};

/* Begin with all zero; extent_map_free() ends it. */
struct extent_map {
	struct map_extent *extents;
	size_t count, room;
};

/* Add an extent, in the order of the file. 0 or -ENOMEM. */
int extent_map_add(struct extent_map *map, const struct map_extent *extent);
/* When all are added: sort them by address, and drop what later ones cover. 0 or -ENOMEM. */
int extent_map_settle(struct extent_map *map);
void extent_map_free(struct extent_map *map);

/* Of a settled map: the first extent that ends behind this sector, or NULL. */
const struct map_extent *extent_map_from(const struct extent_map *map, uint64_t sector);
/* The extent behind one, or NULL. */
const struct map_extent *extent_map_next(const struct extent_map *map, const struct map_extent *extent);
/* The end of the last extent: sector; 0: there is none. */
uint64_t extent_map_end(const struct extent_map *map);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where in a file the bytes of a sparse device lie: extents, of which a later one of the file covers earlier ones.
 * Units are sectors of SECTOR_SIZE for addresses and lengths, bytes for places in the file.  Extents beyond what may be
 * in memory are kept in a temporary file.
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

/* Extents in a temporary file, in runs of sorted ones. */
struct map_file {
	bool open;
	int fd;
	uint64_t count; /* extents */
	uint64_t *runs; /* where each run ends: extents */
	size_t nruns, room;
};

/* Begin with all zero but `most`; extent_map_free() ends it. */
struct extent_map {
	size_t most; /* extents in memory at a time, at least 2; 0: as many as there are */
	struct map_extent *extents;
	size_t count, room; /* of those in memory: all, unless `file` is open */
	struct map_file file;
	uint64_t *ends; /* of a settled map in a file: where each MAP_BLOCK extents end, in sectors */
	size_t nends, ends_room;
	uint64_t end; /* of a settled map: where its last extent ends, in sectors; 0: there is none */
};

/* Add an extent, in the order of the file. 0 or a negative errno. */
int extent_map_add(struct extent_map *map, const struct map_extent *extent);
/* When all are added: sort them by address, and drop what later ones cover. 0 or a negative errno. */
int extent_map_settle(struct extent_map *map);
void extent_map_free(struct extent_map *map);

#define MAP_BLOCK 128u /* extents that are read from a file at a time */

/* A walk along a settled map. */
struct map_walk {
	const struct extent_map *map;
	uint64_t next;		/* extent */
	uint64_t first, loaded; /* of those in `block`, and how many; 0: none yet */
	int error;		/* negative errno: the file could not be read */
	struct map_extent block[MAP_BLOCK];
};

/* Begin with the first extent that ends behind this sector. */
void extent_map_from(const struct extent_map *map, uint64_t sector, struct map_walk *ret_walk);
/* The next extent.  False: there is none, or walk->error. */
bool extent_map_next(struct map_walk *walk, struct map_extent *ret_extent);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps bytes of a sparse device to a file: extents, of which later ones in the file override earlier ones. Addresses
 * and lengths are in sectors of SECTOR_SIZE, file positions in bytes. Extents beyond the memory limit are in a
 * temporary file.
 */
#ifndef XFSCK_CACHE_EXTENT_MAP_H
#define XFSCK_CACHE_EXTENT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_extent {
	uint64_t addr; /* sector */
	uint64_t len;  /* sectors, at least 1; addr + len does not overflow */
	uint64_t at;   /* byte in the file */
};

/* Extents in a temporary file, in sorted runs. */
struct map_file {
	bool open;
	int fd;
	uint64_t count; /* number of extents */
	uint64_t *runs; /* end of each run, in extents */
	size_t nruns, room;
};

/* Start with all members 0 except `most`; end with extent_map_free(). */
struct extent_map {
	size_t most; /* the most extents in memory, at least 2; 0: no limit */
	struct map_extent *extents;
	size_t count, room; /* those in memory: all, unless `file` is open */
	struct map_file file;
	uint64_t *ends; /* if settled in a file: end of each MAP_BLOCK extents, in sectors */
	size_t nends, ends_room;
	uint64_t end; /* if settled: end of the last extent, in sectors; 0: no extents */
};

/* Adds an extent; call it in file order. 0 or a negative errno. */
int extent_map_add(struct extent_map *map, const struct map_extent *extent);
/* Sorts the extents by address and removes overridden parts, after all were added. 0 or a negative errno. */
int extent_map_settle(struct extent_map *map);
void extent_map_free(struct extent_map *map);

#define MAP_BLOCK 128u /* extents read from the file at a time */

/* A walk through a settled map. */
struct map_walk {
	const struct extent_map *map;
	uint64_t next;		/* number of the next extent */
	uint64_t first, loaded; /* number of the first extent in `block`, and how many it has */
	int error;		/* negative errno: the file could not be read */
	struct map_extent block[MAP_BLOCK];
};

/* Starts at the first extent that ends after this sector. */
void extent_map_from(const struct extent_map *map, uint64_t sector, struct map_walk *ret_walk);
/* Gets the next extent. False: there is none, or walk->error is set. */
bool extent_map_next(struct map_walk *walk, struct map_extent *ret_extent);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A map of the AGs for people: each AG is divided into cells, and each cell counts its blocks by use. It takes at most
 * 2.6 MB, or 640 bytes per AG beyond 4,096 AGs.
 */
#ifndef XFSCK_REPAIR_GROUP_MAP_H
#define XFSCK_REPAIR_GROUP_MAP_H

#include "geometry.h"
#include "place.h"

#define MAP_CELLS_MOST 1024u /* per AG */

enum map_use {
	MAP_METADATA,
	MAP_LOG,
	MAP_DATA, /* file data and directory blocks */
	MAP_FREE,
	MAP_USES,
};

struct map_cell {
	uint64_t blocks[MAP_USES]; /* a shared block counts once for each file */
	bool damaged, rebuilt;	   /* a finding, or a fix, is about this cell */
};

struct group_map {
	struct geometry geo;
	uint32_t cells;		  /* per AG */
	uint32_t blocks_per_cell; /* the last cell of an AG may have fewer */
	struct map_cell *all;	  /* by AG */
};

/* NULL: out of memory. */
struct group_map *group_map_new(const struct geometry *geo);
void group_map_free(struct group_map *map);

/* Counts blocks of an AG; ignores those beyond its end. Threads may call it concurrently. */
void group_map_add(struct group_map *map, enum map_use use, group_t group, gbno_t start, uint64_t len);

/* Save the counts, or replace them by saved ones. No worker may count meanwhile. */
struct loader;
struct saver;
void group_map_save(const struct group_map *map, struct saver *s);
void group_map_load(struct group_map *map, struct loader *l);

enum map_mark {
	MAP_DAMAGED,
	MAP_REBUILT,
};
/* Marks the cell of a place: of its block, else of its inode, else of the AG headers. map may be NULL. */
void group_map_mark(struct group_map *map, enum map_mark mark, const struct place *place);

/* Returns the first cell of an AG. */
const struct map_cell *group_map_of(const struct group_map *map, uint32_t agno);
/* Returns the number of blocks of a cell. */
uint64_t group_map_blocks(const struct group_map *map, uint32_t agno, uint32_t cell);

#endif

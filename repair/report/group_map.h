/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A map of the allocation groups for people: each group is cut into cells of so many blocks, and each cell counts which
 * of its blocks are used for what.  It takes 2.6 MB at most, or 640 bytes for each group
 * if there are more than 4,096.
 */
#ifndef XFSCK_REPAIR_GROUP_MAP_H
#define XFSCK_REPAIR_GROUP_MAP_H

#include "geometry.h"
#include "place.h"

#define MAP_CELLS_MOST 1024u /* of a group */

enum map_use {
	MAP_METADATA,
	MAP_LOG,
	MAP_DATA, /* of files, and names in directories */
	MAP_FREE,
	MAP_USES,
};

struct map_cell {
	uint64_t blocks[MAP_USES]; /* a block that files share counts for each of them */
	bool damaged, rebuilt;	   /* a finding, or a fix, is about something in it */
};

struct group_map {
	struct geometry geo;
	uint32_t cells;		  /* of a group */
	uint32_t blocks_per_cell; /* the last cells of a group may have fewer, or none */
	struct map_cell *all;	  /* group by group */
};

/* NULL: out of memory. */
struct group_map *group_map_new(const struct geometry *geo);
void group_map_free(struct group_map *map);

/* Count blocks of a group; those that it does not have are left out.  Several threads may call it at a time. */
void group_map_add(struct group_map *map, enum map_use use, group_t group, gbno_t start, uint64_t len);

/* While no worker counts: save the counts; replace them by saved ones. */
struct loader;
struct saver;
void group_map_save(const struct group_map *map, struct saver *s);
void group_map_load(struct group_map *map, struct loader *l);

enum map_mark {
	MAP_DAMAGED,
	MAP_REBUILT,
};
/* Mark where a place is: its block, else that of its inode, else the headers of its group.  map may be NULL. */
void group_map_mark(struct group_map *map, enum map_mark mark, const struct place *place);

/* Returns the first cell of a group. */
const struct map_cell *group_map_of(const struct group_map *map, uint32_t agno);
/* Returns how many blocks a cell of a group has. */
uint64_t group_map_blocks(const struct group_map *map, uint32_t agno, uint32_t cell);

#endif

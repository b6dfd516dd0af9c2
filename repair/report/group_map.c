/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts blocks in cells, which are larger if there are many AGs, so that memory stays bounded. */
#include "group_map.h"

#include <stdlib.h>

#include "sets/save.h"

#define CELLS_OF_ALL 65536u
#define CELLS_LEAST  16u

#define MAP_BLOCKS_MOST (1ull << 52) /* of a cell, if each block counts as often as a refcount allows */

struct group_map *group_map_new(const struct geometry *geo)
{
	struct group_map *map = calloc(1, sizeof(*map));
	uint32_t most = CELLS_OF_ALL / (geo->agcount ? geo->agcount : 1);

	if (!map)
		return NULL;
	if (most > MAP_CELLS_MOST)
		most = MAP_CELLS_MOST;
	if (most < CELLS_LEAST)
		most = CELLS_LEAST;
	map->geo = *geo;
	map->blocks_per_cell = (uint32_t)(((uint64_t)geo->agblocks + most - 1) / most);
	if (!map->blocks_per_cell)
		map->blocks_per_cell = 1;
	map->cells = (uint32_t)(((uint64_t)geo->agblocks + map->blocks_per_cell - 1) / map->blocks_per_cell);
	map->all = calloc((size_t)geo->agcount * map->cells + 1, sizeof(*map->all));
	if (map->all)
		return map;
	free(map);
	return NULL;
}

void group_map_free(struct group_map *map)
{
	if (map)
		free(map->all);
	free(map);
}

const struct map_cell *group_map_of(const struct group_map *map, uint32_t agno)
{
	return &map->all[(size_t)agno * map->cells];
}

uint64_t group_map_blocks(const struct group_map *map, uint32_t agno, uint32_t cell)
{
	const uint64_t length = group_length(&map->geo, group_of_ag((agno_t){ agno }));
	const uint64_t start = (uint64_t)cell * map->blocks_per_cell;

	if (start >= length)
		return 0;
	return length - start < map->blocks_per_cell ? length - start : map->blocks_per_cell;
}

void group_map_add(struct group_map *map, enum map_use use, group_t group, gbno_t start, uint64_t len)
{
	const uint64_t length = group.v < map->geo.agcount ? group_length(&map->geo, group) : 0;
	struct map_cell *cells;
	uint64_t at = start.v;

	if (at >= length)
		return;
	cells = &map->all[(size_t)group.v * map->cells];
	if (len > length - at)
		len = length - at;
	while (len) {
		const uint64_t room = map->blocks_per_cell - at % map->blocks_per_cell, n = len < room ? len : room;

		__atomic_fetch_add(&cells[at / map->blocks_per_cell].blocks[use], n, __ATOMIC_RELAXED);
		at += n;
		len -= n;
	}
}

void group_map_mark(struct group_map *map, enum map_mark mark, const struct place *place)
{
	uint64_t block = 0;
	struct map_cell *cell;

	if (!map || place->agno.v >= map->geo.agcount)
		return;
	if (place->agbno.v != NULL_AGBNO)
		block = place->agbno.v;
	else if (place->ino.v != NULL_INO && ino_valid(&map->geo, place->ino))
		block = agbno_of_agino(&map->geo, agino_of_ino(&map->geo, place->ino)).v;
	if (block / map->blocks_per_cell >= map->cells)
		return;
	cell = &map->all[(size_t)place->agno.v * map->cells + block / map->blocks_per_cell];
	cell->damaged |= mark == MAP_DAMAGED;
	cell->rebuilt |= mark == MAP_REBUILT;
}

void group_map_save(const struct group_map *map, struct saver *s)
{
	const size_t count = (size_t)map->geo.agcount * map->cells;

	for (size_t i = 0; i < count; i++)
		for (unsigned use = 0; use < MAP_USES; use++)
			save_number(s, map->all[i].blocks[use]);
}

void group_map_load(struct group_map *map, struct loader *l)
{
	const size_t count = (size_t)map->geo.agcount * map->cells;

	for (size_t i = 0; i < count; i++)
		for (unsigned use = 0; use < MAP_USES; use++)
			map->all[i].blocks[use] = load_at_most(l, MAP_BLOCKS_MOST);
}

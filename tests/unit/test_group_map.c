/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The map of groups: each block posted is counted in its cell, and none beyond a group, whatever is posted. */
#include "../../repair/report/group_map.h"
#include "reported.h"

/* Four groups of 4,096 blocks, the last one shorter; inodes of 512 bytes. */
static struct geometry geometry(void)
{
	return (struct geometry){ .agcount = 4,
				  .agblocks = 4096,
				  .dblocks = 3 * 4096 + 1000,
				  .agblock_log = 12,
				  .block_size = 4096,
				  .block_log = 12,
				  .inode_size = 512,
				  .inode_log = 9,
				  .inopb_log = 3 };
}

static uint64_t sum(const struct group_map *map, uint32_t agno, enum map_use use)
{
	const struct map_cell *cells = group_map_of(map, agno);
	uint64_t blocks = 0;

	for (uint32_t i = 0; i < map->cells; i++)
		blocks += cells[i].blocks[use];
	return blocks;
}

static void blocks_are_counted_in_their_cells(void **state)
{
	const struct geometry geo = geometry();
	struct group_map *map = group_map_new(&geo);
	const struct map_cell *cells;

	(void)state;
	assert_non_null(map);
	assert_int_equal(map->cells, 1024);
	assert_int_equal(map->blocks_per_cell, 4);
	group_map_add(map, MAP_DATA, (group_t){ 1 }, (gbno_t){ 6 }, 7); /* 6 to 12 */
	cells = group_map_of(map, 1);
	assert_int_equal(cells[0].blocks[MAP_DATA], 0);
	assert_int_equal(cells[1].blocks[MAP_DATA], 2);
	assert_int_equal(cells[2].blocks[MAP_DATA], 4);
	assert_int_equal(cells[3].blocks[MAP_DATA], 1);
	assert_int_equal(sum(map, 0, MAP_DATA) + sum(map, 2, MAP_DATA), 0);
	group_map_free(map);
}

static void what_no_group_has_is_left_out(void **state)
{
	const struct geometry geo = geometry();
	struct group_map *map = group_map_new(&geo);

	(void)state;
	assert_non_null(map);
	group_map_add(map, MAP_FREE, (group_t){ 3 }, (gbno_t){ 990 }, UINT64_MAX);
	group_map_add(map, MAP_FREE, (group_t){ 3 }, (gbno_t){ 1000 }, 1);
	group_map_add(map, MAP_FREE, (group_t){ 3 }, (gbno_t){ UINT64_MAX }, UINT64_MAX);
	group_map_add(map, MAP_FREE, (group_t){ 4 }, (gbno_t){ 0 }, 1);
	group_map_add(map, MAP_FREE, (group_t){ UINT32_MAX }, (gbno_t){ 0 }, 1);
	assert_int_equal(sum(map, 3, MAP_FREE), 10);
	assert_int_equal(sum(map, 0, MAP_FREE) + sum(map, 1, MAP_FREE) + sum(map, 2, MAP_FREE), 0);
	assert_int_equal(group_map_blocks(map, 3, 249), 4);
	assert_int_equal(group_map_blocks(map, 3, 250), 0);
	group_map_free(map);
}

static void many_groups_have_fewer_cells_each(void **state)
{
	struct geometry geo = geometry();
	struct group_map *map;

	(void)state;
	geo.agcount = 1024;
	map = group_map_new(&geo);
	assert_non_null(map);
	assert_int_equal(map->cells, 64);
	group_map_free(map);
	geo.agcount = 1000000;
	map = group_map_new(&geo);
	assert_non_null(map);
	assert_int_equal(map->cells, 16);
	group_map_free(map);
}

static void a_mark_is_at_the_block_or_the_inode_or_the_header(void **state)
{
	const struct geometry geo = geometry();
	struct group_map *map = group_map_new(&geo);
	struct place block = place_of(OBJ_BNOBT), inode = place_of(OBJ_INODE), header = place_of(OBJ_AGF),
		     nowhere = place_of(OBJ_DEVICE);

	(void)state;
	assert_non_null(map);
	block.agno.v = inode.agno.v = header.agno.v = 0;
	block.agbno.v = 401;
	inode.ino.v = 8 * 80 + 3; /* in block 80 */
	group_map_mark(map, MAP_DAMAGED, &block);
	group_map_mark(map, MAP_REBUILT, &inode);
	group_map_mark(map, MAP_DAMAGED, &header);
	group_map_mark(map, MAP_DAMAGED, &nowhere);
	group_map_mark(NULL, MAP_DAMAGED, &block);
	for (uint32_t i = 0; i < map->cells; i++) {
		const struct map_cell *cell = &group_map_of(map, 0)[i];

		assert_int_equal(cell->damaged, i == 0 || i == 100);
		assert_int_equal(cell->rebuilt, i == 20);
	}
	group_map_free(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_counted_in_their_cells),
		cmocka_unit_test(what_no_group_has_is_left_out),
		cmocka_unit_test(many_groups_have_fewer_cells_each),
		cmocka_unit_test(a_mark_is_at_the_block_or_the_inode_or_the_header),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sizes in the superblock (ondisk 01; ondisk 00, invariant 2). */
#include "ag_headers.h"

static void sizes_are_told(void **state)
{
	struct superblock sb = superblock_sound();
	const struct geometry *g = &sb.geo;

	(void)state;
	assert_superblock_sound(&sb);
	assert_int_equal(g->sector_size, 512);
	assert_int_equal(g->block_log, 12);
	assert_int_equal(g->inode_size, 512);
	assert_int_equal(g->inode_log, 9);
	assert_int_equal(g->inodes_per_block, 8);
	assert_int_equal(g->inopb_log, 3);
	assert_int_equal(g->dir_block_size, 4096);
	assert_int_equal(g->dirblk_log, 0);
	assert_int_equal(g->agblocks, AGBLOCKS);
	assert_int_equal(g->agblock_log, 15);
	assert_int_equal(g->first_data_agbno, 1);
}

static void headers_take_as_many_blocks_as_four_sectors(void **state)
{
	struct superblock sb = superblock_sound();
	uint8_t sector[4096] = { 0 };
	struct check c = { NULL, reported_add, &sb.reported };
	le32_t crc;

	(void)state;
	memcpy(sector, sb.sector, SECTOR);
	put(sector, SB_VERSIONNUM, 2, 0xbcb5);
	put(sector, SB_SECTSIZE, 2, 4096);
	put(sector, SB_SECTLOG, 1, 12);
	put(sector, SB_LOGSECTSIZE, 2, 4096);
	put(sector, SB_LOGSECTLOG, 1, 12);
	put(sector, SB_LOGSUNIT, 4, 4096);
	crc = le32_put(crc_block(sector, sizeof(sector), SB_CRC));
	memcpy(sector + SB_CRC, &crc, sizeof(crc));
	assert_true(sb_decode(&c, sector, sizeof(sector), &sb.geo));
	assert_int_equal(sb.reported.count, 0);
	assert_int_equal(sb.geo.first_data_agbno, 4);
	assert_int_equal(sb.geo.log_sector_size, 4096);
}

static void wrong_logarithm_is_reported_and_not_used(void **state)
{
	struct geometry g;

	(void)state;
	g = assert_superblock_field(superblock_sound(), SB_BLOCKLOG, 1, 13, F_SB_BLOCKLOG, 12, true);
	assert_int_equal(g.block_log, 12);
	g = assert_superblock_field(superblock_sound(), SB_SECTLOG, 1, 0xff, F_SB_SECTLOG, 9, true);
	assert_int_equal(g.sector_size, 512);
	g = assert_superblock_field(superblock_sound(), SB_INODELOG, 1, 10, F_SB_INODELOG, 9, true);
	assert_int_equal(g.inode_log, 9);
	g = assert_superblock_field(superblock_sound(), SB_AGBLKLOG, 1, 14, F_SB_AGBLKLOG, 15, true);
	assert_int_equal(g.agblock_log, 15);
}

static void wrong_size_is_replaced_by_its_logarithm(void **state)
{
	struct geometry g;

	(void)state;
	g = assert_superblock_field(superblock_sound(), SB_BLOCKSIZE, 4, 4097, F_SB_BLOCKSIZE, 4096, true);
	assert_int_equal(g.block_size, 4096);
	g = assert_superblock_field(superblock_sound(), SB_SECTSIZE, 2, 0, F_SB_SECTSIZE, 512, true);
	assert_int_equal(g.sector_size, 512);
	g = assert_superblock_field(superblock_sound(), SB_INODESIZE, 2, 256, F_SB_INODESIZE, 512, true);
	assert_int_equal(g.inode_size, 512);
}

static void size_without_either_ends_it(void **state)
{
	struct superblock sb = superblock_sound();

	(void)state;
	put(sb.sector, SB_BLOCKSIZE, 4, 0);
	put(sb.sector, SB_BLOCKLOG, 1, 0);
	superblock_decode(&sb);
	assert_false(sb.decoded);
	assert_reported_once(&sb.reported, F_SB_BLOCKSIZE, 0, 0);
}

static void inodes_per_block_must_follow_from_the_sizes(void **state)
{
	struct superblock sb = superblock_sound();

	(void)state;
	assert_superblock_field(superblock_sound(), SB_INOPBLOCK, 2, 16, F_SB_INOPBLOCK, 8, true);
	assert_superblock_field(superblock_sound(), SB_INOPBLOG, 1, 4, F_SB_INOPBLOG, 3, true);
	/* when both deny the sizes, the sizes may be what is wrong */
	put(sb.sector, SB_INOPBLOCK, 2, 16);
	put(sb.sector, SB_INOPBLOG, 1, 4);
	superblock_decode(&sb);
	assert_int_equal(sb.reported.count, 2);
	assert_false(sb.decoded);
}

static void directory_blocks_have_a_largest_size(void **state)
{
	struct superblock sb = superblock_sound();

	(void)state;
	put(sb.sector, SB_DIRBLKLOG, 1, 4);
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.dir_block_size, 65536);
	assert_superblock_field(superblock_sound(), SB_DIRBLKLOG, 1, 5, F_SB_DIRBLKLOG, 0, false);
	assert_superblock_field(superblock_sound(), SB_DIRBLKLOG, 1, 0xff, F_SB_DIRBLKLOG, 0, false);
}

static void ag_size_has_limits(void **state)
{
	(void)state;
	/* 16 MiB are 4096 blocks, 1 TiB 2^28 */
	assert_superblock_field(superblock_sound(), SB_AGBLOCKS, 4, 4095, F_SB_AGBLOCKS, 0, false);
	assert_superblock_field(superblock_sound(), SB_AGBLOCKS, 4, (1 << 28) + 1, F_SB_AGBLOCKS, 0, false);
}

static void ag_count_must_follow_from_the_sizes(void **state)
{
	(void)state;
	assert_superblock_field(superblock_sound(), SB_AGCOUNT, 4, 5, F_SB_AGCOUNT, 4, false);
	assert_superblock_field(superblock_sound(), SB_AGCOUNT, 4, 0, F_SB_AGCOUNT, 4, false);
}

static void last_ag_has_a_smallest_size(void **state)
{
	struct superblock sb = superblock_sound();

	(void)state;
	put(sb.sector, SB_DBLOCKS, 8, 3 * AGBLOCKS + 64);
	put(sb.sector, SB_FDBLOCKS, 8, 1000);
	assert_superblock_sound(&sb);
	assert_int_equal(ag_length(&sb.geo, (agno_t){ 3 }), 64);
	assert_superblock_field(superblock_sound(), SB_DBLOCKS, 8, 3 * AGBLOCKS + 63, F_SB_DBLOCKS, 0, false);
}

static void impossible_device_size_is_reported(void **state)
{
	(void)state;
	assert_superblock_field(superblock_sound(), SB_DBLOCKS, 8, 0, F_SB_DBLOCKS, 0, false);
	assert_superblock_field(superblock_sound(), SB_DBLOCKS, 8, ALL_ONES, F_SB_DBLOCKS, 0, false);
}

static void version_4_has_the_smallest_blocks_and_inodes(void **state)
{
	struct superblock sb = superblock_v4();

	(void)state;
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.inode_size, 256);
	assert_int_equal(sb.geo.inodes_per_block, 16);

	put(sb.sector, SB_BLOCKSIZE, 4, 512);
	put(sb.sector, SB_BLOCKLOG, 1, 9);
	put(sb.sector, SB_INOPBLOCK, 2, 2);
	put(sb.sector, SB_INOPBLOG, 1, 1);
	put(sb.sector, SB_DIRBLKLOG, 1, 3);
	put(sb.sector, SB_AGBLOCKS, 4, 32768);
	put(sb.sector, SB_DBLOCKS, 8, 4 * 32768);
	put(sb.sector, SB_AGBLKLOG, 1, 15);
	put(sb.sector, SB_INOALIGNMT, 4, 16);
	put(sb.sector, SB_REXTSIZE, 4, 8);
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.block_size, 512);
	assert_int_equal(sb.geo.dir_block_size, 4096);
	assert_int_equal(sb.geo.first_data_agbno, 4);
	assert_int_equal(sb.geo.chunk_blocks, 32);
	/* an inode more than half a block */
	assert_superblock_field(sb, SB_INODESIZE, 2, 512, F_SB_INODESIZE, 256, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_told),
		cmocka_unit_test(headers_take_as_many_blocks_as_four_sectors),
		cmocka_unit_test(wrong_logarithm_is_reported_and_not_used),
		cmocka_unit_test(wrong_size_is_replaced_by_its_logarithm),
		cmocka_unit_test(size_without_either_ends_it),
		cmocka_unit_test(inodes_per_block_must_follow_from_the_sizes),
		cmocka_unit_test(directory_blocks_have_a_largest_size),
		cmocka_unit_test(ag_size_has_limits),
		cmocka_unit_test(ag_count_must_follow_from_the_sizes),
		cmocka_unit_test(last_ag_has_a_smallest_size),
		cmocka_unit_test(impossible_device_size_is_reported),
		cmocka_unit_test(version_4_has_the_smallest_blocks_and_inodes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

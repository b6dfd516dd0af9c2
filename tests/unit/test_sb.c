/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The primary superblock as a whole, its counters and single fields (ondisk 01). */
#include "ag_headers.h"

static void sound_superblock_fills_the_geometry(void **state)
{
	struct superblock sb = superblock_sound();

	(void)state;
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.block_size, 4096);
	assert_int_equal(sb.geo.agcount, 4);
	assert_int_equal(sb.geo.dblocks, 4 * AGBLOCKS);
	assert_int_equal(sb.geo.icount, 6464);
	assert_int_equal(sb.geo.ifree, 159);
	assert_int_equal(sb.geo.fdblocks, 50000);
	assert_int_equal(sb.geo.imax_pct, 25);
	assert_true(sb.geo.sb_lsn.v == 0x100000020);
	assert_true(sb.geo.head_lsn.v == 0);
	assert_string_equal(sb.geo.label, "twelve bytes");
	/* 4096-byte blocks: (4096 - 56) / 8 records of the bnobt */
	assert_int_equal(sb.geo.btree[BT_BNO].leaf_max, 505);
}

static void sound_superblock_with_metadir_is_clean(void **state)
{
	struct superblock sb = superblock_metadir();

	(void)state;
	assert_superblock_sound(&sb);
	assert_true(sb.geo.metadir);
}

static void wrong_magic_ends_it(void **state)
{
	(void)state;
	assert_superblock_field(superblock_sound(), SB_MAGICNUM, 4, 0x58465343, F_BLOCK_MAGIC, 0x58465342, false);
}

static void wrong_checksum_leaves_the_geometry(void **state)
{
	struct superblock sb = superblock_sound();
	struct check c = { NULL, reported_add, &sb.reported };
	uint32_t good = crc_block(sb.sector, SECTOR, SB_CRC);

	(void)state;
	sb.sector[SB_FNAME] ^= 1;
	assert_true(sb_decode(&c, sb.sector, SECTOR, &sb.geo));
	assert_reported_once(&sb.reported, F_BLOCK_CRC, good, crc_block(sb.sector, SECTOR, SB_CRC));
}

static void wrong_checksum_is_told_of_a_refused_superblock(void **state)
{
	struct superblock sb = superblock_sound();
	struct check c = { NULL, reported_add, &sb.reported };

	(void)state;
	sb.sector[SB_INCOMPAT] = 0x80;
	assert_false(sb_decode(&c, sb.sector, SECTOR, &sb.geo));
	assert_int_equal(reported_times(&sb.reported, F_BLOCK_CRC), 1);
	assert_int_equal(reported_times(&sb.reported, F_SB_INCOMPAT_UNSUPPORTED), 1);
	assert_int_equal(sb.reported.count, 2);
}

static void byte_behind_the_superblock_is_reported(void **state)
{
	(void)state;
	assert_superblock_field(superblock_sound(), SECTOR - 1, 1, 7, F_SB_TAIL, 0, true);
	/* fields of features that are off count as after it */
	assert_superblock_field(superblock_sound(), SB_META_UUID, 1, 7, F_SB_TAIL, 0, true);
	assert_superblock_field(superblock_sound(), SB_METADIRINO + 7, 1, 129, F_SB_TAIL, 0, true);
	assert_superblock_field(superblock_metadir(), SB_PAD, 1, 1, F_SB_TAIL, 0, true);
}

static void impossible_inode_count_is_reported(void **state)
{
	struct superblock not_sparse = superblock_sound();

	(void)state;
	assert_superblock_field(superblock_sound(), SB_ICOUNT, 8, 0, F_SB_ICOUNT, 0, true);
	assert_superblock_field(superblock_sound(), SB_ICOUNT, 8, 6462, F_SB_ICOUNT, 0, true);
	assert_superblock_field(superblock_sound(), SB_ICOUNT, 8, 4 * AGBLOCKS * 8 + 64, F_SB_ICOUNT, 0, true);
	put(not_sparse.sector, SB_INCOMPAT, 4, 0xe9);
	put(not_sparse.sector, SB_SPINO_ALIGN, 4, 0);
	put(not_sparse.sector, SB_INOALIGNMT, 4, 4);
	assert_superblock_sound(&not_sparse);
	assert_superblock_field(not_sparse, SB_ICOUNT, 8, 6468, F_SB_ICOUNT, 0, true);
}

static void sparse_chunks_count_in_steps_of_four(void **state)
{
	struct superblock sb = superblock_sound();

	(void)state;
	put(sb.sector, SB_ICOUNT, 8, 6468);
	assert_superblock_sound(&sb);
}

static void more_free_than_there_are_is_reported(void **state)
{
	(void)state;
	assert_superblock_field(superblock_sound(), SB_IFREE, 8, 6465, F_SB_IFREE, 6464, true);
	assert_superblock_field(superblock_sound(), SB_FDBLOCKS, 8, 4 * AGBLOCKS + 1, F_SB_FDBLOCKS, 4 * AGBLOCKS,
				true);
}

static void single_fields_are_checked(void **state)
{
	(void)state;
	assert_superblock_field(superblock_sound(), SB_INPROGRESS, 1, 1, F_SB_INPROGRESS, 0, true);
	assert_superblock_field(superblock_sound(), SB_FLAGS, 1, 1, F_SB_FLAGS, 0, true);
	assert_superblock_field(superblock_sound(), SB_SHARED_VN, 1, 1, F_SB_SHARED_VN, 0, true);
	assert_superblock_field(superblock_sound(), SB_IMAX_PCT, 1, 101, F_SB_IMAX_PCT, 100, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_superblock_fills_the_geometry),
		cmocka_unit_test(sound_superblock_with_metadir_is_clean),
		cmocka_unit_test(wrong_magic_ends_it),
		cmocka_unit_test(wrong_checksum_leaves_the_geometry),
		cmocka_unit_test(wrong_checksum_is_told_of_a_refused_superblock),
		cmocka_unit_test(byte_behind_the_superblock_is_reported),
		cmocka_unit_test(impossible_inode_count_is_reported),
		cmocka_unit_test(sparse_chunks_count_in_steps_of_four),
		cmocka_unit_test(more_free_than_there_are_is_reported),
		cmocka_unit_test(single_fields_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

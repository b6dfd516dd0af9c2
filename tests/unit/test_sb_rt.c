/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Realtime fields of a file system without a realtime section (ondisk 01, invariant 7). */
#include "ag_headers.h"

static void realtime_section_is_refused(void **state)
{
	struct superblock sb = superblock_sound();

	(void)state;
	put(sb.sector, SB_RBLOCKS, 8, 76800);
	put(sb.sector, SB_REXTENTS, 8, 76800);
	put(sb.sector, SB_RBMBLOCKS, 4, 3);
	put(sb.sector, SB_REXTSLOG, 1, 16);
	superblock_decode(&sb);
	assert_false(sb.decoded);
	assert_reported_once(&sb.reported, F_SB_RT_UNSUPPORTED, 76800, 0);
}

static void stray_realtime_field_is_damage(void **state)
{
	struct geometry g;

	(void)state;
	g = assert_superblock_field(superblock_sound(), SB_RBLOCKS, 8, 1, F_SB_RT_FIELD, 0, true);
	assert_int_equal(g.rblocks, 0);
	assert_superblock_field(superblock_sound(), SB_REXTENTS, 8, ALL_ONES, F_SB_RT_FIELD, 0, true);
	assert_superblock_field(superblock_sound(), SB_RBMBLOCKS, 4, 1, F_SB_RT_FIELD, 0, true);
	assert_superblock_field(superblock_sound(), SB_REXTSLOG, 1, 1, F_SB_RT_FIELD, 0, true);
	assert_superblock_field(superblock_sound(), SB_FREXTENTS, 8, 1, F_SB_RT_FIELD, 0, true);
}

static void realtime_extent_size_has_limits_all_the_same(void **state)
{
	(void)state;
	assert_superblock_field(superblock_sound(), SB_REXTSIZE, 4, 0, F_SB_REXTSIZE, 0, true);
	/* 1 GiB are 262144 blocks */
	assert_superblock_field(superblock_sound(), SB_REXTSIZE, 4, 262145, F_SB_REXTSIZE, 0, true);
}

static void realtime_groups_have_a_size_but_no_number(void **state)
{
	(void)state;
	assert_superblock_field(superblock_metadir(), SB_RGCOUNT, 4, 1, F_SB_RT_FIELD, 0, true);
	assert_superblock_field(superblock_metadir(), SB_RGEXTENTS, 4, 1, F_SB_RGEXTENTS, 0, true);
	assert_superblock_field(superblock_metadir(), SB_RGEXTENTS, 4, 1u << 31, F_SB_RGEXTENTS, 0, true);
	assert_superblock_field(superblock_metadir(), SB_RGBLKLOG, 1, 27, F_SB_RGBLKLOG, 28, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(realtime_section_is_refused),
		cmocka_unit_test(stray_realtime_field_is_damage),
		cmocka_unit_test(realtime_extent_size_has_limits_all_the_same),
		cmocka_unit_test(realtime_groups_have_a_size_but_no_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

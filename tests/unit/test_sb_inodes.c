/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inodes that the superblock names (ondisk 01, invariant 8). */
#include "ag_headers.h"

static void first_inodes_are_told(void **state)
{
	struct superblock sb = superblock_sound();

	(void)state;
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.rootino.v, 128);
	assert_int_equal(sb.geo.rbmino.v, 129);
	assert_int_equal(sb.geo.rsumino.v, 130);
	assert_int_equal(sb.geo.metadirino.v, 0);
}

static void one_wrong_of_three_is_outvoted(void **state)
{
	static const uint64_t wrong[] = { 0, 127, 192, 4 << 18, ALL_ONES };
	struct geometry g;

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		g = assert_superblock_field(superblock_sound(), SB_ROOTINO, 8, wrong[i], F_SB_ROOTINO, 128, true);
		assert_int_equal(g.rootino.v, 128);
		g = assert_superblock_field(superblock_sound(), SB_RBMINO, 8, wrong[i], F_SB_RBMINO, 129, true);
		assert_int_equal(g.rbmino.v, 129);
		g = assert_superblock_field(superblock_sound(), SB_RSUMINO, 8, wrong[i], F_SB_RSUMINO, 130, true);
		assert_int_equal(g.rsumino.v, 130);
	}
}

static void nothing_is_believed_of_three_wrong_ones(void **state)
{
	struct superblock sb = superblock_sound();

	(void)state;
	put(sb.sector, SB_ROOTINO, 8, 0);
	put(sb.sector, SB_RBMINO, 8, 0);
	put(sb.sector, SB_RSUMINO, 8, 0);
	superblock_decode(&sb);
	assert_reported_once(&sb.reported, F_SB_ROOTINO, 0, ALL_ONES);
	assert_true(sb.decoded);
	assert_true(sb.geo.rootino.v == NULL_INO);
}

static void metadata_directory_follows_the_root(void **state)
{
	struct geometry g;

	(void)state;
	g = assert_superblock_field(superblock_metadir(), SB_METADIRINO, 8, 131, F_SB_METADIRINO, 129, true);
	assert_int_equal(g.metadirino.v, 129);
	g = assert_superblock_field(superblock_metadir(), SB_ROOTINO, 8, 127, F_SB_ROOTINO, 128, true);
	assert_int_equal(g.rootino.v, 128);
}

static void metadir_has_no_realtime_or_quota_inodes_here(void **state)
{
	(void)state;
	assert_superblock_field(superblock_metadir(), SB_RBMINO, 8, 129, F_SB_RBMINO, 0, true);
	assert_superblock_field(superblock_metadir(), SB_RSUMINO, 8, 130, F_SB_RSUMINO, 0, true);
	assert_superblock_field(superblock_metadir(), SB_UQUOTINO, 8, ALL_ONES, F_SB_QUOTINO, 0, true);
	assert_superblock_field(superblock_metadir(), SB_PQUOTINO, 8, 131, F_SB_QUOTINO, 0, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_inodes_are_told),
		cmocka_unit_test(one_wrong_of_three_is_outvoted),
		cmocka_unit_test(nothing_is_believed_of_three_wrong_ones),
		cmocka_unit_test(metadata_directory_follows_the_root),
		cmocka_unit_test(metadir_has_no_realtime_or_quota_inodes_here),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quota inodes and flags of the superblock (ondisk 01, invariant 8; ondisk 10, invariant 5). */
#include "ag_headers.h"
#include "disk/sb.h"

#define ALL_ONES UINT64_MAX

static struct superblock with_quota(void)
{
	struct superblock sb = superblock_sound();

	put(sb.sector, SB_VERSIONNUM, 2, 0xb4f5);
	put(sb.sector, SB_UQUOTINO, 8, 131);
	put(sb.sector, SB_GQUOTINO, 8, 132);
	put(sb.sector, SB_PQUOTINO, 8, ALL_ONES);
	put(sb.sector, SB_QFLAGS, 2, 0x1c7);
	return sb;
}

static void quota_inodes_are_told(void **state)
{
	struct superblock sb = with_quota();

	(void)state;
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.uquotino.v, 131);
	assert_int_equal(sb.geo.gquotino.v, 132);
	assert_true(sb.geo.pquotino.v == NULL_INO);
}

static void impossible_quota_inode_is_reported(void **state)
{
	/* in the headers, beyond the last AG, the root, the summary, that of another quota */
	static const uint64_t wrong[] = { 7, 4 << 18 | 131, 128, 130, 131 };
	struct geometry g;

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		g = assert_superblock_field(with_quota(), SB_PQUOTINO, 8, wrong[i], F_SB_QUOTINO, 0, true);
		assert_true(g.pquotino.v == NULL_INO);
	}
}

static void quota_needs_its_bit(void **state)
{
	struct superblock sb = with_quota();

	(void)state;
	put(sb.sector, SB_VERSIONNUM, 2, 0xb4b5);
	superblock_decode(&sb);
	assert_reported_once(&sb.reported, F_SB_QUOTA_BIT, 0xb4b5, 0xb4f5);

	sb = superblock_sound();
	put(sb.sector, SB_QFLAGS, 2, 1);
	superblock_decode(&sb);
	assert_reported_once(&sb.reported, F_SB_QUOTA_BIT, 0xb4b5, 0xb4f5);
}

static void unknown_quota_flags_are_reported(void **state)
{
	(void)state;
	assert_superblock_field(with_quota(), SB_QFLAGS, 2, 0x1c7 | 0x10, F_SB_QFLAGS, 0x1c7, true);
	assert_superblock_field(superblock_sound(), SB_QFLAGS, 2, 0xffff, F_SB_QFLAGS, 0x7cf, true);
}

static void what_is_not_counted_is_neither_enforced_nor_right(void **state)
{
	/* flags, and the valid ones among them: of users, groups, projects */
	static const uint16_t cases[][2] = {
		{ 0x007, 0x007 }, { 0x003, 0x003 }, { 0x001, 0x001 }, { 0x7cf, 0x7cf }, { 0x006, 0x000 },
		{ 0x182, 0x000 }, { 0x207, 0x007 }, { 0x403, 0x003 }, { 0x108, 0x008 },
	};
	struct geometry g;

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct superblock sb = with_quota();

		if (cases[i][0] == cases[i][1]) {
			put(sb.sector, SB_QFLAGS, 2, cases[i][0]);
			assert_superblock_sound(&sb);
			g = sb.geo;
		} else {
			g = assert_superblock_field(sb, SB_QFLAGS, 2, cases[i][0], F_SB_QFLAGS_NEED, cases[i][1], true);
		}
		assert_int_equal(g.qflags, cases[i][1]);
	}
}

static void counts_of_an_impossible_inode_are_not_believed(void **state)
{
	struct geometry g = assert_superblock_field(with_quota(), SB_UQUOTINO, 8, 7, F_SB_QUOTINO, 0, true);

	(void)state;
	assert_int_equal(g.qflags, 0x1c3);
}

static struct superblock v4_with_quota(uint16_t flags)
{
	struct superblock sb = superblock_v4();

	put(sb.sector, SB_VERSIONNUM, 2, 0xb4f4);
	put(sb.sector, SB_UQUOTINO, 8, 131);
	put(sb.sector, SB_GQUOTINO, 8, 132);
	put(sb.sector, SB_QFLAGS, 2, flags);
	return sb;
}

static void version_4_has_groups_or_projects(void **state)
{
	struct superblock sb = v4_with_quota(0x77);

	(void)state;
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.gquotino.v, 132);
	assert_true(sb.geo.pquotino.v == NULL_INO);
	assert_int_equal(sb.geo.qflags, 0x1c7);

	sb = v4_with_quota(0x3f);
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.pquotino.v, 132);
	assert_true(sb.geo.gquotino.v == NULL_INO);
	assert_int_equal(sb.geo.qflags, 0x60f);

	assert_superblock_field(sb, SB_QFLAGS, 2, 0x7f, F_SB_QFLAGS_NEED, 0x77, true);
	assert_superblock_field(sb, SB_QFLAGS, 2, 0x37, F_SB_QFLAGS_NEED, 0x07, true);
	assert_superblock_field(sb, SB_QFLAGS, 2, 0x13f, F_SB_QFLAGS, 0x3f, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quota_inodes_are_told),
		cmocka_unit_test(impossible_quota_inode_is_reported),
		cmocka_unit_test(quota_needs_its_bit),
		cmocka_unit_test(unknown_quota_flags_are_reported),
		cmocka_unit_test(what_is_not_counted_is_neither_enforced_nor_right),
		cmocka_unit_test(counts_of_an_impossible_inode_are_not_believed),
		cmocka_unit_test(version_4_has_groups_or_projects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

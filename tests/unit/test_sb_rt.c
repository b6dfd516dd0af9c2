/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Realtime fields of file systems without a realtime section and with one, of either form (ondisk 01, invariant 7). */
#include "ag_headers.h"

/* 76800 blocks in extents of 2: 38400 bits are two blocks of 32768. */
static struct superblock superblock_old_rt(void)
{
	struct superblock sb = superblock_sound();

	put(sb.sector, SB_RBLOCKS, 8, 76800);
	put(sb.sector, SB_REXTENTS, 8, 38400);
	put(sb.sector, SB_REXTSIZE, 4, 2);
	put(sb.sector, SB_RBMBLOCKS, 4, 2);
	put(sb.sector, SB_REXTSLOG, 1, 15);
	put(sb.sector, SB_FREXTENTS, 8, 38000);
	return sb;
}

/* 5 groups, the last of 11264 blocks. */
static struct superblock superblock_groups(void)
{
	struct superblock sb = superblock_metadir();

	put(sb.sector, SB_RBLOCKS, 8, 76800);
	put(sb.sector, SB_REXTENTS, 8, 76800);
	put(sb.sector, SB_RBMBLOCKS, 4, 1);
	put(sb.sector, SB_REXTSLOG, 1, 16);
	put(sb.sector, SB_FREXTENTS, 8, 75874);
	put(sb.sector, SB_RGCOUNT, 4, 5);
	put(sb.sector, SB_RGEXTENTS, 4, 16384);
	put(sb.sector, SB_RGBLKLOG, 1, 14);
	return sb;
}

static struct superblock superblock_zoned(void)
{
	struct superblock sb = superblock_groups();

	put(sb.sector, SB_INCOMPAT, 4, 0x3eb);
	put(sb.sector, SB_RBMBLOCKS, 4, 0);
	put(sb.sector, SB_FREXTENTS, 8, 0);
	return sb;
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

static void an_undivided_section_is_one_group(void **state)
{
	struct superblock sb = superblock_old_rt();

	(void)state;
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.rgcount, 1);
	assert_int_equal(group_count(&sb.geo), 5);
	assert_int_equal(group_length(&sb.geo, group_of_rg(&sb.geo, 0)), 76800);
	assert_int_equal(sb.geo.rbmblocks, 2);
	/* 16 levels of 2 words are less than a block */
	assert_int_equal(sb.geo.rsumlevels, 16);
	assert_int_equal(sb.geo.rsumblocks, 1);
	assert_true(rtb_range_valid(&sb.geo, (fsbno_t){ 0 }, 76800));
	assert_false(rtb_range_valid(&sb.geo, (fsbno_t){ 0 }, 76801));
	assert_false(rtb_range_valid(&sb.geo, (fsbno_t){ 1ull << 63 }, 1));
}

static void blocks_behind_the_last_whole_extent_are_not_used(void **state)
{
	struct superblock sb = superblock_old_rt();

	(void)state;
	put(sb.sector, SB_RBLOCKS, 8, 76801);
	assert_superblock_sound(&sb);
	assert_int_equal(group_length(&sb.geo, group_of_rg(&sb.geo, 0)), 76800);
}

static void groups_have_numbers_and_a_superblock(void **state)
{
	struct superblock sb = superblock_groups();

	(void)state;
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.rgcount, 5);
	assert_int_equal(group_length(&sb.geo, group_of_rg(&sb.geo, 4)), 11264);
	assert_int_equal(sb.geo.rsumlevels, 15);
	assert_true(has_rtsb(&sb.geo));
	assert_false(rtb_range_valid(&sb.geo, (fsbno_t){ 0 }, 1));
	assert_true(rtb_range_valid(&sb.geo, (fsbno_t){ 1 }, 16383));
	/* no extent crosses the border of a group */
	assert_false(rtb_range_valid(&sb.geo, (fsbno_t){ 1 }, 16384));
	assert_true(rtb_range_valid(&sb.geo, (fsbno_t){ 4ull << 14 }, 11264));
	assert_false(rtb_range_valid(&sb.geo, (fsbno_t){ 4ull << 14 }, 11265));
	assert_false(rtb_range_valid(&sb.geo, (fsbno_t){ 5ull << 14 }, 1));
}

static void one_wrong_size_is_outvoted(void **state)
{
	struct geometry g;

	(void)state;
	g = assert_superblock_field(superblock_old_rt(), SB_RBLOCKS, 8, 1, F_SB_RBLOCKS, 76800, true);
	assert_int_equal(g.rblocks, 76800);
	g = assert_superblock_field(superblock_old_rt(), SB_REXTENTS, 8, 38401, F_SB_REXTENTS, 38400, true);
	assert_int_equal(g.rextents, 38400);
	g = assert_superblock_field(superblock_old_rt(), SB_REXTSIZE, 4, 3, F_SB_REXTSIZE, 2, true);
	assert_int_equal(g.rextsize, 2);
	assert_superblock_field(superblock_old_rt(), SB_REXTSIZE, 4, 0, F_SB_REXTSIZE, 2, true);
	assert_superblock_field(superblock_old_rt(), SB_RBMBLOCKS, 4, 3, F_SB_RBMBLOCKS, 2, true);
	assert_superblock_field(superblock_old_rt(), SB_REXTSLOG, 1, 16, F_SB_REXTSLOG, 15, true);
	assert_superblock_field(superblock_old_rt(), SB_FREXTENTS, 8, 38401, F_SB_FREXTENTS, 38400, true);
	assert_superblock_field(superblock_groups(), SB_RGCOUNT, 4, 6, F_SB_RGCOUNT, 5, true);
	assert_superblock_field(superblock_groups(), SB_RGBLKLOG, 1, 15, F_SB_RGBLKLOG, 14, true);
}

static void a_lost_size_of_groups_ends_the_run(void **state)
{
	(void)state;
	assert_superblock_field(superblock_groups(), SB_RGEXTENTS, 4, 0, F_SB_RGEXTENTS, 0, false);
	assert_superblock_field(superblock_groups(), SB_RGEXTENTS, 4, 4096, F_SB_RGEXTENTS, 0, false);
}

/* Groups of two blocks: the fields that follow from the size agree, but each group has inodes of its own. */
static void more_groups_than_inodes_end_the_run(void **state)
{
	struct superblock sb = superblock_groups();
	uint64_t groups = 1ull << 31;

	(void)state;
	put(sb.sector, SB_RBLOCKS, 8, 2 * groups);
	put(sb.sector, SB_REXTENTS, 8, 2 * groups);
	put(sb.sector, SB_REXTSLOG, 1, 32);
	put(sb.sector, SB_RGEXTENTS, 4, 2);
	put(sb.sector, SB_RGBLKLOG, 1, 1);
	put(sb.sector, SB_RGCOUNT, 4, groups);
	superblock_decode(&sb);
	assert_false(sb.decoded);
	assert_reported_once(&sb.reported, F_SB_RGEXTENTS, 2, 0);
}

/* Logarithm and bitmap agree with these extents, which would have 2^64 blocks and one extent. */
static void extents_beyond_all_numbers_outvote_nothing(void **state)
{
	const uint64_t extents = (1ull << 46) + 1, size = 1u << 18;
	struct superblock sb = superblock_old_rt();

	(void)state;
	put(sb.sector, SB_RBLOCKS, 8, 3 * size);
	put(sb.sector, SB_REXTENTS, 8, extents);
	put(sb.sector, SB_REXTSIZE, 4, size);
	put(sb.sector, SB_REXTSLOG, 1, 46);
	put(sb.sector, SB_RBMBLOCKS, 4, (1ull << 31) + 1);
	put(sb.sector, SB_FREXTENTS, 8, 0);
	superblock_decode(&sb);
	assert_true(sb.decoded);
	assert_int_equal(sb.geo.rextents, 3);
	assert_int_equal(sb.geo.rblocks, 3 * size);
}

static void sections_that_can_not_be_end_the_run(void **state)
{
	struct superblock sb = superblock_old_rt();

	(void)state;
	put(sb.sector, SB_RBLOCKS, 8, 1ull << 52);
	put(sb.sector, SB_REXTENTS, 8, 1ull << 51);
	put(sb.sector, SB_REXTSLOG, 1, 51);
	superblock_decode(&sb);
	assert_false(sb.decoded);
	assert_reported_once(&sb.reported, F_SB_RBLOCKS, 1ull << 52, 0);

	/* its bitmap would not fit on the data device */
	sb = superblock_old_rt();
	put(sb.sector, SB_RBLOCKS, 8, 1ull << 41);
	put(sb.sector, SB_REXTENTS, 8, 1ull << 40);
	put(sb.sector, SB_REXTSLOG, 1, 40);
	superblock_decode(&sb);
	assert_false(sb.decoded);
	assert_reported_once(&sb.reported, F_SB_RBLOCKS, 1ull << 41, 0);

	/* no other field has the size of its extents */
	sb = superblock_old_rt();
	put(sb.sector, SB_REXTSIZE, 4, 0);
	put(sb.sector, SB_REXTENTS, 8, 38399);
	superblock_decode(&sb);
	assert_false(sb.decoded);
	assert_reported_once(&sb.reported, F_SB_REXTSIZE, 0, 0);
}

static void zoned_sections_have_neither_bitmap_nor_superblock(void **state)
{
	struct superblock sb = superblock_zoned();

	(void)state;
	assert_superblock_sound(&sb);
	assert_true(sb.geo.zoned);
	assert_false(has_rtsb(&sb.geo));
	assert_int_equal(sb.geo.rbmblocks, 0);
	assert_int_equal(sb.geo.rsumblocks, 0);
	assert_true(rtb_range_valid(&sb.geo, (fsbno_t){ 0 }, 1));
	assert_superblock_field(superblock_zoned(), SB_RBMBLOCKS, 4, 1, F_SB_RBMBLOCKS, 0, true);
	assert_superblock_field(superblock_zoned(), SB_FREXTENTS, 8, 1, F_SB_FREXTENTS, 0, true);
}

static void fields_of_zones_are_checked(void **state)
{
	struct superblock sb = superblock_zoned();

	(void)state;
	put(sb.sector, SB_RTSTART, 8, AGCOUNT * AGBLOCKS);
	put(sb.sector, SB_RTRESERVED, 8, 76800);
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.rtstart, AGCOUNT * AGBLOCKS);
	assert_superblock_field(superblock_zoned(), SB_RTSTART, 8, 1, F_SB_RTSTART, AGCOUNT * AGBLOCKS, true);
	assert_superblock_field(superblock_zoned(), SB_RTRESERVED, 8, 76801, F_SB_RTRESERVED, 76800, true);
	sb = superblock_zoned();
	put(sb.sector, SB_PAD + 6, 1, 1);
	superblock_decode(&sb);
	assert_reported_once(&sb.reported, F_SB_PAD, 1, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stray_realtime_field_is_damage),
		cmocka_unit_test(realtime_extent_size_has_limits_all_the_same),
		cmocka_unit_test(realtime_groups_have_a_size_but_no_number),
		cmocka_unit_test(an_undivided_section_is_one_group),
		cmocka_unit_test(blocks_behind_the_last_whole_extent_are_not_used),
		cmocka_unit_test(groups_have_numbers_and_a_superblock),
		cmocka_unit_test(one_wrong_size_is_outvoted),
		cmocka_unit_test(a_lost_size_of_groups_ends_the_run),
		cmocka_unit_test(more_groups_than_inodes_end_the_run),
		cmocka_unit_test(extents_beyond_all_numbers_outvote_nothing),
		cmocka_unit_test(sections_that_can_not_be_end_the_run),
		cmocka_unit_test(zoned_sections_have_neither_bitmap_nor_superblock),
		cmocka_unit_test(fields_of_zones_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The log according to the superblock (ondisk 01, invariants 5 and 6). */
#include "ag_headers.h"

#define LOGSTART (2u << 15 | 7)

static void internal_log_is_told(void **state)
{
	struct superblock sb = superblock_sound();

	(void)state;
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.logstart.v, LOGSTART);
	assert_int_equal(sb.geo.logblocks, 16384);
	assert_int_equal(sb.geo.log_sector_size, 512);
	assert_int_equal(sb.geo.log_stripe_unit, 1);
	assert_int_equal(sb.geo.log_version, 2);
}

static void external_log_starts_nowhere(void **state)
{
	struct superblock sb = superblock_sound();

	(void)state;
	put(sb.sector, SB_LOGSTART, 8, 0);
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.logblocks, 16384);
}

static void log_outside_of_its_ag_is_reported(void **state)
{
	struct geometry g;

	(void)state;
	/* beyond the last AG, on the headers, across the end of the AG */
	g = assert_superblock_field(superblock_sound(), SB_LOGSTART, 8, 4 << 15 | 7, F_SB_LOGSTART, 16384, true);
	assert_int_equal(g.logblocks, 0);
	assert_superblock_field(superblock_sound(), SB_LOGSTART, 8, 2 << 15, F_SB_LOGSTART, 16384, true);
	assert_superblock_field(superblock_sound(), SB_LOGSTART, 8, 2 << 15 | (AGBLOCKS - 16383), F_SB_LOGSTART, 16384,
				true);
	assert_superblock_field(superblock_sound(), SB_LOGSTART, 8, ALL_ONES, F_SB_LOGSTART, 16384, true);
}

static void log_that_ends_with_its_ag_is_sound(void **state)
{
	struct superblock sb = superblock_sound();

	(void)state;
	put(sb.sector, SB_LOGSTART, 8, 2 << 15 | (AGBLOCKS - 16384));
	assert_superblock_sound(&sb);
}

static void log_size_has_limits(void **state)
{
	struct superblock external = superblock_sound();
	struct geometry g;

	(void)state;
	g = assert_superblock_field(superblock_sound(), SB_LOGBLOCKS, 4, 511, F_SB_LOGBLOCKS, 0, true);
	assert_int_equal(g.logblocks, 0);
	/* 2 GiB less 10 MiB are 521728 blocks */
	put(external.sector, SB_LOGSTART, 8, 0);
	put(external.sector, SB_LOGBLOCKS, 4, 521728);
	assert_superblock_sound(&external);
	assert_superblock_field(external, SB_LOGBLOCKS, 4, 521729, F_SB_LOGBLOCKS, 0, true);
	assert_superblock_field(external, SB_LOGBLOCKS, 4, UINT32_MAX, F_SB_LOGBLOCKS, 0, true);
}

static void sector_fields_need_the_feature_bit(void **state)
{
	(void)state;
	assert_superblock_field(superblock_sound(), SB_LOGSECTSIZE, 2, 512, F_SB_LOGSECTSIZE, 0, true);
	assert_superblock_field(superblock_sound(), SB_LOGSECTLOG, 1, 9, F_SB_LOGSECTLOG, 0, true);
}

/* Sectors of 512 bytes on the data device, of 4096 on that of the log. */
static struct superblock large_log_sectors(void)
{
	struct superblock sb = superblock_sound();

	put(sb.sector, SB_VERSIONNUM, 2, 0xbcb5);
	put(sb.sector, SB_LOGSECTSIZE, 2, 4096);
	put(sb.sector, SB_LOGSECTLOG, 1, 12);
	return sb;
}

static void sector_fields_must_agree(void **state)
{
	struct superblock sb = large_log_sectors();

	(void)state;
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.log_sector_size, 4096);
	assert_superblock_field(sb, SB_LOGSECTLOG, 1, 11, F_SB_LOGSECTLOG, 12, true);
	assert_superblock_field(sb, SB_LOGSECTSIZE, 2, 4095, F_SB_LOGSECTSIZE, 0, true);
	assert_superblock_field(sb, SB_LOGSECTSIZE, 2, 256, F_SB_LOGSECTSIZE, 0, true);
}

static void large_sectors_without_their_bit_are_reported(void **state)
{
	struct superblock sb = superblock_sound();
	uint8_t sector[4096] = { 0 };
	struct check c = { NULL, reported_add, &sb.reported };
	le32_t crc;

	(void)state;
	memcpy(sector, sb.sector, SECTOR);
	put(sector, SB_SECTSIZE, 2, 4096);
	put(sector, SB_SECTLOG, 1, 12);
	put(sector, SB_LOGSECTSIZE, 2, 4096);
	put(sector, SB_LOGSECTLOG, 1, 12);
	crc = le32_put(crc_block(sector, sizeof(sector), SB_CRC));
	memcpy(sector + SB_CRC, &crc, sizeof(crc));
	assert_true(sb_decode(&c, sector, sizeof(sector), &sb.geo));
	assert_reported_once(&sb.reported, F_SB_SECTOR_BIT, 4096, 512);
	assert_int_equal(sb.geo.log_sector_size, 4096);
}

static void log_stripe_unit_is_whole_blocks(void **state)
{
	struct superblock sb = superblock_sound();
	struct geometry g;

	(void)state;
	put(sb.sector, SB_LOGSUNIT, 4, 262144);
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.log_stripe_unit, 262144);
	g = assert_superblock_field(superblock_sound(), SB_LOGSUNIT, 4, 4097, F_SB_LOGSUNIT, 1, true);
	assert_int_equal(g.log_stripe_unit, 1);
	assert_superblock_field(superblock_sound(), SB_LOGSUNIT, 4, 262144 + 4096, F_SB_LOGSUNIT, 1, true);
	/* as in a log of version 1 */
	put(sb.sector, SB_LOGSUNIT, 4, 0);
	assert_superblock_sound(&sb);
}

static void log_of_version_1_has_no_stripe_unit(void **state)
{
	struct superblock sb = superblock_v4();
	struct geometry g;

	(void)state;
	put(sb.sector, SB_VERSIONNUM, 2, 0xb0b4);
	put(sb.sector, SB_LOGSUNIT, 4, 0);
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.log_version, 1);
	assert_int_equal(sb.geo.log_stripe_unit, 0);
	/* the version is wrong: a stripe unit does not appear by damage */
	g = assert_superblock_field(sb, SB_LOGSUNIT, 4, 1, F_SB_LOGSUNIT, 0, true);
	assert_int_equal(g.log_version, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(internal_log_is_told),
		cmocka_unit_test(external_log_starts_nowhere),
		cmocka_unit_test(log_outside_of_its_ag_is_reported),
		cmocka_unit_test(log_that_ends_with_its_ag_is_sound),
		cmocka_unit_test(log_size_has_limits),
		cmocka_unit_test(sector_fields_need_the_feature_bit),
		cmocka_unit_test(sector_fields_must_agree),
		cmocka_unit_test(large_sectors_without_their_bit_are_reported),
		cmocka_unit_test(log_stripe_unit_is_whole_blocks),
		cmocka_unit_test(log_of_version_1_has_no_stripe_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

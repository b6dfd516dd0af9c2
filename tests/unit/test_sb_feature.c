/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Features added to superblocks or removed from them: the decoder must see the wanted ones. */
#include "ag_headers.h"
#include "libxfs/sb_feature.h"

/* A sound file system of version 5 without any of the features that can be had later. */
static struct superblock superblock_of_old(void)
{
	struct superblock sb = superblock_sound();

	put(sb.sector, SB_RO_COMPAT, 4, 0x1);
	put(sb.sector, SB_INCOMPAT, 4, 0x3);
	assert_superblock_sound(&sb);
	return sb;
}

static void each_feature_can_be_added(void **state)
{
	static const enum sb_feature features[] = { SB_FEATURE_inobtcount, SB_FEATURE_bigtime, SB_FEATURE_nrext64,
						    SB_FEATURE_exchange };
	struct superblock all = superblock_of_old();

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct superblock sb = superblock_of_old();

		assert_false(sb_feature_has(&sb.geo, features[i]));
		assert_null(sb_feature_refusal(&sb.geo, features[i], true));
		sb_feature_set(sb.sector, 512, features[i], true);
		assert_superblock_sound(&sb);
		for (size_t k = 0; k < 4; k++)
			assert_int_equal(sb_feature_has(&sb.geo, features[k]), k == i);
		sb_feature_set(all.sector, 512, features[i], true);
	}
	assert_superblock_sound(&all);
	assert_true(all.geo.inobtcnt && all.geo.bigtime && all.geo.nrext64 && all.geo.exchange);
}

static void what_needs_something_else_is_refused(void **state)
{
	struct superblock sb = superblock_of_old();

	(void)state;
	sb.geo.finobt = false;
	assert_non_null(sb_feature_refusal(&sb.geo, SB_FEATURE_inobtcount, true));
	assert_null(sb_feature_refusal(&sb.geo, SB_FEATURE_bigtime, true));
	assert_non_null(sb_feature_refusal(&sb.geo, SB_FEATURE_lazycount, false));
	assert_null(sb_feature_refusal(&sb.geo, SB_FEATURE_lazycount, true));
	sb.geo.crc = false;
	for (enum sb_feature i = SB_FEATURE_inobtcount; i < SB_FEATURE_NR; i++)
		assert_non_null(sb_feature_refusal(&sb.geo, i, true));
	assert_null(sb_feature_refusal(&sb.geo, SB_FEATURE_lazycount, false));
}

/* Largest minimum of log sizes, in MiB, of mkfs.xfs 7.2: for the largest inodes, with a stripe unit, on 10 TiB. */
static void logs_that_are_too_small_are_known(void **state)
{
	static const struct {
		uint32_t block_size, least;
	} logs[] = { { 1024, 19 },  { 2048, 20 },   { 4096, 30 },  { 8192, 44 },
		     { 16384, 63 }, { 32768, 112 }, { 65536, 186 } };
	struct superblock sb = superblock_of_old();

	(void)state;
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		sb.geo.block_size = logs[i].block_size;
		sb.geo.block_log = (uint8_t)__builtin_ctz(logs[i].block_size);
		sb.geo.logblocks = (logs[i].least << 20) >> sb.geo.block_log;
		assert_non_null(sb_feature_refusal(&sb.geo, SB_FEATURE_nrext64, true));
		assert_null(sb_feature_refusal(&sb.geo, SB_FEATURE_bigtime, true));
		sb.geo.logblocks = (256u << 20) >> sb.geo.block_log;
		assert_null(sb_feature_refusal(&sb.geo, SB_FEATURE_nrext64, true));
	}
	sb.geo.block_size = 4096;
	sb.geo.block_log = 12;
	sb.geo.logblocks = 16384;
	assert_null(sb_feature_refusal(&sb.geo, SB_FEATURE_nrext64, true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_feature_can_be_added),
		cmocka_unit_test(what_needs_something_else_is_refused),
		cmocka_unit_test(logs_that_are_too_small_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

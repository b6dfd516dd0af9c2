/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Version and feature words of the superblock (ondisk 00, section 4). */
#include "ag_headers.h"

/* With this word, the program must refuse the file system; this finding gives the bits. */
static void assert_refused(uint32_t offset, unsigned size, uint64_t word, enum finding finding, uint64_t got)
{
	struct superblock sb = superblock_sound();

	put(sb.sector, offset, size, word);
	superblock_decode(&sb);
	assert_int_equal(sb.reported.count, 1);
	assert_int_equal(sb.reported.problems[0].finding, finding);
	assert_true(sb.reported.problems[0].got == got);
	assert_int_equal(sb.reported.problems[0].offset, offset);
	assert_false(sb.decoded);
}

static void default_features_are_told(void **state)
{
	struct superblock sb = superblock_sound();
	const struct geometry *g = &sb.geo;

	(void)state;
	assert_superblock_sound(&sb);
	assert_int_equal(g->version, 5);
	assert_true(g->crc && g->lazysbcount && g->ftype && g->sparse && g->bigtime && g->nrext64);
	assert_true(g->exchange && g->parent && g->finobt && g->rmapbt && g->reflink && g->inobtcnt);
	assert_false(g->metadir || g->zoned || g->needsrepair || g->quota || g->ascii_ci || g->log_xattrs);
	assert_memory_equal(g->meta_uuid, g->uuid, 16);
}

static void old_version_5_without_optional_features_is_sound(void **state)
{
	struct superblock sb = superblock_sound();
	const struct geometry *g = &sb.geo;

	(void)state;
	put(sb.sector, SB_VERSIONNUM, 2, 0xb4a5);
	put(sb.sector, SB_RO_COMPAT, 4, 0);
	put(sb.sector, SB_INCOMPAT, 4, 0x1);
	put(sb.sector, SB_INOALIGNMT, 4, 4);
	put(sb.sector, SB_SPINO_ALIGN, 4, 0);
	assert_superblock_sound(&sb);
	assert_true(g->ftype);
	assert_false(g->finobt || g->rmapbt || g->reflink || g->inobtcnt || g->sparse || g->bigtime || g->parent);
}

static void optional_old_bits_are_told(void **state)
{
	struct superblock sb = superblock_sound();

	(void)state;
	put(sb.sector, SB_VERSIONNUM, 2, 0xb4b5 | 0x4000 | 0x40);
	put(sb.sector, SB_LOG_INCOMPAT, 4, 1);
	assert_superblock_sound(&sb);
	assert_true(sb.geo.ascii_ci);
	assert_true(sb.geo.quota);
	assert_true(sb.geo.log_xattrs);
	assert_int_equal(sb.geo.log_unknown, 0);
	put(sb.sector, SB_LOG_INCOMPAT, 4, 6);
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.log_unknown, 6);
}

static void versions_before_4_are_refused(void **state)
{
	struct superblock sb = superblock_v4();

	(void)state;
	put(sb.sector, SB_VERSIONNUM, 2, 0x34a3);
	superblock_decode(&sb);
	assert_false(sb.decoded);
	assert_reported_once(&sb.reported, F_SB_VERSION_UNSUPPORTED, 3, 5);
}

static void directories_of_version_1_are_refused(void **state)
{
	struct superblock sb = superblock_v4();

	(void)state;
	put(sb.sector, SB_VERSIONNUM, 2, 0x94b4);
	superblock_decode(&sb);
	assert_false(sb.decoded);
	assert_reported_once(&sb.reported, F_SB_DIRV1_UNSUPPORTED, 0x94b4, 0xb4b4);
}

static void version_4_is_told(void **state)
{
	struct superblock sb = superblock_v4();
	const struct geometry *g = &sb.geo;

	(void)state;
	assert_superblock_sound(&sb);
	assert_int_equal(g->version, 4);
	assert_true(g->ftype && g->lazysbcount && g->projid32 && g->unwritten);
	assert_false(g->crc || g->finobt || g->rmapbt || g->reflink || g->sparse || g->bigtime || g->nrext64);
	assert_memory_equal(g->meta_uuid, g->uuid, 16);
}

static void oldest_version_4_is_sound(void **state)
{
	struct superblock sb = superblock_v4();
	const struct geometry *g = &sb.geo;

	(void)state;
	put(sb.sector, SB_VERSIONNUM, 2, 0x3004);
	put(sb.sector, SB_FEATURES2, 4, 0);
	put(sb.sector, SB_BAD_FEATURES2, 4, 0);
	put(sb.sector, SB_LOGSUNIT, 4, 0);
	put(sb.sector, SB_INOALIGNMT, 4, 0);
	assert_superblock_sound(&sb);
	assert_int_equal(g->log_version, 1);
	assert_int_equal(g->cluster_align, 1);
	assert_false(g->ftype || g->lazysbcount || g->projid32);
}

static void words_of_version_5_are_unused_in_version_4(void **state)
{
	(void)state;
	assert_superblock_field(superblock_v4(), SB_RO_COMPAT, 1, 1, F_SB_TAIL, 0, true);
	assert_superblock_field(superblock_v4(), SB_INCOMPAT + 3, 1, 1, F_SB_TAIL, 0, true);
	assert_superblock_field(superblock_v4(), SB_CRC, 1, 9, F_SB_TAIL, 0, true);
}

static void wrong_version_of_a_v4_superblock_is_damage(void **state)
{
	(void)state;
	assert_superblock_field(superblock_v4(), SB_VERSIONNUM, 2, 0xb4b5, F_SB_VERSIONNUM, 0xb4b4, true);
	assert_superblock_field(superblock_v4(), SB_VERSIONNUM, 2, 0xb6b4, F_SB_VERSIONNUM, 0xb4b4, true);
	/* the features2 word, whose presence the bit announces, is not empty */
	assert_superblock_field(superblock_v4(), SB_VERSIONNUM, 2, 0x34b4, F_SB_VERSIONNUM, 0xb4b4, true);
}

static void wrong_features2_of_version_4_are_damage(void **state)
{
	(void)state;
	assert_superblock_field(superblock_v4(), SB_FEATURES2, 4, 0x38a, F_SB_FEATURES2, 0x28a, true);
	assert_superblock_field(superblock_v4(), SB_FEATURES2, 4, UINT32_MAX, F_SB_FEATURES2, 0x28a, true);
	assert_superblock_field(superblock_v4(), SB_BAD_FEATURES2, 4, UINT32_MAX, F_SB_BAD_FEATURES2, 0x28a, true);
}

/*
 * Returns the geometry of a superblock with this features2 and a different copy of it, which is all that is reported.
 */
static struct geometry with_copy(struct superblock sb, uint32_t features2, uint32_t copy)
{
	put(sb.sector, SB_FEATURES2, 4, features2);
	put(sb.sector, SB_BAD_FEATURES2, 4, copy);
	superblock_decode(&sb);
	assert_reported_once(&sb.reported, F_SB_FEATURES2_COPY, features2, copy);
	return sb.geo;
}

static void features2_of_version_4_may_lie_in_the_copy(void **state)
{
	struct geometry g;

	(void)state;
	g = with_copy(superblock_v4(), 0x08a, 0x28a);
	assert_true(g.ftype);
	g = with_copy(superblock_v4(), 0x08a, 0x200);
	assert_true(g.ftype);
	g = with_copy(superblock_v4(), 0, 0x28a);
	assert_true(g.ftype && g.lazysbcount);
	with_copy(superblock_v4(), 0x28a, 0);
	/* version 5 uses the word itself */
	with_copy(superblock_sound(), 0x18a, 0);
	with_copy(superblock_sound(), 0x38a, 0x18a);
}

static void file_system_without_unwritten_extents_is_noted(void **state)
{
	(void)state;
	assert_superblock_field(superblock_v4(), SB_VERSIONNUM, 2, 0xa4b4, F_SB_NO_UNWRITTEN, 0x1000, true);
}

static void wrong_version_of_a_v5_superblock_is_damage(void **state)
{
	(void)state;
	assert_superblock_field(superblock_sound(), SB_VERSIONNUM, 2, 0xb4b4, F_SB_VERSIONNUM, 0xb4b5, true);
	assert_superblock_field(superblock_sound(), SB_VERSIONNUM, 2, 0, F_SB_VERSIONNUM, 0xb4a5, true);
}

static void checksum_tells_version_5_where_both_feature_words_are_lost(void **state)
{
	struct superblock sb = superblock_sound();

	(void)state;
	put(sb.sector, SB_FEATURES2, 4, 0x8);
	put(sb.sector, SB_BAD_FEATURES2, 4, 0x8);
	superblock_decode(&sb);
	assert_int_equal(sb.geo.version, 5);
	assert_true(sb.geo.crc);
}

static void version_bits_that_must_or_must_not_be_are_reported(void **state)
{
	static const uint64_t required[] = { 0x20, 0x80, 0x400, 0x1000, 0x2000, 0x8000 };

	(void)state;
	for (unsigned i = 0; i < sizeof(required) / sizeof(required[0]); i++)
		assert_superblock_field(superblock_sound(), SB_VERSIONNUM, 2, 0xb4b5 & ~required[i], F_SB_VERSIONNUM,
					0xb4b5, true);
	assert_superblock_field(superblock_sound(), SB_VERSIONNUM, 2, 0xb4b5 | 0x200, F_SB_VERSIONNUM, 0xb4b5, true);
	/* bits that announce a stripe and large sectors, neither of which is there */
	assert_superblock_field(superblock_sound(), SB_VERSIONNUM, 2, 0xffff, F_SB_VERSIONNUM, 0xf4f5, true);
}

static void wrong_features2_is_told_apart_from_its_copy(void **state)
{
	(void)state;
	assert_superblock_field(superblock_sound(), SB_FEATURES2, 4, 0x182, F_SB_FEATURES2, 0x18a, true);
	assert_superblock_field(superblock_sound(), SB_FEATURES2, 4, 0x19a, F_SB_FEATURES2, 0x18a, true);
	assert_superblock_field(superblock_sound(), SB_FEATURES2, 4, 0, F_SB_FEATURES2, 0x18a, true);
	assert_superblock_field(superblock_sound(), SB_BAD_FEATURES2, 4, 0x38a, F_SB_BAD_FEATURES2, 0x18a, true);
}

static void unknown_bits_are_refused_by_name(void **state)
{
	(void)state;
	assert_refused(SB_RO_COMPAT, 4, 0x1f, F_SB_RO_COMPAT_UNSUPPORTED, 0x10);
	assert_refused(SB_INCOMPAT, 4, 0x800000eb, F_SB_INCOMPAT_UNSUPPORTED, 0x80000000);
}

static void unknown_compatible_bits_are_noted(void **state)
{
	(void)state;
	assert_superblock_field(superblock_sound(), SB_COMPAT, 4, 0x100, F_SB_COMPAT, 0, true);
}

static void features_need_others(void **state)
{
	struct superblock no_finobt = superblock_sound();
	struct superblock no_exchange = superblock_metadir();
	struct superblock gaps = superblock_sound();

	(void)state;
	put(no_finobt.sector, SB_RO_COMPAT, 4, 0xe);
	superblock_decode(&no_finobt);
	assert_reported_once(&no_finobt.reported, F_SB_FEATURE_NEEDS, 0x8, 0x1);
	assert_false(no_finobt.geo.inobtcnt);

	put(no_exchange.sector, SB_INCOMPAT, 4, 0x1ab);
	superblock_decode(&no_exchange);
	assert_reported_once(&no_exchange.reported, F_SB_FEATURE_NEEDS, 0x100, 0x41);

	put(gaps.sector, SB_INCOMPAT, 4, 0x4eb);
	superblock_decode(&gaps);
	assert_reported_once(&gaps.reported, F_SB_FEATURE_NEEDS, 0x400, 0x200);
}

static void needsrepair_is_reported(void **state)
{
	struct geometry g;

	(void)state;
	g = assert_superblock_field(superblock_sound(), SB_INCOMPAT, 4, 0xfb, F_SB_NEEDSREPAIR, 0xeb, true);
	assert_true(g.needsrepair);
}

static void metadata_may_have_a_uuid_of_its_own(void **state)
{
	struct superblock sb = superblock_sound();
	uint8_t other[16];

	(void)state;
	memset(other, 0x77, sizeof(other));
	put(sb.sector, SB_INCOMPAT, 4, 0xef);
	memcpy(sb.sector + SB_META_UUID, other, sizeof(other));
	assert_superblock_sound(&sb);
	assert_memory_equal(sb.geo.meta_uuid, other, sizeof(other));
	assert_memory_equal(sb.geo.uuid, sb.sector + SB_UUID, sizeof(other));

	memset(sb.sector + SB_META_UUID, 0, sizeof(other));
	superblock_decode(&sb);
	assert_reported_once(&sb.reported, F_SB_META_UUID, 0, 0);
	assert_memory_equal(sb.geo.meta_uuid, sb.geo.uuid, sizeof(other));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(default_features_are_told),
		cmocka_unit_test(old_version_5_without_optional_features_is_sound),
		cmocka_unit_test(optional_old_bits_are_told),
		cmocka_unit_test(versions_before_4_are_refused),
		cmocka_unit_test(directories_of_version_1_are_refused),
		cmocka_unit_test(version_4_is_told),
		cmocka_unit_test(oldest_version_4_is_sound),
		cmocka_unit_test(words_of_version_5_are_unused_in_version_4),
		cmocka_unit_test(wrong_version_of_a_v4_superblock_is_damage),
		cmocka_unit_test(wrong_features2_of_version_4_are_damage),
		cmocka_unit_test(features2_of_version_4_may_lie_in_the_copy),
		cmocka_unit_test(file_system_without_unwritten_extents_is_noted),
		cmocka_unit_test(wrong_version_of_a_v5_superblock_is_damage),
		cmocka_unit_test(checksum_tells_version_5_where_both_feature_words_are_lost),
		cmocka_unit_test(version_bits_that_must_or_must_not_be_are_reported),
		cmocka_unit_test(wrong_features2_is_told_apart_from_its_copy),
		cmocka_unit_test(unknown_bits_are_refused_by_name),
		cmocka_unit_test(unknown_compatible_bits_are_noted),
		cmocka_unit_test(features_need_others),
		cmocka_unit_test(needsrepair_is_reported),
		cmocka_unit_test(metadata_may_have_a_uuid_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

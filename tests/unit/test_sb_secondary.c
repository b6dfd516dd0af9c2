/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Secondary superblocks against the primary (ondisk 01, invariant 10). */
#include "ag_headers.h"

struct pair {
	uint8_t primary[SECTOR];
	uint8_t sector[SECTOR];
	struct geometry geo;
	struct reported reported;
	bool v4;
};

/* Makes a secondary as mkfs leaves it: ondisk 01, "Secondary superblocks". */
static void make_secondary(struct pair *p)
{
	struct superblock sb = { .v4 = p->v4 };

	memcpy(sb.sector, p->primary, SECTOR);
	superblock_decode(&sb);
	assert_true(sb.decoded);
	p->geo = sb.geo;
	p->geo.head_lsn.v = 0x200000000;
	memcpy(p->sector, p->primary, SECTOR);
	put(p->sector, SB_ROOTINO, 8, ALL_ONES);
	put(p->sector, SB_RBMINO, 8, sb.geo.metadir ? 0 : ALL_ONES);
	put(p->sector, SB_RSUMINO, 8, sb.geo.metadir ? 0 : ALL_ONES);
	put(p->sector, SB_INPROGRESS, 1, 1);
	put(p->sector, SB_ICOUNT, 8, 0);
	put(p->sector, SB_IFREE, 8, 0);
	put(p->sector, SB_FDBLOCKS, 8, 65000);
	if (!p->v4)
		put(p->sector, SB_LSN, 8, 0);
	if (sb.geo.metadir)
		put(p->sector, SB_METADIRINO, 8, ALL_ONES);
}

static struct pair sound_pair(void)
{
	struct pair p = { 0 };

	superblock_fill(p.primary);
	make_secondary(&p);
	return p;
}

static struct pair metadir_pair(void)
{
	struct pair p = { 0 };

	superblock_fill_metadir(p.primary);
	make_secondary(&p);
	return p;
}

static struct pair v4_pair(void)
{
	struct pair p = { .v4 = true };

	superblock_fill_v4(p.primary);
	make_secondary(&p);
	return p;
}

static void check_pair(struct pair *p)
{
	struct check c = { &p->geo, reported_add, &p->reported };

	memset(&p->reported, 0, sizeof(p->reported));
	if (!p->v4)
		put_crc(p->sector, SB_CRC);
	sb_check_secondary(&c, p->sector, p->primary, (agno_t){ 1 });
}

static void assert_field(struct pair p, uint32_t offset, unsigned size, uint64_t value, enum finding finding,
			 uint64_t want)
{
	put(p.sector, offset, size, value);
	check_pair(&p);
	assert_reported_once(&p.reported, finding, value, want);
	assert_int_equal(p.reported.problems[0].offset, offset);
}

static void assert_sound(struct pair p, uint32_t offset, unsigned size, uint64_t value)
{
	put(p.sector, offset, size, value);
	check_pair(&p);
	assert_int_equal(p.reported.count, 0);
}

static void secondary_of_mkfs_is_sound(void **state)
{
	struct pair plain = sound_pair();
	struct pair metadir = metadir_pair();

	(void)state;
	check_pair(&plain);
	assert_int_equal(plain.reported.count, 0);
	check_pair(&metadir);
	assert_int_equal(metadir.reported.count, 0);
}

static void copy_of_the_primary_is_sound(void **state)
{
	struct pair p = metadir_pair();

	(void)state;
	/* as growfs writes it */
	memcpy(p.sector, p.primary, SECTOR);
	check_pair(&p);
	assert_int_equal(p.reported.count, 0);
}

static void numbers_that_differ_are_reported_by_name(void **state)
{
	static const struct {
		uint32_t offset;
		unsigned size;
		enum finding finding;
	} fields[] = {
		{ SB_BLOCKSIZE, 4, F_SB2_BLOCKSIZE },
		{ SB_DBLOCKS, 8, F_SB2_DBLOCKS },
		{ SB_RBLOCKS, 8, F_SB2_RBLOCKS },
		{ SB_REXTENTS, 8, F_SB2_REXTENTS },
		{ SB_LOGSTART, 8, F_SB2_LOGSTART },
		{ SB_REXTSIZE, 4, F_SB2_REXTSIZE },
		{ SB_AGBLOCKS, 4, F_SB2_AGBLOCKS },
		{ SB_AGCOUNT, 4, F_SB2_AGCOUNT },
		{ SB_RBMBLOCKS, 4, F_SB2_RBMBLOCKS },
		{ SB_LOGBLOCKS, 4, F_SB2_LOGBLOCKS },
		{ SB_SECTSIZE, 2, F_SB2_SECTSIZE },
		{ SB_INODESIZE, 2, F_SB2_INODESIZE },
		{ SB_INOPBLOCK, 2, F_SB2_INOPBLOCK },
		{ SB_BLOCKLOG, 1, F_SB2_BLOCKLOG },
		{ SB_SECTLOG, 1, F_SB2_SECTLOG },
		{ SB_INODELOG, 1, F_SB2_INODELOG },
		{ SB_INOPBLOG, 1, F_SB2_INOPBLOG },
		{ SB_AGBLKLOG, 1, F_SB2_AGBLKLOG },
		{ SB_REXTSLOG, 1, F_SB2_REXTSLOG },
		{ SB_IMAX_PCT, 1, F_SB2_IMAX_PCT },
		{ SB_FLAGS, 1, F_SB2_FLAGS },
		{ SB_SHARED_VN, 1, F_SB2_SHARED_VN },
		{ SB_INOALIGNMT, 4, F_SB2_INOALIGNMT },
		{ SB_DIRBLKLOG, 1, F_SB2_DIRBLKLOG },
		{ SB_LOGSECTLOG, 1, F_SB2_LOGSECTLOG },
		{ SB_LOGSECTSIZE, 2, F_SB2_LOGSECTSIZE },
		{ SB_LOGSUNIT, 4, F_SB2_LOGSUNIT },
		{ SB_FEATURES2, 4, F_SB2_FEATURES2 },
		{ SB_BAD_FEATURES2, 4, F_SB2_BAD_FEATURES2 },
		{ SB_COMPAT, 4, F_SB2_FEATURES_COMPAT },
		{ SB_RO_COMPAT, 4, F_SB2_FEATURES_RO_COMPAT },
		{ SB_INCOMPAT, 4, F_SB2_FEATURES_INCOMPAT },
		{ SB_SPINO_ALIGN, 4, F_SB2_SPINO_ALIGN },
		{ SB_RGCOUNT, 4, F_SB2_RGCOUNT },
		{ SB_RGEXTENTS, 4, F_SB2_RGEXTENTS },
		{ SB_RGBLKLOG, 1, F_SB2_RGBLKLOG },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		struct pair p = metadir_pair();
		uint64_t want = 0;

		for (unsigned k = 0; k < fields[i].size; k++)
			want = want << 8 | p.primary[fields[i].offset + k];
		assert_field(p, fields[i].offset, fields[i].size, want + 1, fields[i].finding, want);
	}
}

static void uuids_and_label_are_compared(void **state)
{
	struct pair p = sound_pair();

	(void)state;
	p.sector[SB_UUID + 15] ^= 1;
	check_pair(&p);
	assert_reported_once(&p.reported, F_SB2_UUID, 0, 0);

	p = sound_pair();
	p.sector[SB_FNAME + 11] ^= 1;
	check_pair(&p);
	assert_reported_once(&p.reported, F_SB2_FNAME, 0, 0);

	p = sound_pair();
	put(p.primary, SB_INCOMPAT, 4, 0xef);
	memset(p.primary + SB_META_UUID, 0x77, 16);
	make_secondary(&p);
	assert_sound(p, SB_LSN, 8, 0);
	p.sector[SB_META_UUID] ^= 1;
	check_pair(&p);
	assert_reported_once(&p.reported, F_SB2_META_UUID, 0, 0);
}

static void feature_bits_of_the_primary_alone_may_lag(void **state)
{
	(void)state;
	/* attributes, quota, needsrepair, logged attributes */
	assert_sound(sound_pair(), SB_VERSIONNUM, 2, 0xb4a5);
	assert_sound(sound_pair(), SB_VERSIONNUM, 2, 0xb4f5);
	assert_sound(sound_pair(), SB_INCOMPAT, 4, 0xfb);
	assert_sound(sound_pair(), SB_LOG_INCOMPAT, 4, 1);
	assert_field(sound_pair(), SB_VERSIONNUM, 2, 0xf4b5, F_SB2_VERSIONNUM, 0xb4b5);
	assert_field(sound_pair(), SB_INCOMPAT, 4, 0x6b, F_SB2_FEATURES_INCOMPAT, 0xeb);
	assert_field(sound_pair(), SB_LOG_INCOMPAT, 4, 2, F_SB2_FEATURES_LOG_INCOMPAT, 0);
}

static void stripe_may_differ_but_must_fit(void **state)
{
	struct pair p = sound_pair();

	(void)state;
	put(p.primary, SB_VERSIONNUM, 2, 0xb5b5);
	put(p.primary, SB_UNIT, 4, 16);
	put(p.primary, SB_WIDTH, 4, 64);
	make_secondary(&p);
	put(p.sector, SB_WIDTH, 4, 32);
	assert_sound(p, SB_LSN, 8, 0);
	assert_field(p, SB_WIDTH, 4, 33, F_SB_WIDTH, 16);
}

static void magic_checksum_lsn_and_tail_are_checked(void **state)
{
	struct pair p = sound_pair();
	struct check c = { &p.geo, reported_add, &p.reported };
	uint32_t wrong;

	(void)state;
	assert_field(sound_pair(), SB_MAGICNUM, 4, 0, F_BLOCK_MAGIC, 0x58465342);
	assert_field(sound_pair(), SB_LSN, 8, 0x200000001, F_BLOCK_LSN, 0x200000000);
	assert_field(sound_pair(), 300, 1, 1, F_SB_TAIL, 0);
	assert_field(metadir_pair(), SB_PAD + 6, 1, 1, F_SB_TAIL, 0);

	put_crc(p.sector, SB_CRC);
	p.sector[SB_CRC] ^= 1;
	wrong = crc_block(p.sector, SECTOR, SB_CRC) ^ 1;
	sb_check_secondary(&c, p.sector, p.primary, (agno_t){ 1 });
	assert_reported_once(&p.reported, F_BLOCK_CRC, wrong, wrong ^ 1);
}

static void mark_of_mkfs_is_a_truth_value(void **state)
{
	(void)state;
	assert_sound(sound_pair(), SB_INPROGRESS, 1, 0);
	assert_field(sound_pair(), SB_INPROGRESS, 1, 2, F_SB2_INPROGRESS, 1);
}

static void inodes_are_those_of_the_primary_or_none(void **state)
{
	(void)state;
	assert_sound(sound_pair(), SB_ROOTINO, 8, 128);
	assert_field(sound_pair(), SB_ROOTINO, 8, 0, F_SB2_ROOTINO, 128);
	assert_field(sound_pair(), SB_RBMINO, 8, 128, F_SB2_RBMINO, 129);
	assert_field(sound_pair(), SB_RSUMINO, 8, 129, F_SB2_RSUMINO, 130);
	assert_field(metadir_pair(), SB_RBMINO, 8, ALL_ONES, F_SB2_RBMINO, 0);
	assert_sound(metadir_pair(), SB_METADIRINO, 8, 129);
	assert_field(metadir_pair(), SB_METADIRINO, 8, 128, F_SB2_METADIRINO, 129);
}

static void quota_is_known_only_where_growfs_copied_it(void **state)
{
	struct pair grown = sound_pair();

	(void)state;
	assert_sound(sound_pair(), SB_UQUOTINO, 8, ALL_ONES);
	assert_field(sound_pair(), SB_UQUOTINO, 8, 131, F_SB2_QUOTINO, 0);
	assert_field(sound_pair(), SB_QFLAGS, 2, 1, F_SB2_QFLAGS, 0);

	put(grown.sector, SB_INPROGRESS, 1, 0);
	assert_sound(grown, SB_PQUOTINO, 8, 131);
	assert_sound(grown, SB_QFLAGS, 2, 0x7cf);
	assert_field(grown, SB_PQUOTINO, 8, 7, F_SB2_QUOTINO, 0);
	assert_field(grown, SB_QFLAGS, 2, 0x10, F_SB2_QFLAGS, 0x7cf);
	assert_field(metadir_pair(), SB_GQUOTINO, 8, ALL_ONES, F_SB2_QUOTINO, 0);
}

static void stale_counters_must_be_possible(void **state)
{
	uint64_t blocks = AGCOUNT * AGBLOCKS;

	(void)state;
	assert_sound(sound_pair(), SB_FDBLOCKS, 8, blocks);
	assert_field(sound_pair(), SB_FDBLOCKS, 8, blocks + 1, F_SB2_COUNTER, blocks);
	assert_field(sound_pair(), SB_ICOUNT, 8, blocks * 8 + 1, F_SB2_COUNTER, blocks * 8);
	assert_field(sound_pair(), SB_IFREE, 8, ALL_ONES, F_SB2_COUNTER, blocks * 8);
	assert_field(sound_pair(), SB_FREXTENTS, 8, 1, F_SB2_COUNTER, 0);
}

static void secondary_of_version_4_is_sound(void **state)
{
	struct pair p = v4_pair();

	(void)state;
	check_pair(&p);
	assert_int_equal(p.reported.count, 0);
	/* the kernel has turned on what it needed: in the primary alone */
	put(p.sector, SB_VERSIONNUM, 2, 0xb4a4 & ~0x20);
	put(p.sector, SB_FEATURES2, 4, 0x282);
	put(p.sector, SB_BAD_FEATURES2, 4, 0x282);
	check_pair(&p);
	assert_int_equal(p.reported.count, 0);
}

static void fields_behind_version_4_are_unused(void **state)
{
	(void)state;
	assert_field(v4_pair(), SB_INCOMPAT + 3, 1, 1, F_SB_TAIL, 0);
	assert_field(v4_pair(), SB_PQUOTINO, 1, 1, F_SB_TAIL, 0);
}

static void wrong_features_of_version_4_are_reported(void **state)
{
	(void)state;
	assert_field(v4_pair(), SB_FEATURES2, 4, 0x08a, F_SB_FEATURES2_COPY, 0x28a);
	/* the features2 word, whose presence the bit announces, is not empty */
	assert_field(v4_pair(), SB_VERSIONNUM, 2, 0x34b4, F_SB2_VERSIONNUM, 0xb4b4);
}

static uint32_t versionnum(const uint8_t *sector)
{
	return (uint32_t)sector[SB_VERSIONNUM] << 8 | sector[SB_VERSIONNUM + 1];
}

static void overruled_primary_keeps_what_only_it_knows(void **state)
{
	struct pair p = v4_pair();

	(void)state;
	/* attributes came later than mkfs; link counts of 32 bits were there, and are never removed */
	put(p.sector, SB_VERSIONNUM, 2, 0xb4a4);
	put(p.primary, SB_VERSIONNUM, 2, 0x0010);
	sb_overrule(p.primary, p.sector);
	assert_int_equal(versionnum(p.primary), 0xb4b4);

	/* a kernel turned them on */
	p = v4_pair();
	put(p.sector, SB_VERSIONNUM, 2, 0xb484);
	put(p.primary, SB_DIRBLKLOG, 1, 3);
	sb_overrule(p.primary, p.sector);
	assert_int_equal(versionnum(p.primary), 0xb4b4);
	assert_int_equal(p.primary[SB_DIRBLKLOG], p.sector[SB_DIRBLKLOG]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(secondary_of_mkfs_is_sound),
		cmocka_unit_test(copy_of_the_primary_is_sound),
		cmocka_unit_test(numbers_that_differ_are_reported_by_name),
		cmocka_unit_test(uuids_and_label_are_compared),
		cmocka_unit_test(feature_bits_of_the_primary_alone_may_lag),
		cmocka_unit_test(stripe_may_differ_but_must_fit),
		cmocka_unit_test(magic_checksum_lsn_and_tail_are_checked),
		cmocka_unit_test(mark_of_mkfs_is_a_truth_value),
		cmocka_unit_test(inodes_are_those_of_the_primary_or_none),
		cmocka_unit_test(quota_is_known_only_where_growfs_copied_it),
		cmocka_unit_test(stale_counters_must_be_possible),
		cmocka_unit_test(secondary_of_version_4_is_sound),
		cmocka_unit_test(fields_behind_version_4_are_unused),
		cmocka_unit_test(wrong_features_of_version_4_are_reported),
		cmocka_unit_test(overruled_primary_keeps_what_only_it_knows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

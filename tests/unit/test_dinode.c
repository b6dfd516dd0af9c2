/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The core of inodes: identity, use, type, links and times (ondisk 04). */
#include "inodes.h"
#include "le_bytes.h"

static void empty_file_is_sound(void **state)
{
	struct fixture f = regular_file();

	(void)state;
	put32(&f, UID, 1000);
	put32(&f, GID, 100);
	put16(&f, PROJID_HI, 0x12);
	put16(&f, PROJID_LO, 0x3456);
	put64(&f, SIZE, 12345);
	assert_sound(&f);
	assert_true(f.inode.ino.v == NUMBER);
	assert_int_equal(f.inode.mode, 0100644);
	assert_int_equal(f.inode.ftype, FT_REG);
	assert_int_equal(f.inode.version, 3);
	assert_int_equal(f.inode.nlink, 1);
	assert_int_equal(f.inode.gen, 0x12345678);
	assert_int_equal(f.inode.uid, 1000);
	assert_int_equal(f.inode.gid, 100);
	assert_int_equal(f.inode.projid, 0x123456);
	assert_true(f.inode.size == 12345);
	assert_true(f.inode.nblocks == 0);
	assert_int_equal(f.inode.flags, 0);
	assert_true(f.inode.flags2 == (BIGTIME | NREXT64));
	assert_false(f.inode.reflink);
	assert_false(f.inode.metadata);
	assert_int_equal(f.inode.next_unlinked.v, NULL_AGINO);
}

static void wrong_magic_is_no_inode(void **state)
{
	struct fixture f = regular_file();

	(void)state;
	put16(&f, MAGIC, 0x494f);
	assert_finds(&f, F_BLOCK_MAGIC, MAGIC, 0x494f, 0x494e);
	assert_false(f.decoded);
}

static void wrong_version_hides_nothing(void **state)
{
	struct fixture f = file_of(3);

	(void)state;
	f.bytes[VERSION] = 2;
	assert_finds(&f, F_INODE_VERSION, VERSION, 2, 3);
	assert_true(f.decoded);
	assert_true(f.inode.fork[DATA_FORK].ok);
}

static void wrong_checksum_hides_nothing(void **state)
{
	struct fixture f = file_of(3);
	uint32_t crc;

	(void)state;
	assert_sound(&f);
	crc = get_le32(f.bytes + CRC);
	f.bytes[CRC] ^= 0x40;
	f.keep_crc = true;
	assert_finds(&f, F_BLOCK_CRC, CRC, crc ^ 0x40, crc);
	assert_true(f.decoded);
	assert_true(f.inode.fork[DATA_FORK].nextents == 3);
}

static void inode_of_another_place_is_reported(void **state)
{
	struct fixture f = regular_file();
	struct check c = { &f.geo, reported_add, &f.reported };

	(void)state;
	assert_sound(&f);
	assert_true(dinode_decode(&c, f.bytes, (xino_t){ NUMBER + 1 }, true, &f.inode));
	assert_reported_once(&f.reported, F_INODE_INO, NUMBER, NUMBER + 1);
	assert_true(f.inode.ino.v == NUMBER + 1);
}

static void wrong_uuid_is_reported(void **state)
{
	struct fixture f = regular_file();

	(void)state;
	f.bytes[UUID + 15] = 0xa4;
	assert_finds(&f, F_BLOCK_UUID, UUID, 0xa5a5a5a5a5a5a5a4, 0xa5a5a5a5a5a5a5a5);
}

static void lsn_not_before_the_head_of_the_log_is_reported(void **state)
{
	struct fixture f = regular_file();

	(void)state;
	put64(&f, LSN, 0x5000000ff);
	assert_sound(&f);
	put64(&f, LSN, 0x500000100);
	assert_finds(&f, F_BLOCK_LSN, LSN, 0x500000100, 0x500000100);
}

static void padding_must_be_zero(void **state)
{
	struct fixture f = regular_file();

	(void)state;
	f.bytes[PAD2 + 6] = 1;
	assert_finds(&f, F_INODE_PAD, PAD2 + 4, 0x100, 0);
}

static void mode_zero_in_use_is_reported_but_what_it_holds_is_kept(void **state)
{
	struct fixture f = file_of(3);

	(void)state;
	put16(&f, MODE, 0);
	assert_finds(&f, F_INODE_FREE_IN_USE, MODE, 0, 1);
	assert_true(f.decoded);
	assert_int_equal(f.inode.ftype, FT_UNKNOWN);
	assert_true(f.inode.fork[DATA_FORK].ok);
	assert_true(f.inode.fork[DATA_FORK].nextents == 3);
}

static void one_sign_of_use_is_enough(void **state)
{
	static const uint32_t signs[] = { NLINK + 3, NBLOCKS + 7, FORKOFF };

	(void)state;
	for (unsigned i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		struct fixture f = free_inode();

		f.in_use = true;
		f.bytes[signs[i]] = 1;
		decode(&f);
		assert_int_equal(reported_times(&f.reported, F_INODE_FREE_IN_USE), 1);
		assert_true(f.decoded);
	}
}

static void free_inode_in_use_is_reported_and_not_decoded(void **state)
{
	struct fixture f = free_inode();

	(void)state;
	f.in_use = true;
	assert_finds(&f, F_INODE_FREE_IN_USE, MODE, 0, 0);
	assert_false(f.decoded);
}

static void all_file_types_are_told_apart(void **state)
{
	static const struct {
		uint16_t mode;
		enum ftype ftype;
	} types[] = {
		{ 0010644, FT_FIFO }, { 0020644, FT_CHR },     { 0040755, FT_DIR },  { 0060644, FT_BLK },
		{ 0100644, FT_REG },  { 0120777, FT_SYMLINK }, { 0140755, FT_SOCK },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct fixture f = types[i].ftype == FT_DIR ? directory() : symlink_of(7);

		put16(&f, MODE, types[i].mode);
		if (types[i].ftype != FT_DIR && types[i].ftype != FT_SYMLINK) {
			put64(&f, SIZE, 0);
			f.bytes[FORMAT] = types[i].ftype == FT_REG ? 2 : 0;
		}
		assert_sound(&f);
		assert_int_equal(f.inode.ftype, types[i].ftype);
	}
}

static void mode_without_a_type_is_reported(void **state)
{
	static const uint16_t modes[] = { 0000644, 0030644, 0050644, 0070644, 0110644,
					  0130644, 0150644, 0160644, 0170644 };

	(void)state;
	for (unsigned i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		struct fixture f = file_of(2);

		put16(&f, MODE, modes[i]);
		assert_finds(&f, F_INODE_MODE, MODE, modes[i], 0);
		assert_int_equal(f.inode.ftype, FT_UNKNOWN);
		assert_true(f.inode.fork[DATA_FORK].ok);
	}
}

static void inodes_of_the_superblock_have_their_type(void **state)
{
	struct fixture root = regular_file(), metaroot = metadata_file();

	(void)state;
	root.ino = ROOT;
	assert_finds(&root, F_INODE_SB_TYPE, MODE, FT_REG, FT_DIR);
	metaroot.ino = METAROOT;
	assert_finds(&metaroot, F_INODE_SB_TYPE, MODE, FT_REG, FT_DIR);
	for (unsigned i = 0; i < 5; i++) {
		struct fixture f = directory();
		xino_t *named[] = { &f.geo.rbmino, &f.geo.rsumino, &f.geo.uquotino, &f.geo.gquotino, &f.geo.pquotino };

		named[i]->v = NUMBER;
		assert_finds(&f, F_INODE_SB_TYPE, MODE, FT_DIR, FT_REG);
		/* with a metadata directory they are found there */
		f.geo.metadir = true;
		assert_sound(&f);
	}
}

static void links_have_a_limit(void **state)
{
	struct fixture f = regular_file();

	(void)state;
	put32(&f, NLINK, 0x7fffffff);
	assert_sound(&f);
	put32(&f, NLINK, 0x80000000);
	assert_finds(&f, F_INODE_NLINK, NLINK, 0x80000000, 0x7fffffff);
	put32(&f, NLINK, UINT32_MAX); /* pinned */
	assert_sound(&f);
}

static void next_unlinked_goes_with_no_links(void **state)
{
	struct fixture f = regular_file();

	(void)state;
	put32(&f, NEXT_UNLINKED, 0x90);
	assert_finds(&f, F_INODE_NEXT_UNLINKED, NEXT_UNLINKED, 0x90, NULL_AGINO);
	assert_int_equal(f.inode.next_unlinked.v, NULL_AGINO);
	put32(&f, NLINK, 0);
	assert_sound(&f);
	assert_int_equal(f.inode.next_unlinked.v, 0x90);
	put32(&f, NEXT_UNLINKED, 20479 * 8 + 7); /* the last one in the group */
	assert_sound(&f);
}

static void next_unlinked_lies_in_the_same_group(void **state)
{
	/* in the AG header; beyond the AG; with more bits than an agino has */
	static const uint32_t wrong[] = { 7, 20480 * 8, 0x40008, 0xfffffffe };

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct fixture f = regular_file();

		put32(&f, NLINK, 0);
		put32(&f, NEXT_UNLINKED, wrong[i]);
		assert_finds(&f, F_INODE_NEXT_UNLINKED, NEXT_UNLINKED, wrong[i], NULL_AGINO);
		assert_int_equal(f.inode.next_unlinked.v, NULL_AGINO);
	}
}

static void times_of_two_words_have_less_than_a_second_of_nanoseconds(void **state)
{
	static const uint32_t stamps[] = { ATIME, MTIME, CTIME, CRTIME };

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct fixture f = regular_file();

		put64(&f, FLAGS2, NREXT64);
		for (unsigned k = 0; k < 4; k++)
			put64(&f, stamps[k], 0x80000000ull << 32 | 999999999);
		assert_sound(&f);
		put64(&f, stamps[i], 1000000000);
		assert_finds(&f, F_INODE_NSEC, stamps[i], 1000000000, 999999999);
	}
}

static void times_of_one_word_end_in_2486(void **state)
{
	struct fixture f = regular_file();

	(void)state;
	put64(&f, MTIME, 18446744072999999999ull);
	put64(&f, ATIME, 0);
	assert_sound(&f);
	put64(&f, MTIME, 18446744073000000000ull);
	assert_finds(&f, F_INODE_TIME, MTIME, 18446744073, 18446744072);
}

static void access_time_of_the_realtime_bitmap_is_a_counter(void **state)
{
	struct fixture f = regular_file();

	(void)state;
	f.ino = RBM;
	put64(&f, FLAGS2, 0);
	for (uint32_t at = MTIME; at <= CTIME; at += 8)
		put64(&f, at, 0);
	put64(&f, CRTIME, 0);
	put64(&f, ATIME, UINT64_MAX);
	assert_sound(&f);
}

static void version_2_is_what_version_4_has(void **state)
{
	struct fixture f = as_v4(regular_file());

	(void)state;
	put16(&f, PROJID_HI, 0x12);
	put16(&f, PROJID_LO, 0x3456);
	assert_sound(&f);
	assert_int_equal(f.inode.version, 2);
	assert_int_equal(f.inode.nlink, 1);
	assert_int_equal(f.inode.projid, 0x123456);
	assert_true(f.inode.flags2 == 0);
	assert_false(f.inode.reflink || f.inode.metadata);
}

static void version_1_keeps_its_links_elsewhere(void **state)
{
	struct fixture f = as_v1(regular_file());

	(void)state;
	put16(&f, ONLINK, 3);
	put32(&f, NLINK, 3);
	assert_sound(&f);
	assert_int_equal(f.inode.version, 1);
	assert_int_equal(f.inode.nlink, 3);
	/* the bytes of version 2's project id may have any value */
	put16(&f, PROJID_LO, 5);
	put16(&f, PROJID_HI, 6);
	f.bytes[PAD_V2] = 7;
	f.geo.projid32 = false;
	assert_sound(&f);
	assert_int_equal(f.inode.projid, 0);
	/* not all kernels wrote the copy */
	put32(&f, NLINK, 0);
	assert_sound(&f);
	assert_int_equal(f.inode.nlink, 3);
}

static void other_versions_are_not_in_version_4(void **state)
{
	struct fixture f = as_v4(regular_file());

	(void)state;
	f.bytes[VERSION] = 3;
	assert_finds(&f, F_INODE_VERSION, VERSION, 3, 2);
	assert_true(f.decoded);
	assert_int_equal(f.inode.version, 2);
	/* where no links are in the old place it can't be 1 */
	f.bytes[VERSION] = 1;
	assert_finds(&f, F_INODE_VERSION, VERSION, 1, 2);
	assert_int_equal(f.inode.nlink, 1);
}

static void old_link_count_of_version_2_is_zero(void **state)
{
	struct fixture f = as_v4(regular_file());

	(void)state;
	put16(&f, ONLINK, 1);
	assert_finds(&f, F_INODE_ONLINK, ONLINK, 1, 0);
	assert_true(f.decoded);
}

static void project_has_16_bits_without_the_feature(void **state)
{
	struct fixture f = as_v4(regular_file());

	(void)state;
	put16(&f, PROJID_HI, 9);
	assert_sound(&f);
	f.geo.projid32 = false;
	assert_finds(&f, F_INODE_PROJID_HI, PROJID_HI, 9, 0);
}

static void times_of_version_4_are_seconds_and_nanoseconds(void **state)
{
	struct fixture f = as_v4(regular_file());

	(void)state;
	put32(&f, MTIME + 4, 1000000000);
	assert_finds(&f, F_INODE_NSEC, MTIME, 1000000000, 999999999);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_file_is_sound),
		cmocka_unit_test(wrong_magic_is_no_inode),
		cmocka_unit_test(wrong_version_hides_nothing),
		cmocka_unit_test(wrong_checksum_hides_nothing),
		cmocka_unit_test(inode_of_another_place_is_reported),
		cmocka_unit_test(wrong_uuid_is_reported),
		cmocka_unit_test(lsn_not_before_the_head_of_the_log_is_reported),
		cmocka_unit_test(padding_must_be_zero),
		cmocka_unit_test(mode_zero_in_use_is_reported_but_what_it_holds_is_kept),
		cmocka_unit_test(one_sign_of_use_is_enough),
		cmocka_unit_test(free_inode_in_use_is_reported_and_not_decoded),
		cmocka_unit_test(all_file_types_are_told_apart),
		cmocka_unit_test(mode_without_a_type_is_reported),
		cmocka_unit_test(inodes_of_the_superblock_have_their_type),
		cmocka_unit_test(links_have_a_limit),
		cmocka_unit_test(next_unlinked_goes_with_no_links),
		cmocka_unit_test(next_unlinked_lies_in_the_same_group),
		cmocka_unit_test(times_of_two_words_have_less_than_a_second_of_nanoseconds),
		cmocka_unit_test(times_of_one_word_end_in_2486),
		cmocka_unit_test(access_time_of_the_realtime_bitmap_is_a_counter),
		cmocka_unit_test(version_2_is_what_version_4_has),
		cmocka_unit_test(version_1_keeps_its_links_elsewhere),
		cmocka_unit_test(other_versions_are_not_in_version_4),
		cmocka_unit_test(old_link_count_of_version_2_is_zero),
		cmocka_unit_test(project_has_16_bits_without_the_feature),
		cmocka_unit_test(times_of_version_4_are_seconds_and_nanoseconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

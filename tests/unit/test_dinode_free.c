/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inodes that are not in use (ondisk 04, "Free inodes"). */
#include "inodes.h"

/* A free inode as the kernel leaves it after it was a file. */
static struct fixture used_once(void)
{
	struct fixture f = free_inode();

	f.bytes[FORMAT] = 2;
	f.bytes[AFORMAT] = 2;
	put32(&f, UID, 1000);
	put32(&f, GID, 1000);
	put16(&f, PROJID_LO, 77);
	put64(&f, SIZE, 10);
	put32(&f, EXTSIZE, 16);
	put32(&f, COWEXTSIZE, 32);
	put64(&f, CTIME, 0x36b74ee369a20e63);
	put64(&f, LSN, 0x500000001);
	put64(&f, FLAGS2, BIGTIME | NREXT64);
	memset(f.bytes + LITERAL, 0x5a, LITINO);
	return f;
}

static void fresh_inode_is_sound(void **state)
{
	struct fixture f = free_inode();

	(void)state;
	assert_sound(&f);
}

static void leftovers_of_a_file_are_sound(void **state)
{
	struct fixture f = used_once();

	(void)state;
	assert_sound(&f);
}

static void mode_of_a_free_inode_is_all_that_is_reported(void **state)
{
	struct fixture f = file_of(3);

	(void)state;
	f.in_use = false;
	assert_finds(&f, F_INODE_USED_BUT_FREE, MODE, 0100644, 0);
	assert_false(f.decoded);
}

static void fields_that_are_empty_in_free_inodes(void **state)
{
	static const struct {
		uint32_t offset;
		unsigned size;
	} fields[] = {
		{ METATYPE, 2 }, { NLINK, 4 },	   { BIG_NEXTENTS, 8 }, { NBLOCKS, 8 },
		{ NEXTENTS, 4 }, { ANEXTENTS, 2 }, { FORKOFF, 1 },	{ FLAGS, 2 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		struct fixture f = used_once();

		f.bytes[fields[i].offset + fields[i].size - 1] = 0x40;
		assert_finds(&f, F_INODE_FREE_FIELD, fields[i].offset, 0x40, 0);
		assert_false(f.decoded);
	}
}

static void flags2_keep_only_what_says_nothing(void **state)
{
	struct fixture f = used_once();

	(void)state;
	put64(&f, FLAGS2, BIGTIME | NREXT64 | 1); /* DAX: old kernels left it */
	assert_sound(&f);
	put64(&f, FLAGS2, BIGTIME | METADATA | 2);
	assert_finds(&f, F_INODE_FREE_FIELD, FLAGS2, METADATA | 2, 0);
	f.geo.bigtime = false;
	put64(&f, FLAGS2, BIGTIME);
	assert_finds(&f, F_INODE_FREE_FIELD, FLAGS2, BIGTIME, 0);
}

static void formats_of_nothing(void **state)
{
	struct fixture f = used_once();

	(void)state;
	f.bytes[FORMAT] = 1;
	assert_finds(&f, F_INODE_FREE_FORMAT, FORMAT, 1, 2);
	f.bytes[FORMAT] = 0;
	f.bytes[AFORMAT] = 3;
	assert_finds(&f, F_INODE_FREE_FORMAT, AFORMAT, 3, 2);
}

static void limits_hold_for_what_is_left(void **state)
{
	struct fixture f = used_once();

	(void)state;
	put64(&f, SIZE, 1ull << 63);
	assert_finds(&f, F_INODE_SIZE, SIZE, 1ull << 63, INT64_MAX);
	f = used_once();
	put32(&f, EXTSIZE, 10240);
	put32(&f, COWEXTSIZE, 10240);
	assert_sound(&f);
	put32(&f, EXTSIZE, 10241);
	assert_finds(&f, F_INODE_EXTSIZE, EXTSIZE, 10241, 10240);
	f = used_once();
	put32(&f, COWEXTSIZE, 10241);
	assert_finds(&f, F_INODE_COWEXTSIZE, COWEXTSIZE, 10241, 10240);
}

static void free_inodes_are_on_no_list(void **state)
{
	struct fixture f = used_once();

	(void)state;
	put32(&f, NEXT_UNLINKED, 0);
	assert_finds(&f, F_INODE_NEXT_UNLINKED, NEXT_UNLINKED, 0, NULL_AGINO);
}

static void identity_of_free_inodes_is_checked(void **state)
{
	struct fixture f = free_inode();

	(void)state;
	f.bytes[VERSION] = 4;
	assert_finds(&f, F_INODE_VERSION, VERSION, 4, 3);
	f = free_inode();
	put32(&f, PAD2, 1);
	assert_finds(&f, F_INODE_PAD, PAD2, 1, 0);
}

static void free_inodes_of_version_4_are_sound(void **state)
{
	struct fixture fresh = as_v4(free_inode()), used = as_v4(used_once()), oldest = as_v4(used_once());

	(void)state;
	/* what version 3 has there are the bytes of forks */
	memset(used.bytes + LITERAL_V4, 0x5a, INODE_SIZE - LITERAL_V4);
	oldest.bytes[VERSION] = 1;
	assert_sound(&fresh);
	assert_sound(&used);
	assert_sound(&oldest);
}

static void padding_of_free_inodes_of_version_4_is_empty(void **state)
{
	struct fixture f = as_v4(free_inode());

	(void)state;
	f.bytes[PAD_V2] = 1;
	assert_finds(&f, F_INODE_FREE_FIELD, BIG_NEXTENTS, 1ull << 56, 0);
}

static uint32_t get32(const struct fixture *f, uint32_t offset)
{
	return (uint32_t)f->bytes[offset] << 24 | (uint32_t)f->bytes[offset + 1] << 16 |
	       (uint32_t)f->bytes[offset + 2] << 8 | f->bytes[offset + 3];
}

static void what_was_in_use_can_be_made_free(void **state)
{
	const struct fixture used[] = { file_of(3), directory(), symlink_of(20), as_v4(file_of(3)), as_v1(file_of(3)) };

	(void)state;
	for (size_t i = 0; i < sizeof(used) / sizeof(used[0]); i++) {
		struct fixture f = used[i];

		put32(&f, NEXT_UNLINKED, 128);
		dinode_set_free(&f.geo, f.bytes);
		f.in_use = false;
		assert_sound(&f);
		/* an old file handle must not match the next file */
		assert_int_equal(get32(&f, GEN), get32(&used[i], GEN) + 1);
		assert_int_equal(get32(&f, UID), get32(&used[i], UID));
	}
}

static void the_checksum_of_a_freed_inode_is_right(void **state)
{
	struct fixture f = file_of(3);

	(void)state;
	decode(&f); /* sets its number */
	dinode_set_free(&f.geo, f.bytes);
	f.in_use = false;
	f.keep_crc = true;
	assert_sound(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fresh_inode_is_sound),
		cmocka_unit_test(leftovers_of_a_file_are_sound),
		cmocka_unit_test(mode_of_a_free_inode_is_all_that_is_reported),
		cmocka_unit_test(fields_that_are_empty_in_free_inodes),
		cmocka_unit_test(flags2_keep_only_what_says_nothing),
		cmocka_unit_test(formats_of_nothing),
		cmocka_unit_test(limits_hold_for_what_is_left),
		cmocka_unit_test(free_inodes_are_on_no_list),
		cmocka_unit_test(identity_of_free_inodes_is_checked),
		cmocka_unit_test(free_inodes_of_version_4_are_sound),
		cmocka_unit_test(padding_of_free_inodes_of_version_4_is_empty),
		cmocka_unit_test(what_was_in_use_can_be_made_free),
		cmocka_unit_test(the_checksum_of_a_freed_inode_is_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

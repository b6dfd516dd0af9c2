/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Targets of symbolic links, in the inode and in extents (ondisk 08). */
#include "attrs.h"
#include "libxfs/crc.h"

enum { MAGIC = 0, OFFSET = 4, BYTES = 8, CRC = 12, UUID = 16, HDR_OWNER = 32, BLKNO = 40, LSN = 48, TARGET = 56 };

#define DADDR 0x4321u

struct fixture {
	struct geometry geo;
	uint8_t extent[4096];
	size_t len;
	uint32_t dablk;
	uint64_t size; /* of the target: V4 */
	struct reported reported;
	struct symlink_part part;
	bool keep_crc;
	bool decoded;
};

/* Makes an extent of so many 1k blocks with part of a target. */
static struct fixture extent_of(unsigned blocks, uint32_t dablk, uint32_t offset, uint32_t bytes)
{
	struct fixture f = { .geo = attrs_geometry(10), .len = blocks * 1024, .dablk = dablk };

	f.geo.head_lsn.v = 0x200000000;
	put32(f.extent, MAGIC, 0x58534c4d);
	put32(f.extent, OFFSET, offset);
	put32(f.extent, BYTES, bytes);
	memcpy(f.extent + UUID, f.geo.meta_uuid, 16);
	put64(f.extent, HDR_OWNER, OWNER);
	put64(f.extent, BLKNO, DADDR);
	put64(f.extent, LSN, 0x100000010);
	memset(f.extent + TARGET, 't', bytes < f.len - TARGET ? bytes : f.len - TARGET);
	return f;
}

static void decode(struct fixture *f)
{
	struct check c = { &f->geo, reported_add, &f->reported };
	const struct da_expect expect = { { OWNER }, { DADDR }, { f->dablk }, DATA_FORK };
	le32_t crc = le32_put(crc_block(f->extent, f->len, CRC));

	if (!f->keep_crc)
		memcpy(f->extent + CRC, &crc, sizeof(crc));
	f->decoded = symlink_remote_decode(&c, f->extent, f->len, &expect, f->size, &f->part);
}

static void target_in_one_extent_is_sound(void **state)
{
	struct fixture f = extent_of(2, 0, 0, 1023);

	(void)state;
	decode(&f);
	assert_true(f.decoded);
	assert_int_equal(f.reported.count, 0);
	assert_int_equal(f.part.offset, 0);
	assert_int_equal(f.part.bytes, 1023);
}

static void later_extents_start_where_full_ones_end(void **state)
{
	/* after one block; after two blocks that are one extent, or two */
	static const struct {
		uint32_t dablk, offset;
		bool possible;
	} cases[] = {
		{ 1, 968, true },   { 1, 0, false },   { 1, 967, false }, { 1, 1024, false },
		{ 2, 2048, false }, { 2, 912, false }, { 0, 968, false }, { 0, 1, false },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = extent_of(1, cases[i].dablk, cases[i].offset, 50);

		decode(&f);
		assert_int_equal(f.decoded, cases[i].possible);
		if (cases[i].possible)
			assert_int_equal(f.reported.count, 0);
		else
			assert_reported_once(&f.reported, F_SYMLINK_OFFSET, cases[i].offset, 0);
	}
}

static void other_magic_is_no_target(void **state)
{
	struct fixture f = extent_of(1, 0, 0, 300);

	(void)state;
	put32(f.extent, MAGIC, 0x58534c4c);
	decode(&f);
	assert_false(f.decoded);
	assert_reported_once(&f.reported, F_BLOCK_MAGIC, 0x58534c4c, 0x58534c4d);
}

static void wrong_identity_does_not_hide_the_target(void **state)
{
	struct fixture f = extent_of(1, 0, 0, 300);

	(void)state;
	put64(f.extent, HDR_OWNER, OWNER + 1);
	put64(f.extent, LSN, 0x200000001);
	decode(&f);
	assert_true(f.decoded);
	assert_int_equal(f.part.bytes, 300);
	assert_int_equal(f.reported.count, 2);
	assert_int_equal(reported_times(&f.reported, F_BLOCK_OWNER), 1);
	assert_int_equal(reported_times(&f.reported, F_BLOCK_LSN), 1);

	f = extent_of(1, 0, 0, 300);
	f.extent[UUID + 15] ^= 1;
	decode(&f);
	assert_true(f.decoded);
	assert_int_equal(f.part.bytes, 300);
	assert_int_equal(f.reported.count, 1);
	assert_int_equal(reported_times(&f.reported, F_BLOCK_UUID), 1);
}

static void extent_of_another_place_and_owner_is_no_target(void **state)
{
	struct fixture f = extent_of(1, 0, 0, 300);

	(void)state;
	put64(f.extent, HDR_OWNER, OWNER + 1);
	put64(f.extent, BLKNO, DADDR + 8);
	decode(&f);
	assert_false(f.decoded);
	assert_int_equal(f.reported.count, 2);
	assert_int_equal(reported_times(&f.reported, F_BLOCK_OWNER), 1);
	assert_int_equal(reported_times(&f.reported, F_BLOCK_BLKNO), 1);
}

static void checksum_covers_the_whole_extent(void **state)
{
	struct fixture f = extent_of(2, 0, 0, 1023);

	(void)state;
	decode(&f);
	f.keep_crc = true;
	f.extent[2047] ^= 1; /* after the target */
	decode(&f);
	assert_true(f.decoded);
	assert_int_equal(f.reported.count, 1);
	assert_int_equal(f.reported.problems[0].finding, F_BLOCK_CRC);
}

static void bytes_that_do_not_fit_are_reported(void **state)
{
	static const struct {
		unsigned blocks;
		uint32_t dablk, offset, bytes, most;
	} cases[] = {
		{ 1, 0, 0, 0, 968 },	 { 1, 0, 0, 969, 968 }, { 1, 0, 0, UINT32_MAX, 968 },
		{ 2, 0, 0, 1025, 1024 }, { 1, 1, 968, 57, 56 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = extent_of(cases[i].blocks, cases[i].dablk, cases[i].offset, cases[i].bytes);

		decode(&f);
		assert_false(f.decoded);
		assert_reported_once(&f.reported, F_SYMLINK_BYTES, cases[i].bytes, cases[i].most);
	}
}

static void nul_in_the_target_is_reported(void **state)
{
	struct fixture f = extent_of(1, 0, 0, 300);

	(void)state;
	f.extent[TARGET + 299] = 0;
	decode(&f);
	assert_true(f.decoded);
	assert_reported_once(&f.reported, F_SYMLINK_NUL, 299, 300);
	assert_int_equal(f.reported.problems[0].offset, TARGET + 299);
}

static void target_in_the_inode_fits_and_has_no_nul(void **state)
{
	static const uint8_t fork[336] = "short";
	struct fixture f = extent_of(1, 0, 0, 1);
	struct check c = { &f.geo, reported_add, &f.reported };

	(void)state;
	assert_true(symlink_local_check(&c, fork, sizeof(fork), 5));
	assert_int_equal(f.reported.count, 0);
	assert_false(symlink_local_check(&c, fork, sizeof(fork), 6));
	assert_reported_once(&f.reported, F_SYMLINK_NUL, 5, 6);
}

static void impossible_size_in_the_inode_is_reported(void **state)
{
	static const uint8_t fork[2048];
	static const struct {
		size_t fork_size;
		uint64_t size, most;
	} cases[] = {
		{ 336, 0, 336 }, { 336, 337, 336 }, { 336, UINT64_MAX, 336 }, { 2048, 1025, 1024 }, { 0, 1, 0 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = extent_of(1, 0, 0, 1);
		struct check c = { &f.geo, reported_add, &f.reported };

		assert_false(symlink_local_check(&c, fork, cases[i].fork_size, cases[i].size));
		assert_reported_once(&f.reported, F_INODE_SIZE, cases[i].size, cases[i].most);
	}
}

/* Makes an extent of 1k blocks as on V4: nothing but the target. */
static struct fixture raw_extent(unsigned blocks, uint32_t dablk, uint64_t size)
{
	struct fixture f = extent_of(blocks, dablk, 0, 0);

	f.geo.crc = false;
	f.geo.version = 4;
	f.geo.block_log = 9;
	f.geo.block_size = 512;
	f.len = blocks * 512;
	f.size = size;
	f.keep_crc = true;
	memset(f.extent, 't', f.len);
	return f;
}

static void target_of_v4_has_no_header(void **state)
{
	static const struct {
		unsigned blocks;
		uint32_t dablk, size, offset, bytes;
	} cases[] = {
		{ 1, 0, 300, 0, 300 },	  { 2, 0, 1023, 0, 1023 }, { 1, 0, 1023, 0, 512 },
		{ 1, 1, 1023, 512, 511 }, { 2, 0, 1024, 0, 1024 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = raw_extent(cases[i].blocks, cases[i].dablk, cases[i].size);

		decode(&f);
		assert_true(f.decoded);
		assert_int_equal(f.reported.count, 0);
		assert_int_equal(f.part.offset, cases[i].offset);
		assert_int_equal(f.part.bytes, cases[i].bytes);
	}
}

static void nul_in_a_target_of_v4_is_reported(void **state)
{
	struct fixture f = raw_extent(1, 1, 600);

	(void)state;
	f.extent[88] = 0; /* beyond the end */
	decode(&f);
	assert_int_equal(f.reported.count, 0);
	f.extent[87] = 0;
	decode(&f);
	assert_true(f.decoded);
	assert_reported_once(&f.reported, F_SYMLINK_NUL, 87, 88);
}

static void blocks_of_v4_beyond_the_target_do_not_add_up_to_it(void **state)
{
	struct fixture f = raw_extent(2, 0, 300);

	(void)state;
	decode(&f);
	assert_true(f.decoded);
	assert_int_equal(f.part.bytes, 1024); /* not 300, so that the sum is wrong */

	f = raw_extent(1, 1, 300);
	decode(&f);
	assert_false(f.decoded);
	assert_reported_once(&f.reported, F_SYMLINK_OFFSET, 512, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(target_in_one_extent_is_sound),
		cmocka_unit_test(later_extents_start_where_full_ones_end),
		cmocka_unit_test(other_magic_is_no_target),
		cmocka_unit_test(wrong_identity_does_not_hide_the_target),
		cmocka_unit_test(extent_of_another_place_and_owner_is_no_target),
		cmocka_unit_test(checksum_covers_the_whole_extent),
		cmocka_unit_test(bytes_that_do_not_fit_are_reported),
		cmocka_unit_test(nul_in_the_target_is_reported),
		cmocka_unit_test(target_in_the_inode_fits_and_has_no_nul),
		cmocka_unit_test(impossible_size_in_the_inode_is_reported),
		cmocka_unit_test(target_of_v4_has_no_header),
		cmocka_unit_test(nul_in_a_target_of_v4_is_reported),
		cmocka_unit_test(blocks_of_v4_beyond_the_target_do_not_add_up_to_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

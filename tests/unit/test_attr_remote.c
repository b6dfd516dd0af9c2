/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks of remote attribute values (ondisk 07, "Remote values"). */
#include "attrs.h"
#include "libxfs/crc.h"

enum { MAGIC = 0, OFFSET = 4, BYTES = 8, CRC = 12, UUID = 16, HDR_OWNER = 32, BLKNO = 40, LSN = 48, VALUE = 56 };

#define DADDR	 0x4321u
#define CAPACITY (4096u - VALUE)

struct fixture {
	struct geometry geo;
	uint8_t block[4096];
	struct reported reported;
	struct attr_remote remote;
	bool keep_crc;
	bool decoded;
};

/* The second block of a value. */
static struct fixture sound_block(void)
{
	struct fixture f = { .geo = attrs_geometry(12) };

	put32(f.block, MAGIC, 0x5841524d);
	put32(f.block, OFFSET, CAPACITY);
	put32(f.block, BYTES, 960);
	memcpy(f.block + UUID, f.geo.meta_uuid, 16);
	put64(f.block, HDR_OWNER, OWNER);
	put64(f.block, BLKNO, DADDR);
	put64(f.block, LSN, UINT64_MAX);
	memset(f.block + VALUE, 'v', 960);
	return f;
}

static void decode(struct fixture *f)
{
	struct check c = { &f->geo, reported_add, &f->reported };
	const struct da_expect expect = { { OWNER }, { DADDR }, { 4 }, ATTR_FORK };
	le32_t crc = le32_put(crc_block(f->block, 4096, CRC));

	if (!f->keep_crc)
		memcpy(f->block + CRC, &crc, sizeof(crc));
	f->decoded = attr_remote_decode(&c, f->block, &expect, &f->remote);
}

static void sound_block_says_which_part_it_is(void **state)
{
	struct fixture f = sound_block();

	(void)state;
	decode(&f);
	assert_true(f.decoded);
	assert_int_equal(f.reported.count, 0);
	assert_int_equal(f.remote.offset, CAPACITY);
	assert_int_equal(f.remote.bytes, 960);
	assert_int_equal(attr_remote_capacity(&f.geo), CAPACITY);
}

static void other_magic_is_no_value_block(void **state)
{
	struct fixture f = sound_block();

	(void)state;
	f.block[MAGIC] = 0;
	decode(&f);
	assert_false(f.decoded);
	assert_reported_once(&f.reported, F_BLOCK_MAGIC, 0x0041524d, 0x5841524d);
}

static void wrong_identity_does_not_hide_the_contents(void **state)
{
	struct fixture f = sound_block();

	(void)state;
	put64(f.block, BLKNO, DADDR + 8);
	decode(&f);
	assert_true(f.decoded);
	assert_int_equal(f.reported.count, 1);
	assert_int_equal(f.reported.problems[0].finding, F_BLOCK_BLKNO);

	f = sound_block();
	f.block[UUID + 15] ^= 1;
	decode(&f);
	assert_true(f.decoded);
	assert_int_equal(f.reported.count, 1);
	assert_int_equal(f.reported.problems[0].finding, F_BLOCK_UUID);

	f = sound_block();
	f.keep_crc = true;
	decode(&f);
	assert_true(f.decoded);
	assert_int_equal(f.reported.count, 1);
	assert_int_equal(f.reported.problems[0].finding, F_BLOCK_CRC);
}

static void block_of_another_place_and_owner_is_none_of_the_value(void **state)
{
	struct fixture f = sound_block();

	(void)state;
	put64(f.block, HDR_OWNER, OWNER + 1);
	put64(f.block, BLKNO, DADDR + 8);
	decode(&f);
	assert_false(f.decoded);
	assert_int_equal(f.reported.count, 2);
	assert_int_equal(reported_times(&f.reported, F_BLOCK_OWNER), 1);
	assert_int_equal(reported_times(&f.reported, F_BLOCK_BLKNO), 1);
}

static void lsn_of_a_log_is_reported(void **state)
{
	struct fixture f = sound_block();

	(void)state;
	put64(f.block, LSN, 0x100000010);
	decode(&f);
	assert_true(f.decoded);
	assert_reported_once(&f.reported, F_ATTR_REMOTE_LSN, 0x100000010, UINT64_MAX);

	f = sound_block();
	put64(f.block, LSN, 0); /* by an old kernel */
	decode(&f);
	assert_int_equal(f.reported.count, 0);
}

static void offset_where_no_block_starts_is_reported(void **state)
{
	static const uint32_t wrong[] = { 1, CAPACITY - 1, 4096, 65536, 17 * CAPACITY, UINT32_MAX };

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct fixture f = sound_block();

		put32(f.block, OFFSET, wrong[i]);
		decode(&f);
		assert_false(f.decoded);
		assert_reported_once(&f.reported, F_ATTR_REMOTE_OFFSET, wrong[i], wrong[i] / CAPACITY * CAPACITY);
	}
}

static void bytes_that_do_not_fit_are_reported(void **state)
{
	static const uint32_t wrong[] = { 0, CAPACITY + 1, UINT32_MAX };
	struct fixture f;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		f = sound_block();
		put32(f.block, BYTES, wrong[i]);
		decode(&f);
		assert_false(f.decoded);
		assert_reported_once(&f.reported, F_ATTR_REMOTE_BYTES, wrong[i], CAPACITY);
	}
	/* the last block of the largest value holds 896 bytes of it */
	f = sound_block();
	put32(f.block, OFFSET, 16 * CAPACITY);
	put32(f.block, BYTES, 896);
	decode(&f);
	assert_int_equal(f.reported.count, 0);
	put32(f.block, BYTES, 897);
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_REMOTE_BYTES, 897, 896);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_block_says_which_part_it_is),
		cmocka_unit_test(other_magic_is_no_value_block),
		cmocka_unit_test(wrong_identity_does_not_hide_the_contents),
		cmocka_unit_test(block_of_another_place_and_owner_is_none_of_the_value),
		cmocka_unit_test(lsn_of_a_log_is_reported),
		cmocka_unit_test(offset_where_no_block_starts_is_reported),
		cmocka_unit_test(bytes_that_do_not_fit_are_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

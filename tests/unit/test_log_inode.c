/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inodes in the log (ondisk 11, "INODE"): byte orders, both forms of the format, conversion of the core. */
#include "log_items.h"

enum {
	FIELDS = 4,
	ASIZE = 8,
	DSIZE = 10,
	INO = 16, /* from here on 4 less in the form of 32-bit machines */
	RDEV = 24,
	BLKNO = 40,
	LEN = 48,
	BOFFSET = 52,
	SHORTER = 4,
};

/* the core */
enum {
	MAGIC = 0,
	MODE = 2,
	VERSION = 4,
	FORMAT = 5,
	METATYPE = 6,
	NLINK = 16,
	COUNTERS = 24,
	ATIME = 32,
	SIZE = 56,
	NBLOCKS = 64,
	NEXTENTS = 76,
	ANEXTENTS = 80,
	FORKOFF = 82,
	GEN = 92,
	UNLINKED = 96,
	CHANGECOUNT = 104,
	CORE_LSN = 112,
	FLAGS2 = 120,
	PAD2 = 132,
	CRTIME = 144,
	CORE_INO = 152,
	UUID = 160,
};

#define THE_INO	 ((1ull << 17) + 8 * 8 + 3) /* AG 1, block 8, the fourth one */
#define THE_BYTE ((16384ull + 8) * 4096 + 3 * 512)

/* A file of AG 1 whose buffer is 8 KiB; core of version 3, two extents. */
static void begin(struct item *i, bool be, bool is32)
{
	unsigned shift = is32 ? SHORTER : 0;

	item_begin(i, be, INODE, 3, 56 - shift);
	item32(i, 0, FIELDS, 0x5);
	item16(i, 0, DSIZE, 32);
	item64(i, 0, INO - shift, THE_INO);
	item64(i, 0, BLKNO - shift, (16384 + 8) * 8);
	item32(i, 0, LEN - shift, 16);
	item32(i, 0, BOFFSET - shift, 3 * 512);
	set_region_len(i, 1, 176);
	item16(i, 1, MAGIC, 0x494e);
	item16(i, 1, MODE, 0x81a4);
	i->bytes[1][VERSION] = 3;
	i->bytes[1][FORMAT] = 2;
	item32(i, 1, NLINK, 0x01020304);
	item64(i, 1, ATIME, 0x1122334455667788);
	item64(i, 1, SIZE, 0x0a0b0c0d0e0f);
	item32(i, 1, NEXTENTS, 2);
	item16(i, 1, ANEXTENTS, 0x0506);
	item32(i, 1, GEN, 0xdeadbeef);
	item64(i, 1, CORE_INO, THE_INO);
	i->bytes[1][UUID] = 0x77;
	set_region_len(i, 2, 32);
}

static uint64_t core(const struct log_inode *inode, unsigned at, unsigned size)
{
	uint64_t value = 0;

	for (unsigned k = 0; k < size; k++)
		value = value << 8 | inode->core[at + k];
	return value;
}

static void both_forms_in_both_byte_orders_say_the_same(void **state)
{
	(void)state;
	for (unsigned k = 0; k < 4; k++) {
		struct log_inode inode;
		struct item i;

		begin(&i, k & 1, k & 2);
		assert_true(log_inode_decode(&i.c, &i.item, &inode));
		assert_nothing(&i);
		assert_true(inode.ino.v == THE_INO);
		assert_true(inode.daddr.v == (16384 + 8) * 8);
		assert_int_equal(inode.len, 16);
		assert_int_equal(inode.offset, 3 * 512);
		assert_int_equal(inode.fields, LOG_INODE_CORE | LOG_INODE_DEXT);
		assert_int_equal(inode.core_len, 176);
		assert_int_equal(core(&inode, MAGIC, 2), 0x494e);
		assert_int_equal(core(&inode, MODE, 2), 0x81a4);
		assert_int_equal(core(&inode, NLINK, 4), 0x01020304);
		assert_true(core(&inode, SIZE, 8) == 0x0a0b0c0d0e0f);
		assert_int_equal(core(&inode, NEXTENTS, 4), 2);
		assert_int_equal(core(&inode, ANEXTENTS, 2), 0x0506);
		assert_int_equal(core(&inode, GEN, 4), 0xdeadbeef);
		assert_true(core(&inode, CORE_INO, 8) == THE_INO);
		assert_int_equal(core(&inode, UUID, 1), 0x77);
		assert_ptr_equal(inode.data.bytes, i.bytes[2]);
		assert_int_equal(inode.data.len, 32);
		assert_int_equal(inode.attr.len, 0);
	}
}

static void time_stamps_are_two_numbers_or_one(void **state)
{
	(void)state;
	for (unsigned be = 0; be < 2; be++) {
		struct log_inode inode;
		struct item i;

		begin(&i, be, false);
		item32(&i, 1, ATIME, 0x11223344); /* seconds, nanoseconds */
		item32(&i, 1, ATIME + 4, 0x55667788);
		assert_true(log_inode_decode(&i.c, &i.item, &inode));
		assert_true(core(&inode, ATIME, 8) == 0x1122334455667788);
		begin(&i, be, false);
		item64(&i, 1, FLAGS2, 8); /* bigtime */
		item64(&i, 1, CRTIME, 0x8877665544332211);
		assert_true(log_inode_decode(&i.c, &i.item, &inode));
		assert_true(core(&inode, ATIME, 8) == 0x1122334455667788);
		assert_true(core(&inode, CRTIME, 8) == 0x8877665544332211);
		assert_int_equal(core(&inode, FLAGS2, 8), 8);
	}
}

static void extent_counters_have_two_forms(void **state)
{
	(void)state;
	for (unsigned be = 0; be < 2; be++) {
		struct log_inode inode;
		struct item i;

		begin(&i, be, false);
		item64(&i, 1, COUNTERS, 0x1234); /* nothing is there without large counters */
		assert_true(log_inode_decode(&i.c, &i.item, &inode));
		assert_int_equal(core(&inode, COUNTERS, 8), 0);
		item64(&i, 1, FLAGS2, 0x10);
		assert_true(log_inode_decode(&i.c, &i.item, &inode));
		assert_int_equal(core(&inode, COUNTERS, 8), 0x1234);
		assert_int_equal(core(&inode, NEXTENTS, 4), 2);
		assert_int_equal(core(&inode, ANEXTENTS, 2), 0);
	}
}

static void padding_and_type_of_metadata_are_as_on_the_disk(void **state)
{
	struct log_inode inode;
	struct item i;

	(void)state;
	begin(&i, false, false);
	item16(&i, 1, METATYPE, 7);
	item32(&i, 1, PAD2, 1);
	assert_true(log_inode_decode(&i.c, &i.item, &inode));
	assert_int_equal(core(&inode, METATYPE, 2), 0);
	assert_int_equal(core(&inode, PAD2, 4), 0);
	i.geo.metadir = true;
	assert_true(log_inode_decode(&i.c, &i.item, &inode));
	assert_int_equal(core(&inode, METATYPE, 2), 7);
}

static void version_2_has_a_short_core_and_a_counter_of_flushes(void **state)
{
	(void)state;
	for (unsigned be = 0; be < 2; be++) {
		struct log_inode inode;
		struct item i;

		begin(&i, be, true);
		i.geo.crc = false;
		i.bytes[1][VERSION] = 2;
		item16(&i, 1, COUNTERS, 0x1111);
		item16(&i, 1, COUNTERS + 6, 0x0203);
		set_region_len(&i, 1, 96);
		assert_true(log_inode_decode(&i.c, &i.item, &inode));
		assert_nothing(&i);
		assert_int_equal(inode.core_len, 96);
		assert_int_equal(core(&inode, COUNTERS, 8), 0x0203);
		set_region_len(&i, 1, 176);
		assert_false(log_inode_decode(&i.c, &i.item, &inode));
		assert_only(&i, F_LOG_ITEM_LEN, 176, 96);
	}
}

static void the_attribute_fork_comes_last(void **state)
{
	struct log_inode inode;
	struct item i;

	(void)state;
	begin(&i, false, false);
	item32(&i, 0, FIELDS, 0x41); /* no data fork: the attribute fork takes its place */
	item16(&i, 0, ASIZE, 30);
	assert_true(log_inode_decode(&i.c, &i.item, &inode));
	assert_int_equal(inode.data.len, 0);
	assert_ptr_equal(inode.attr.bytes, i.bytes[2]);
	item32(&i, 0, FIELDS, 0x45);
	set_nregions(&i, 4);
	set_region_len(&i, 3, 32);
	assert_true(log_inode_decode(&i.c, &i.item, &inode));
	assert_ptr_equal(inode.data.bytes, i.bytes[2]);
	assert_ptr_equal(inode.attr.bytes, i.bytes[3]);
	assert_nothing(&i);
}

static void a_device_number_needs_no_fork(void **state)
{
	struct log_inode inode;
	struct item i;

	(void)state;
	begin(&i, true, true);
	item32(&i, 0, FIELDS, 0x11);
	item32(&i, 0, RDEV - SHORTER, 0x00100203);
	set_nregions(&i, 2);
	assert_true(log_inode_decode(&i.c, &i.item, &inode));
	assert_nothing(&i);
	assert_int_equal(inode.rdev, 0x00100203);
}

static void fields_are_checked(void **state)
{
	static const struct {
		uint8_t region, offset, size;
		uint64_t value;
		enum finding finding;
		uint64_t got, want;
	} faults[] = {
		{ 0, FIELDS, 4, 0x8001, F_LOG_INODE_FIELDS, 0x8001, 0x7ff },
		{ 0, FIELDS, 4, 0x7, F_LOG_INODE_FIELDS, 0x7, 0x7ff },
		{ 0, FIELDS, 4, 0xc1, F_LOG_INODE_FIELDS, 0xc1, 0x7ff },
		{ 0, FIELDS, 4, 0x1, F_LOG_ITEM_REGIONS, 3, 2 },
		{ 0, FIELDS, 4, 0x45, F_LOG_ITEM_REGIONS, 3, 4 },
		{ 0, DSIZE, 2, 36, F_LOG_INODE_FORK, 32, 36 },
		{ 0, DSIZE, 2, 28, F_LOG_INODE_FORK, 32, 28 },
		{ 0, INO, 8, 3, F_LOG_INODE_NUMBER, 3, 0 },
		{ 0, INO, 8, THE_INO + 1, F_LOG_INODE_PLACE, THE_BYTE, THE_BYTE + 512 },
		{ 0, BLKNO, 8, 1ull << 62, F_LOG_ITEM_SECTORS, 1ull << 62, 16 },
		{ 0, LEN, 4, 0, F_LOG_ITEM_SECTORS, 131136, 0 },
		{ 0, LEN, 4, 3, F_LOG_ITEM_SECTORS, 131136, 3 },
		{ 0, BOFFSET, 4, 0xfffffe00, F_LOG_ITEM_SECTORS, 131136, 16 },
		{ 0, BOFFSET, 4, 2048, F_LOG_INODE_PLACE, THE_BYTE + 512, THE_BYTE },
		{ 1, MAGIC, 2, 0x494f, F_LOG_INODE_MAGIC, 0x494f, 0x494e },
		{ 1, VERSION, 1, 2, F_LOG_INODE_VERSION, 2, 3 },
		{ 1, CORE_INO, 8, THE_INO + 1, F_LOG_INODE_INO, THE_INO + 1, THE_INO },
	};

	(void)state;
	for (unsigned k = 0; k < sizeof(faults) / sizeof(faults[0]); k++) {
		struct log_inode inode;
		struct item i;

		begin(&i, k % 2, false);
		put_bytes(&i, faults[k].region, faults[k].offset, faults[k].value, faults[k].size);
		assert_false(log_inode_decode(&i.c, &i.item, &inode));
		assert_only(&i, faults[k].finding, faults[k].got, faults[k].want);
	}
}

static void inodes_of_groups_that_are_added_are_possible(void **state)
{
	struct log_inode inode;
	struct item i;

	(void)state;
	begin(&i, false, false);
	i.geo.agcount = 1;
	i.geo.dblocks = 16384;
	assert_true(log_inode_decode(&i.c, &i.item, &inode));
	assert_nothing(&i);
}

static void other_lengths_of_the_format_are_reported(void **state)
{
	struct log_inode inode;
	struct item i;

	(void)state;
	begin(&i, false, false);
	set_region_len(&i, 0, 48);
	assert_false(log_inode_decode(&i.c, &i.item, &inode));
	assert_only(&i, F_LOG_ITEM_LEN, 48, 56);
	begin(&i, false, false);
	set_nregions(&i, 1);
	assert_false(log_inode_decode(&i.c, &i.item, &inode));
	assert_only(&i, F_LOG_ITEM_REGIONS, 1, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_forms_in_both_byte_orders_say_the_same),
		cmocka_unit_test(time_stamps_are_two_numbers_or_one),
		cmocka_unit_test(extent_counters_have_two_forms),
		cmocka_unit_test(padding_and_type_of_metadata_are_as_on_the_disk),
		cmocka_unit_test(version_2_has_a_short_core_and_a_counter_of_flushes),
		cmocka_unit_test(the_attribute_fork_comes_last),
		cmocka_unit_test(a_device_number_needs_no_fork),
		cmocka_unit_test(fields_are_checked),
		cmocka_unit_test(inodes_of_groups_that_are_added_are_possible),
		cmocka_unit_test(other_lengths_of_the_format_are_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The beginnings of items and transactions, and the small items: icreate, dquot, quotaoff (ondisk 11, "Items"). */
#include "log_items.h"

static void items_say_what_they_are_in_either_byte_order(void **state)
{
	static const uint8_t le[24] = { 0x3c, 0x12, 3, 0, 0x02, 0x20, 8, 0, 0x40, 1, 0, 0, 2 };
	static const uint8_t be[24] = { 0x12, 0x3b, 0, 4, 0x02, 0x20, 8, 0, 9, 9, 9, 9,
					9,    9,    9, 9, 0,	0,    0, 1, 0, 0, 0, 7 };
	static const uint8_t old[24] = { 0x3b, 0x12, 3, 0, 0, 0, 0, 0, 9, 9, 9, 9, 7, 0, 0, 0, 1 };
	static const uint8_t made[24] = { 0x3f, 0x12, 1, 0, 0, 0, 0, 2, 0, 0, 1, 5, 0, 0, 0, 64 };
	static const uint8_t unknown[24] = { 0x39, 0x12, 1, 0 };
	struct log_item_head head;

	(void)state;
	log_item_head(le, 24, false, &head);
	assert_true(head.known);
	assert_int_equal(head.type, LI_BUF);
	assert_int_equal(head.nregions, 3);
	assert_int_equal(head.buf_flags, 0x2002);
	assert_int_equal(head.len, 8);
	assert_int_equal(head.at, 0x200000140);
	log_item_head(be, 56, true, &head);
	assert_true(head.known);
	assert_int_equal(head.type, LI_INODE);
	assert_int_equal(head.nregions, 4);
	assert_int_equal(head.buf_flags, 0);
	assert_int_equal(head.len, 0);
	assert_int_equal(head.at, 0x100000007);
	/* of a 32-bit machine, without padding before the number */
	log_item_head(old, 52, false, &head);
	assert_int_equal(head.at, 0x100000007);
	/* the fields of an icreate are big-endian in either case */
	log_item_head(made, 28, false, &head);
	assert_int_equal(head.type, LI_ICREATE);
	assert_int_equal(head.at, 0x200000105);
	assert_int_equal(head.len, 64);
	log_item_head(unknown, 24, false, &head);
	assert_false(head.known);
}

static void transactions_begin_with_a_header(void **state)
{
	static const uint8_t le[16] = { 0x4e, 0x41, 0x52, 0x54, 40, 0, 0, 0, 1, 2, 3, 4, 7, 1, 0, 0 };
	static const uint8_t be[16] = { 0x54, 0x52, 0x41, 0x4e, 0, 0, 0, 40, 4, 3, 2, 1, 0, 0, 1, 7 };
	uint32_t count = 0;

	(void)state;
	assert_true(log_transaction_header(le, 16, false, &count));
	assert_int_equal(count, 0x107);
	assert_true(log_transaction_header(be, 16, true, &count));
	assert_int_equal(count, 0x107);
	assert_false(log_transaction_header(le, 16, true, &count));
	assert_false(log_transaction_header(le, 12, false, &count));
}

/* Its fields are big-endian on every machine. */
static void begin_icreate(struct item *i, bool be)
{
	item_begin(i, be, ICREATE, 1, 28);
	put_be(i->bytes[0] + 4, 1, 4);
	put_be(i->bytes[0] + 8, 16, 4);
	put_be(i->bytes[0] + 12, 64, 4);
	put_be(i->bytes[0] + 16, 512, 4);
	put_be(i->bytes[0] + 20, 8, 4);
	put_be(i->bytes[0] + 24, 0xabcdef01, 4);
}

static void created_inodes_are_whole_chunks_or_parts(void **state)
{
	struct log_icreate icreate;
	struct item i;

	(void)state;
	for (unsigned be = 0; be < 2; be++) {
		begin_icreate(&i, be);
		assert_true(log_icreate_decode(&i.c, &i.item, &icreate));
		assert_nothing(&i);
		assert_int_equal(icreate.agno.v, 1);
		assert_int_equal(icreate.agbno.v, 16);
		assert_int_equal(icreate.count, 64);
		assert_int_equal(icreate.blocks, 8);
		assert_int_equal(icreate.gen, 0xabcdef01);
		put_be(i.bytes[0] + 12, 32, 4);
		put_be(i.bytes[0] + 20, 4, 4);
		assert_true(log_icreate_decode(&i.c, &i.item, &icreate));
		i.geo.sparse_align = 0;
		assert_false(log_icreate_decode(&i.c, &i.item, &icreate));
		assert_only(&i, F_LOG_ICREATE_LENGTH, 4, 8);
	}
}

static void fields_of_icreate_are_checked(void **state)
{
	static const struct {
		uint8_t offset;
		uint32_t value;
		enum finding finding;
		uint64_t got, want;
	} faults[] = {
		{ 4, UINT32_MAX, F_LOG_ICREATE_PLACE, 16, UINT32_MAX },
		{ 8, 3, F_LOG_ICREATE_PLACE, 3, 1 },
		{ 8, 16377, F_LOG_ICREATE_PLACE, 16377, 1 },
		{ 12, 63, F_LOG_ICREATE_COUNT, 63, 64 },
		{ 12, 0, F_LOG_ICREATE_COUNT, 0, 64 },
		{ 16, 256, F_LOG_ICREATE_ISIZE, 256, 512 },
		{ 20, 0x20000008, F_LOG_ICREATE_LENGTH, 0x20000008, 8 },
	};

	(void)state;
	for (unsigned k = 0; k < sizeof(faults) / sizeof(faults[0]); k++) {
		struct log_icreate icreate;
		struct item i;

		begin_icreate(&i, false);
		put_be(i.bytes[0] + faults[k].offset, faults[k].value, 4);
		assert_false(log_icreate_decode(&i.c, &i.item, &icreate));
		assert_only(&i, faults[k].finding, faults[k].got, faults[k].want);
	}
}

/* Of id 31, the second record of the second block of a file: 30 fit into one. */
static void begin_dquot(struct item *i, bool be)
{
	item_begin(i, be, DQUOT, 2, 24);
	item32(i, 0, 4, 31);
	item64(i, 0, 8, 800);
	item32(i, 0, 16, 1); /* block of the file system */
	item32(i, 0, 20, 136);
	set_region_len(i, 1, 104);
	put_be(i->bytes[1], 0x4451, 2);
	put_be(i->bytes[1] + 4, 31, 4);
}

static void quota_records_lie_where_their_id_says(void **state)
{
	(void)state;
	for (unsigned be = 0; be < 2; be++) {
		struct log_dquot dquot;
		struct item i;

		begin_dquot(&i, be);
		assert_true(log_dquot_decode(&i.c, &i.item, &dquot));
		assert_nothing(&i);
		assert_int_equal(dquot.id, 31);
		assert_true(dquot.daddr.v == 800);
		assert_int_equal(dquot.len, 8);
		assert_int_equal(dquot.offset, 136);
		assert_ptr_equal(dquot.dquot, i.bytes[1]);
	}
}

static void fields_of_quota_records_are_checked(void **state)
{
	static const struct {
		uint8_t region, offset, size;
		uint64_t value;
		enum finding finding;
		uint64_t got, want;
	} faults[] = {
		{ 0, 4, 4, 30, F_LOG_DQUOT_OFFSET, 136, 30 },
		{ 0, 4, 4, 61, F_LOG_DQUOT_ID, 31, 61 },
		{ 0, 8, 8, UINT64_MAX, F_LOG_ITEM_SECTORS, UINT64_MAX, 1 },
		{ 0, 16, 4, 8, F_LOG_ITEM_SECTORS, 800, 8 },
		{ 0, 20, 4, 8192, F_LOG_DQUOT_OFFSET, 8192, 31 },
		{ 1, 1, 1, 0, F_LOG_DQUOT_MAGIC, 0x4400, 0x4451 },
	};

	(void)state;
	for (unsigned k = 0; k < sizeof(faults) / sizeof(faults[0]); k++) {
		struct log_dquot dquot;
		struct item i;

		begin_dquot(&i, k % 2);
		put_bytes(&i, faults[k].region, faults[k].offset, faults[k].value, faults[k].size);
		assert_false(log_dquot_decode(&i.c, &i.item, &dquot));
		assert_only(&i, faults[k].finding, faults[k].got, faults[k].want);
	}
}

static void quotas_turned_off_are_named_as_buffers_name_them(void **state)
{
	(void)state;
	for (unsigned be = 0; be < 2; be++) {
		struct item i;
		uint32_t types;

		item_begin(&i, be, QUOTAOFF, 1, 20);
		item32(&i, 0, 4, 0x41);
		assert_true(log_quotaoff_decode(&i.c, &i.item, &types));
		assert_int_equal(types, LOG_BUF_UDQUOT | LOG_BUF_GDQUOT);
		item32(&i, 0, 4, 0x08);
		assert_true(log_quotaoff_decode(&i.c, &i.item, &types));
		assert_int_equal(types, LOG_BUF_PDQUOT);
	}
}

static void items_have_their_length_and_regions(void **state)
{
	struct log_icreate icreate;
	struct log_dquot dquot;
	struct item i;
	uint32_t types;

	(void)state;
	begin_icreate(&i, false);
	set_region_len(&i, 0, 24);
	assert_false(log_icreate_decode(&i.c, &i.item, &icreate));
	assert_only(&i, F_LOG_ITEM_LEN, 24, 28);
	begin_dquot(&i, false);
	set_nregions(&i, 1);
	assert_false(log_dquot_decode(&i.c, &i.item, &dquot));
	assert_only(&i, F_LOG_ITEM_REGIONS, 1, 2);
	begin_dquot(&i, false);
	set_region_len(&i, 1, 100);
	assert_false(log_dquot_decode(&i.c, &i.item, &dquot));
	assert_only(&i, F_LOG_ITEM_LEN, 100, 104);
	item_begin(&i, false, QUOTAOFF, 1, 16);
	assert_false(log_quotaoff_decode(&i.c, &i.item, &types));
	assert_only(&i, F_LOG_ITEM_LEN, 16, 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_say_what_they_are_in_either_byte_order),
		cmocka_unit_test(transactions_begin_with_a_header),
		cmocka_unit_test(created_inodes_are_whole_chunks_or_parts),
		cmocka_unit_test(fields_of_icreate_are_checked),
		cmocka_unit_test(quota_records_lie_where_their_id_says),
		cmocka_unit_test(fields_of_quota_records_are_checked),
		cmocka_unit_test(quotas_turned_off_are_named_as_buffers_name_them),
		cmocka_unit_test(items_have_their_length_and_regions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

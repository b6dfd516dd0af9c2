/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Intents about attributes and about mappings to exchange (ondisk 11, ATTRI and XMI). */
#include "log_items.h"

enum { IGEN = 4, INO = 16, OP = 24, NAME_LEN = 28, NEW_NAME_LEN = 30, VALUE_LEN = 32, FILTER = 36 };

#define AN_INODE (8u << 3)

/* Begins an intent to set an attribute with a name of 5 bytes and a value of 10. */
static void begin(struct item *i, bool be)
{
	item_begin(i, be, ATTRI, 3, 40);
	item32(i, 0, IGEN, 77);
	item64(i, 0, INO, AN_INODE);
	item32(i, 0, OP, 1);
	item32(i, 0, NAME_LEN, 5);
	item32(i, 0, VALUE_LEN, 10);
	item32(i, 0, FILTER, 2);
	set_region_len(i, 1, 8);
	set_region_len(i, 2, 12);
}

static void names_and_values_have_their_true_lengths(void **state)
{
	(void)state;
	for (unsigned be = 0; be < 2; be++) {
		struct log_attri attri;
		struct item i;

		begin(&i, be);
		assert_true(log_attri_decode(&i.c, &i.item, &attri));
		assert_nothing(&i);
		assert_true(attri.ino.v == AN_INODE);
		assert_int_equal(attri.igen, 77);
		assert_int_equal(attri.op, ATTRI_SET);
		assert_int_equal(attri.filter, 2);
		assert_ptr_equal(attri.name.bytes, i.bytes[1]);
		assert_int_equal(attri.name.len, 5);
		assert_ptr_equal(attri.value.bytes, i.bytes[2]);
		assert_int_equal(attri.value.len, 10);
		assert_int_equal(attri.new_name.len, 0);
	}
}

static void a_renamed_parent_pointer_has_two_names_and_values(void **state)
{
	(void)state;
	for (unsigned be = 0; be < 2; be++) {
		struct log_attri attri;
		struct item i;

		begin(&i, be);
		item32(&i, 0, OP, 6);
		item16(&i, 0, NAME_LEN, 5);
		item16(&i, 0, NEW_NAME_LEN, 6);
		item32(&i, 0, VALUE_LEN, 12);
		item32(&i, 0, FILTER, 8);
		set_nregions(&i, 5);
		set_region_len(&i, 2, 8);
		set_region_len(&i, 3, 12);
		set_region_len(&i, 4, 12);
		assert_true(log_attri_decode(&i.c, &i.item, &attri));
		assert_nothing(&i);
		assert_int_equal(attri.name.len, 5);
		assert_int_equal(attri.new_name.len, 6);
		assert_ptr_equal(attri.new_name.bytes, i.bytes[2]);
		assert_int_equal(attri.value.len, 12);
		assert_ptr_equal(attri.new_value.bytes, i.bytes[4]);
	}
}

static void fields_of_attributes_are_checked(void **state)
{
	static const struct {
		uint8_t offset;
		uint32_t value;
		enum finding finding;
		uint64_t got, want;
	} faults[] = {
		{ INO, 7, F_LOG_INTENT_INODE, 7, 0 },
		{ OP, 0, F_LOG_INTENT_FLAGS, 0, 0xff },
		{ OP, 7, F_LOG_INTENT_FLAGS, 7, 0xff },
		{ OP, 0x101, F_LOG_INTENT_FLAGS, 0x101, 0xff },
		{ FILTER, 1, F_LOG_INTENT_FLAGS, 1, 0x8e },
		{ NAME_LEN, 0, F_LOG_INTENT_NAME, 0, 255 },
		{ NAME_LEN, 256, F_LOG_INTENT_NAME, 256, 255 },
		{ NAME_LEN, 4, F_LOG_INTENT_NAME, 4, 8 },
		{ VALUE_LEN, 0, F_LOG_ITEM_REGIONS, 3, 2 },
		{ VALUE_LEN, 65537, F_LOG_INTENT_NAME, 65537, 65536 },
		{ VALUE_LEN, 0xffffffff, F_LOG_INTENT_NAME, 0xffffffff, 65536 },
		{ VALUE_LEN, 16, F_LOG_INTENT_NAME, 16, 12 },
	};

	(void)state;
	for (unsigned k = 0; k < sizeof(faults) / sizeof(faults[0]); k++) {
		struct log_attri attri;
		struct item i;

		begin(&i, false);
		item32(&i, 0, faults[k].offset, faults[k].value);
		assert_false(log_attri_decode(&i.c, &i.item, &attri));
		assert_only(&i, faults[k].finding, faults[k].got, faults[k].want);
	}
}

static void missing_values_are_reported(void **state)
{
	struct log_attri attri;
	struct item i;

	(void)state;
	begin(&i, true);
	set_nregions(&i, 2);
	assert_false(log_attri_decode(&i.c, &i.item, &attri));
	assert_only(&i, F_LOG_ITEM_REGIONS, 2, 3);
	begin(&i, true);
	set_region_len(&i, 0, 36);
	assert_false(log_attri_decode(&i.c, &i.item, &attri));
	assert_only(&i, F_LOG_ITEM_LEN, 36, 40);
}

static void begin_xmi(struct item *i, bool be)
{
	item_begin(i, be, XMI, 1, 88);
	item64(i, 0, 16, AN_INODE);
	item64(i, 0, 24, AN_INODE + 1);
	item32(i, 0, 32, 5);
	item32(i, 0, 36, 6);
	item64(i, 0, 40, 100);
	item64(i, 0, 48, 200);
	item64(i, 0, 56, 50);
	item64(i, 0, 64, 0x12);
	item64(i, 0, 72, 4096);
	item64(i, 0, 80, 8192);
}

static void exchanges_name_two_files(void **state)
{
	(void)state;
	for (unsigned be = 0; be < 2; be++) {
		struct log_xmi xmi;
		struct item i;

		begin_xmi(&i, be);
		assert_true(log_xmi_decode(&i.c, &i.item, &xmi));
		assert_nothing(&i);
		assert_true(xmi.ino1.v == AN_INODE && xmi.ino2.v == AN_INODE + 1);
		assert_true(xmi.igen1 == 5 && xmi.igen2 == 6);
		assert_true(xmi.startoff1.v == 100 && xmi.startoff2.v == 200);
		assert_true(xmi.blockcount == 50);
		assert_true(xmi.flags == 0x12);
		assert_true(xmi.isize1 == 4096 && xmi.isize2 == 8192);
	}
}

static void fields_of_exchanges_are_checked(void **state)
{
	static const struct {
		uint8_t offset;
		uint64_t value;
		enum finding finding;
		uint64_t got, want;
	} faults[] = {
		{ 16, 0, F_LOG_INTENT_INODE, 0, 0 },
		{ 24, UINT64_MAX, F_LOG_INTENT_INODE, UINT64_MAX, 0 },
		{ 48, 1ull << 54, F_LOG_INTENT_EXTENT, 100, 50 },
		{ 56, 1ull << 54, F_LOG_INTENT_EXTENT, 100, 1ull << 54 },
		{ 64, 0x20, F_LOG_INTENT_FLAGS, 0x20, 0x1f },
	};

	(void)state;
	for (unsigned k = 0; k < sizeof(faults) / sizeof(faults[0]); k++) {
		struct log_xmi xmi;
		struct item i;

		begin_xmi(&i, k % 2);
		item64(&i, 0, faults[k].offset, faults[k].value);
		assert_false(log_xmi_decode(&i.c, &i.item, &xmi));
		assert_only(&i, faults[k].finding, faults[k].got, faults[k].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_values_have_their_true_lengths),
		cmocka_unit_test(a_renamed_parent_pointer_has_two_names_and_values),
		cmocka_unit_test(fields_of_attributes_are_checked),
		cmocka_unit_test(missing_values_are_reported),
		cmocka_unit_test(exchanges_name_two_files),
		cmocka_unit_test(fields_of_exchanges_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

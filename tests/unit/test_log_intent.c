/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Intents in the log, and the done items that complete them (ondisk 11, "Intents/dones"). */
#include "log_items.h"

enum { THE_ID = 0x44332211 };

#define BLOCK_100_OF_AG_1 (1ull << 14 | 100)
#define INODE_OF_BLOCK_8  (8u << 3)

static void begin(struct item *i, bool be, uint16_t type, unsigned count, unsigned size)
{
	item_begin(i, be, type, 1, EXTENTS + count * size);
	item32(i, 0, COUNT, count);
	item64(i, 0, ID, THE_ID);
}

/* Owner, start, offset, length, flags: of RUI and BUI. */
static void put_mapping(struct item *i, unsigned index, uint64_t owner, uint64_t start, uint32_t flags)
{
	unsigned at = EXTENTS + index * 32;

	item64(i, 0, at, owner);
	item64(i, 0, at + 8, start);
	item64(i, 0, at + 16, 1000);
	item32(i, 0, at + 24, 5);
	item32(i, 0, at + 28, flags);
}

static void extents_to_free_may_be_packed(void **state)
{
	(void)state;
	for (unsigned k = 0; k < 4; k++) {
		unsigned size = k & 2 ? 12 : 16;
		struct log_intent_extent extent;
		struct log_intent intent;
		struct item i;

		begin(&i, k & 1, EFI, 2, size);
		item64(&i, 0, EXTENTS + size, BLOCK_100_OF_AG_1);
		item32(&i, 0, EXTENTS + size + 8, 7);
		assert_true(log_intent_decode(&i.c, &i.item, &intent));
		assert_int_equal(intent.type, LI_EFI);
		assert_false(intent.done);
		assert_true(intent.id == THE_ID);
		assert_int_equal(intent.count, 2);
		assert_true(log_intent_extent(&i.c, &i.item, 1, &extent));
		assert_nothing(&i);
		assert_true(extent.startblock == BLOCK_100_OF_AG_1);
		assert_int_equal(extent.len, 7);
	}
}

static void other_items_are_no_intents(void **state)
{
	struct log_intent intent;
	struct item i;

	(void)state;
	begin(&i, false, BUF, 1, 16);
	assert_false(log_intent_decode(&i.c, &i.item, &intent));
	assert_only(&i, F_LOG_ITEM_TYPE, BUF, 0);
}

static void mappings_have_owner_offset_and_flags(void **state)
{
	(void)state;
	for (unsigned be = 0; be < 2; be++) {
		struct log_intent_extent extent;
		struct log_intent intent;
		struct item i;

		begin(&i, be, RUI, 2, 32);
		put_mapping(&i, 0, (uint64_t)-5, BLOCK_100_OF_AG_1, 1);
		put_mapping(&i, 1, INODE_OF_BLOCK_8, BLOCK_100_OF_AG_1, 0xa0000003);
		assert_true(log_intent_decode(&i.c, &i.item, &intent));
		assert_int_equal(intent.count, 2);
		assert_true(log_intent_extent(&i.c, &i.item, 0, &extent));
		assert_true(extent.owner == (uint64_t)-5);
		assert_true(log_intent_extent(&i.c, &i.item, 1, &extent));
		assert_nothing(&i);
		assert_true(extent.owner == INODE_OF_BLOCK_8);
		assert_true(extent.startblock == BLOCK_100_OF_AG_1);
		assert_true(extent.startoff == 1000);
		assert_int_equal(extent.len, 5);
		assert_int_equal(extent.flags, INTENT_ATTR_FORK | INTENT_UNWRITTEN | RUI_UNMAP);
	}
}

static void shares_have_flags_behind_their_length(void **state)
{
	struct log_intent_extent extent;
	struct log_intent intent;
	struct item i;

	(void)state;
	begin(&i, true, CUI, 1, 16);
	item64(&i, 0, EXTENTS, BLOCK_100_OF_AG_1);
	item32(&i, 0, EXTENTS + 8, 3);
	item32(&i, 0, EXTENTS + 12, 2);
	assert_true(log_intent_decode(&i.c, &i.item, &intent));
	assert_true(log_intent_extent(&i.c, &i.item, 0, &extent));
	assert_nothing(&i);
	assert_int_equal(extent.len, 3);
	assert_int_equal(extent.flags, CUI_DECREASE);
}

static void what_is_done_names_the_intent(void **state)
{
	struct log_intent intent;
	struct item i;

	(void)state;
	item_begin(&i, false, RUD, 1, 16);
	item64(&i, 0, ID, THE_ID);
	assert_true(log_intent_decode(&i.c, &i.item, &intent));
	assert_int_equal(intent.type, LI_RUI);
	assert_true(intent.done);
	assert_true(intent.id == THE_ID);
	assert_int_equal(intent.count, 0);
	begin(&i, true, EFD, 3, 12);
	assert_true(log_intent_decode(&i.c, &i.item, &intent));
	assert_int_equal(intent.type, LI_EFI);
	assert_true(intent.done);
	assert_nothing(&i);
}

static void counts_must_fit(void **state)
{
	static const uint32_t counts[] = { 0, 1, 3, 0x10000002, 0x80000002 };
	struct log_intent intent;
	struct item i;

	(void)state;
	for (unsigned k = 0; k < sizeof(counts) / sizeof(counts[0]); k++) {
		begin(&i, false, RUI, 2, 32);
		item32(&i, 0, COUNT, counts[k]);
		assert_false(log_intent_decode(&i.c, &i.item, &intent));
		assert_only(&i, F_LOG_INTENT_COUNT, counts[k], 80);
	}
	begin(&i, false, BUI, 2, 32);
	assert_false(log_intent_decode(&i.c, &i.item, &intent));
	assert_only(&i, F_LOG_INTENT_COUNT, 2, 80);
	begin(&i, false, RUI, 2, 32);
	set_region_len(&i, 0, 12);
	assert_false(log_intent_decode(&i.c, &i.item, &intent));
	assert_only(&i, F_LOG_ITEM_LEN, 12, 16);
	begin(&i, false, RUI, 2, 32);
	set_nregions(&i, 2);
	assert_false(log_intent_decode(&i.c, &i.item, &intent));
	assert_only(&i, F_LOG_ITEM_REGIONS, 2, 1);
}

static void extents_are_checked(void **state)
{
	static const struct {
		uint16_t type;
		uint64_t owner, start;
		uint32_t flags;
		enum finding finding;
		uint64_t got, want;
	} faults[] = {
		{ RUI, INODE_OF_BLOCK_8, BLOCK_100_OF_AG_1, 0, F_LOG_INTENT_FLAGS, 0, 0xe00000ff },
		{ RUI, INODE_OF_BLOCK_8, BLOCK_100_OF_AG_1, 9, F_LOG_INTENT_FLAGS, 9, 0xe00000ff },
		{ RUI, INODE_OF_BLOCK_8, BLOCK_100_OF_AG_1, 0x101, F_LOG_INTENT_FLAGS, 0x101, 0xe00000ff },
		{ BUI, INODE_OF_BLOCK_8, BLOCK_100_OF_AG_1, 3, F_LOG_INTENT_FLAGS, 3, 0xe00000ff },
		{ RUI, INODE_OF_BLOCK_8, 3, 1, F_LOG_INTENT_EXTENT, 3, 5 },
		{ RUI, INODE_OF_BLOCK_8, 16380, 1, F_LOG_INTENT_EXTENT, 16380, 5 },
		{ RUI, INODE_OF_BLOCK_8, UINT64_MAX, 1, F_LOG_INTENT_EXTENT, UINT64_MAX, 5 },
		{ RUI, 7, BLOCK_100_OF_AG_1, 1, F_LOG_INTENT_OWNER, 7, 0 },
		{ RUI, (uint64_t)-2, BLOCK_100_OF_AG_1, 1, F_LOG_INTENT_OWNER, (uint64_t)-2, 0 },
		{ BUI, (uint64_t)-5, BLOCK_100_OF_AG_1, 1, F_LOG_INTENT_OWNER, (uint64_t)-5, 0 },
	};

	(void)state;
	for (unsigned k = 0; k < sizeof(faults) / sizeof(faults[0]); k++) {
		struct log_intent_extent extent;
		struct item i;

		begin(&i, k % 2, faults[k].type, 1, 32);
		put_mapping(&i, 0, faults[k].owner, faults[k].start, faults[k].flags);
		assert_false(log_intent_extent(&i.c, &i.item, 0, &extent));
		assert_only(&i, faults[k].finding, faults[k].got, faults[k].want);
	}
}

static void realtime_blocks_are_in_realtime_groups(void **state)
{
	struct log_intent_extent extent;
	struct item i;

	(void)state;
	begin(&i, false, CUI_RT, 1, 16);
	i.geo.metadir = true;
	i.geo.rgcount = 2;
	i.geo.rgblocks = 1000;
	i.geo.rgblklog = 10;
	item64(&i, 0, EXTENTS, 1024 + 995);
	item32(&i, 0, EXTENTS + 8, 5);
	item32(&i, 0, EXTENTS + 12, 1);
	assert_true(log_intent_extent(&i.c, &i.item, 0, &extent));
	assert_nothing(&i);
	item32(&i, 0, EXTENTS + 8, 6);
	assert_false(log_intent_extent(&i.c, &i.item, 0, &extent));
	assert_only(&i, F_LOG_INTENT_EXTENT, 1024 + 995, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(extents_to_free_may_be_packed),
		cmocka_unit_test(other_items_are_no_intents),
		cmocka_unit_test(mappings_have_owner_offset_and_flags),
		cmocka_unit_test(shares_have_flags_behind_their_length),
		cmocka_unit_test(what_is_done_names_the_intent),
		cmocka_unit_test(counts_must_fit),
		cmocka_unit_test(extents_are_checked),
		cmocka_unit_test(realtime_blocks_are_in_realtime_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

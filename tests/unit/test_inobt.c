/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "btrees.h"

/* first inode of the third place for a chunk in the AG: blocks 24 to 31 */
#define START (24u * 8)

static void put_sparse(struct btrees *b, uint32_t start, uint32_t holemask, uint8_t count, uint8_t freecount,
		       uint64_t free)
{
	uint8_t *p = put_record(b, 16);

	put32(p, start);
	put16(p + 4, holemask);
	p[6] = count;
	p[7] = freecount;
	put64(p + 8, free);
}

static void put_full(struct btrees *b, uint32_t start, uint32_t freecount, uint64_t free)
{
	uint8_t *p = put_record(b, 16);

	put32(p, start);
	put32(p + 4, freecount);
	put64(p + 8, free);
}

static void check_one(struct btrees *b, uint32_t holemask, uint8_t count, uint8_t freecount, uint64_t free)
{
	start(b, BT_INO, 0);
	put_sparse(b, START, holemask, count, freecount, free);
	assert_true(decode(b));
}

static void whole_chunks_are_sound(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_INO, 0);
	put_sparse(&b, START, 0, 64, 3, 0x8000000000000011);
	put_sparse(&b, START + 64, 0, 64, 64, UINT64_MAX);
	put_sparse(&b, START + 128, 0, 64, 0, 0);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.nrecords, 3);
	assert_int_equal(b.records[0].inobt.start.v, START);
	assert_int_equal(b.records[0].inobt.holemask, 0);
	assert_int_equal(b.records[0].inobt.count, 64);
	assert_int_equal(b.records[0].inobt.freecount, 3);
	assert_true(b.records[0].inobt.free == 0x8000000000000011);
}

static void half_chunk_is_sound(void **state)
{
	struct btrees b;

	(void)state;
	check_one(&b, 0xff00, 32, 2, 0xffffffff00000011);
	assert_int_equal(b.reported.count, 0);
	assert_int_equal(b.records[0].inobt.holemask, 0xff00);
	assert_int_equal(b.records[0].inobt.count, 32);
	assert_int_equal(b.records[0].inobt.freecount, 2);
	check_one(&b, 0x00ff, 32, 1, 0x00000010ffffffff);
	assert_int_equal(b.reported.count, 0);
}

static void wrong_count_is_reported_and_put_right(void **state)
{
	struct btrees b;

	(void)state;
	check_one(&b, 0xff00, 36, 2, 0xffffffff00000011);
	assert_reported_once(&b.reported, F_INOBT_COUNT, 36, 32);
	assert_int_equal(b.reported.problems[0].offset, 56 + 6);
	assert_int_equal(b.nrecords, 1);
	assert_int_equal(b.records[0].inobt.count, 32);
	check_one(&b, 0, 255, 1, 1);
	assert_reported_once(&b.reported, F_INOBT_COUNT, 255, 64);
}

static void wrong_freecount_is_reported_and_put_right(void **state)
{
	struct btrees b;

	(void)state;
	check_one(&b, 0xff00, 32, 34, 0xffffffff00000011);
	assert_reported_once(&b.reported, F_INOBT_FREECOUNT, 34, 2);
	assert_int_equal(b.reported.problems[0].offset, 56 + 7);
	assert_int_equal(b.nrecords, 1);
	assert_int_equal(b.records[0].inobt.freecount, 2);
}

static void missing_inode_marked_as_used_is_reported_and_put_right(void **state)
{
	struct btrees b;

	(void)state;
	check_one(&b, 0xff00, 32, 2, 0xfffffffe00000011);
	assert_reported_once(&b.reported, F_INOBT_HOLE_IN_USE, 0xfffffffe00000011, 0xffffffff00000011);
	assert_int_equal(b.reported.problems[0].offset, 56 + 8);
	assert_int_equal(b.nrecords, 1);
	assert_true(b.records[0].inobt.free == 0xffffffff00000011);
}

static void holemask_against_all_others_is_not_believed(void **state)
{
	struct btrees b;

	(void)state;
	/* a whole chunk whose mask says that half of it is missing */
	check_one(&b, 0xff00, 64, 2, 0x11);
	assert_reported_once(&b.reported, F_INOBT_HOLEMASK, 0xff00, 0);
	assert_int_equal(b.reported.problems[0].offset, 56 + 4);
	assert_int_equal(b.nrecords, 0);
	/* half a chunk whose mask says that it is whole */
	check_one(&b, 0, 32, 2, 0xffffffff00000011);
	assert_reported_once(&b.reported, F_INOBT_HOLEMASK, 0, 0);
}

static void holemask_that_cuts_an_allocation_unit_is_reported(void **state)
{
	static const uint32_t masks[] = { 0x0001, 0x8000, 0x7f00, 0x0ff0, 0xfffe };
	struct btrees b;

	(void)state;
	for (size_t i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
		uint8_t count = (uint8_t)(64 - 4 * __builtin_popcount(masks[i]));

		check_one(&b, masks[i], count, count, UINT64_MAX);
		assert_reported_once(&b.reported, F_INOBT_HOLEMASK, masks[i], 0);
		assert_int_equal(b.nrecords, 0);
	}
}

static void chunk_without_any_inode_is_reported(void **state)
{
	struct btrees b;

	(void)state;
	check_one(&b, 0xffff, 0, 0, UINT64_MAX);
	assert_reported_once(&b.reported, F_INOBT_HOLEMASK, 0xffff, 0);
}

static void records_without_sparse_chunks_have_a_wide_freecount(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_INO, 0);
	b.geo.sparse = false;
	put_full(&b, START, 2, 0x11);
	put_full(&b, START + 64, 0xff000002, 0x11);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_INOBT_FREECOUNT, 0xff000002, 2);
	assert_int_equal(b.reported.problems[0].index, 1);
	assert_int_equal(b.reported.problems[0].offset, 56 + 16 + 4);
	assert_int_equal(b.nrecords, 2);
	assert_int_equal(b.records[1].inobt.count, 64);
	assert_int_equal(b.records[1].inobt.freecount, 2);
	assert_int_equal(b.records[1].inobt.holemask, 0);
}

static void decode_start(struct btrees *b, uint32_t agino)
{
	put_sparse(b, agino, 0, 64, 1, 1);
	assert_true(decode(b));
}

static void chunks_lie_within_the_inodes_of_the_ag(void **state)
{
	struct btrees b;
	uint32_t last = AG_LEN * 8 - 64;

	(void)state;
	start(&b, BT_INO, 0);
	decode_start(&b, 64); /* block 8, the first that is aligned after the header */
	assert_int_equal(b.reported.count, 0);
	start(&b, BT_INO, 0);
	decode_start(&b, last);
	assert_int_equal(b.reported.count, 0);
	start(&b, BT_INO, 0);
	decode_start(&b, 0);
	assert_reported_once(&b.reported, F_INOBT_STARTINO, 0, 64);
	start(&b, BT_INO, 0);
	decode_start(&b, last + 64);
	assert_reported_once(&b.reported, F_INOBT_STARTINO, last + 64, last);
	assert_int_equal(b.nrecords, 0);
	start(&b, BT_INO, 0);
	decode_start(&b, UINT32_MAX);
	assert_reported_once(&b.reported, F_INOBT_STARTINO, UINT32_MAX, last);

	/* what is left of an AG after the last aligned place can't be used */
	start(&b, BT_INO, 0);
	b.geo.agblocks = AG_LEN - 1;
	b.expect.agno.v = 0;
	put32(b.block + 48, 0);
	b.expect.owner = 0;
	put64(b.block + 16, AGBNO * 8);
	decode_start(&b, last);
	assert_reported_once(&b.reported, F_INOBT_STARTINO, last, last - 64);
}

static void chunks_are_aligned(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_INO, 0);
	decode_start(&b, START + 32);
	assert_reported_once(&b.reported, F_INOBT_ALIGN, START + 32, 64);
	assert_int_equal(b.nrecords, 0);
	/* old file systems align to half a chunk */
	start(&b, BT_INO, 0);
	b.geo.cluster_align = 4;
	decode_start(&b, START + 32);
	assert_int_equal(b.reported.count, 0);
	start(&b, BT_INO, 0);
	b.geo.cluster_align = 4;
	decode_start(&b, START + 16);
	assert_reported_once(&b.reported, F_INOBT_ALIGN, START + 16, 32);
	/* blocks of 64 KiB hold two chunks each */
	start(&b, BT_INO, 0);
	b.geo.inopb_log = 7;
	b.geo.cluster_align = 1;
	decode_start(&b, 128 * 9 + 64);
	assert_int_equal(b.reported.count, 0);
	start(&b, BT_INO, 0);
	b.geo.inopb_log = 7;
	b.geo.cluster_align = 1;
	decode_start(&b, 128 * 9 + 32);
	assert_reported_once(&b.reported, F_INOBT_ALIGN, 128 * 9 + 32, 64);
}

static void chunks_that_overlap_are_reported(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_INO, 0);
	b.geo.cluster_align = 4;
	put_sparse(&b, START, 0, 64, 1, 1);
	put_sparse(&b, START + 32, 0, 64, 1, 1);
	assert_true(decode(&b));
	assert_reported_once(&b.reported, F_BTREE_OVERLAP, START + 32, START + 64);
}

static void finobt_has_only_chunks_with_free_inodes(void **state)
{
	struct btrees b;

	(void)state;
	start(&b, BT_FINO, 0);
	put_sparse(&b, START, 0, 64, 1, 1);
	put_sparse(&b, START + 64, 0, 64, 0, 0);
	/* bits of inodes that don't exist don't count */
	put_sparse(&b, START + 128, 0xff00, 32, 0, 0xffffffff00000000);
	assert_true(decode(&b));
	assert_int_equal(b.reported.count, 2);
	assert_int_equal(reported_times(&b.reported, F_FINOBT_FULL), 2);
	assert_int_equal(b.reported.problems[0].index, 1);
	assert_int_equal(b.nrecords, 1);
}

static void keys_in_nodes_are_inode_numbers(void **state)
{
	struct btrees b;

	(void)state;
	for (enum btree_kind kind = BT_INO; kind <= BT_FINO; kind++) {
		start(&b, kind, 1);
		for (uint32_t i = 0; i < 2; i++) {
			put32(b.block + 56 + 505 * 4 + i * 4, 201 + i);
			put32(b.block + 56 + i * 4, START + i * 64000);
		}
		put16(b.block + 6, 2);
		assert_true(decode(&b));
		assert_int_equal(b.reported.count, 0);
		assert_int_equal(b.nchildren, 2);
		assert_int_equal(b.children[1].agbno.v, 202);
		assert_true(b.children[1].low.k[0] == START + 64000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_chunks_are_sound),
		cmocka_unit_test(half_chunk_is_sound),
		cmocka_unit_test(wrong_count_is_reported_and_put_right),
		cmocka_unit_test(wrong_freecount_is_reported_and_put_right),
		cmocka_unit_test(missing_inode_marked_as_used_is_reported_and_put_right),
		cmocka_unit_test(holemask_against_all_others_is_not_believed),
		cmocka_unit_test(holemask_that_cuts_an_allocation_unit_is_reported),
		cmocka_unit_test(chunk_without_any_inode_is_reported),
		cmocka_unit_test(records_without_sparse_chunks_have_a_wide_freecount),
		cmocka_unit_test(chunks_lie_within_the_inodes_of_the_ag),
		cmocka_unit_test(chunks_are_aligned),
		cmocka_unit_test(chunks_that_overlap_are_reported),
		cmocka_unit_test(finobt_has_only_chunks_with_free_inodes),
		cmocka_unit_test(keys_in_nodes_are_inode_numbers),
	};

	return cmocka_run_group_tests_name("inobt", tests, NULL, NULL);
}

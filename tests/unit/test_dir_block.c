/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dirs.h"

static const char *const names[] = { "alpha", "beta", "gamma" };

/* `.`, `..`, three names, a free region, and the leaf entries in order of hash; the first one is stale. */
struct layout {
	uint32_t entry[5];
	uint32_t rest; /* the free region */
	uint32_t leaf[6];
	uint32_t tail;
};

static struct layout fill(struct dirs *d, const char *const *name)
{
	struct layout l;
	struct {
		uint32_t hash, at;
	} leaf[6] = { { 1, 0 }, { 0x2e, d->at }, { 0x172e, d->at + 16 } };
	uint32_t size = d->geo.dir_block_size;
	bool ci = d->geo.ascii_ci;

	put_dir_header(d, d->geo.crc ? 0x58444233 : 0x58443242);
	l.entry[0] = d->at;
	add_dots(d);
	l.entry[1] = l.entry[0] + 16;
	for (uint32_t i = 0; i < 3; i++) {
		l.entry[2 + i] = add_entry(d, name[i], FILE_INO + i, 1);
		leaf[3 + i].hash = da_hashname((const uint8_t *)name[i], strlen(name[i]), ci);
		leaf[3 + i].at = l.entry[2 + i];
	}
	l.tail = size - 8;
	l.rest = d->at;
	put_best(d, 0, l.rest, l.tail - 6 * 8 - l.rest);
	add_free(d, l.tail - 6 * 8 - l.rest);
	for (uint32_t i = 3; i < 6; i++)
		for (uint32_t j = i; j > 3 && leaf[j].hash < leaf[j - 1].hash; j--) {
			uint32_t hash = leaf[j].hash, at = leaf[j].at;

			leaf[j] = leaf[j - 1];
			leaf[j - 1].hash = hash;
			leaf[j - 1].at = at;
		}
	for (uint32_t i = 0; i < 6; i++) {
		l.leaf[i] = l.tail - 6 * 8 + 8 * i;
		put_leaf(d->block + l.leaf[i], leaf[i].hash, leaf[i].at / 8);
	}
	put32(d->block + l.tail, 6);
	put32(d->block + l.tail + 4, 1);
	return l;
}

static struct layout make_with(struct dirs *d, uint8_t dirblk_log, const char *const *name, bool ci)
{
	dirs_init(d, 12, dirblk_log, 0);
	d->geo.ascii_ci = ci;
	return fill(d, name);
}

static struct layout make(struct dirs *d)
{
	return make_with(d, 0, names, false);
}

static struct dir_data decode(struct dirs *d)
{
	struct check c = dirs_check(d);
	struct dir_data data = { 0 };

	seal(d, 4);
	assert_true(dir_block_decode(&c, d->block, &d->expect, remember_entry, remember_leaf, d, &data));
	return data;
}

static void sound_block_is_accepted_and_both_parts_visited(void **state)
{
	struct dirs d;
	struct layout l = make(&d);
	struct dir_data data = decode(&d);

	(void)state;
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(data.entries, 5);
	assert_int_equal(data.longest, l.tail - 48 - l.rest);
	assert_int_equal(d.nentries, 5);
	assert_int_equal(d.nleaves, 5);
	assert_int_equal(d.leaves[0].hash, 0x2e);
	assert_int_equal(d.leaves[0].address, 8);
}

static void block_of_64k_is_accepted(void **state)
{
	struct dirs d;

	(void)state;
	make_with(&d, 4, names, false);
	decode(&d);
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(d.nentries, 5);
	assert_int_equal(d.nleaves, 5);
}

static void block_without_a_free_byte_is_accepted(void **state)
{
	struct dirs d;
	uint32_t n = 2 + 163 + 2;

	(void)state;
	dirs_init(&d, 12, 0, 0);
	put_dir_header(&d, 0x58444233);
	add_dots(&d);
	for (int i = 0; i < 163; i++)
		add_entry(&d, "n", FILE_INO, 1);
	for (int i = 0; i < 2; i++)
		add_entry(&d, "longer", FILE_INO, 1);
	assert_int_equal(d.at, 4096 - 8 - 8 * n);
	for (uint32_t i = 0; i < n; i++)
		put_leaf(d.block + d.at + 8 * i, i, 0);
	put32(d.block + 4096 - 8, n);
	put32(d.block + 4096 - 4, n);
	decode(&d);
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(d.nentries, n);
}

static void wrong_magic_is_no_such_block(void **state)
{
	struct dirs d;
	struct check c;
	struct dir_data data;

	(void)state;
	make(&d);
	put32(d.block, 0x58444433);
	c = dirs_check(&d);
	assert_false(dir_block_decode(&c, d.block, &d.expect, remember_entry, remember_leaf, &d, &data));
	assert_reported_once(&d.reported, F_BLOCK_MAGIC, 0x58444433, 0x58444233);
	assert_int_equal(d.nentries + d.nleaves, 0);
}

static void wrong_count_is_told_by_where_the_entries_end(void **state)
{
	static const uint32_t wrong[] = { 0, 5, 7, 500, 0x80000006, UINT32_MAX };
	struct dirs d;

	(void)state;
	for (int i = 0; i < 6; i++) {
		struct layout l = make(&d);

		put32(d.block + l.tail, wrong[i]);
		decode(&d);
		assert_reported_once(&d.reported, F_DIR_BLOCK_COUNT, wrong[i], 6);
		assert_int_equal(d.nentries, 5);
		assert_int_equal(d.nleaves, 5);
	}
}

static void damaged_last_region_is_not_taken_for_a_wrong_count(void **state)
{
	struct dirs d;
	struct layout l = make(&d);

	(void)state;
	put16(d.block + l.leaf[0] - 2, 0); /* the tag of the free region */
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_DATA_TAG, 0, l.rest);
	assert_int_equal(d.nentries, 5);
	assert_int_equal(d.nleaves, 5);
}

static void wrong_stale_count_is_reported(void **state)
{
	static const uint32_t wrong[] = { 0, 2, UINT32_MAX };
	struct dirs d;

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct layout l = make(&d);

		put32(d.block + l.tail + 4, wrong[i]);
		decode(&d);
		assert_reported_once(&d.reported, F_DIR_LEAF_STALE, wrong[i], 1);
		assert_int_equal(d.nleaves, 5);
	}
}

static void leaf_entry_that_points_to_no_entry_is_reported(void **state)
{
	struct dirs d;

	(void)state;
	for (int i = 0; i < 6; i++) {
		struct layout l = make(&d);
		uint32_t wrong[] = { 1, l.rest / 8, (l.entry[3] + 8) / 8, l.leaf[0] / 8, 4096 / 8 + 8, UINT32_MAX };

		put32(d.block + l.leaf[3] + 4, wrong[i]);
		decode(&d);
		assert_reported_once(&d.reported, F_DIR_LEAF_ADDRESS, wrong[i], 0);
		assert_int_equal(d.reported.problems[0].index, 3);
		assert_int_equal(d.reported.problems[0].offset, l.leaf[3] + 4);
		assert_int_equal(d.nentries, 5);
	}
}

static void leaf_entries_of_a_damaged_part_are_not_reported_as_well(void **state)
{
	struct dirs d;
	struct layout l = make(&d);

	(void)state;
	memset(d.block + l.entry[3], 0, l.entry[4] - l.entry[3]);
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_DATA_TORN, l.entry[4] - l.entry[3], 0);
	assert_int_equal(d.nentries, 4);
	assert_int_equal(d.nleaves, 5);
}

static void hash_out_of_order_is_reported(void **state)
{
	struct dirs d;
	struct layout l = make(&d);

	(void)state;
	put32(d.block + l.leaf[2], 3);
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_LEAF_ORDER, 3, 0x2e);
	assert_int_equal(d.nleaves, 5);
}

static void name_that_is_there_twice_is_reported(void **state)
{
	static const char *const twice[] = { "same", "other", "same" };
	struct dirs d;
	struct layout l = make_with(&d, 0, twice, false);

	(void)state;
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_ENTRY_DUPLICATE, l.entry[4], l.entry[2]);
	assert_int_equal(d.nentries, 5);
}

static void different_names_with_one_hash_are_fine(void **state)
{
	/* the hash is shifted by 7: a bit 7 places up in one byte is bit 0 of the one before */
	static const char *const collide[] = { "a\x81xx", "`\x01xx", "other" };
	struct dirs d;

	(void)state;
	assert_int_equal(da_hashname((const uint8_t *)collide[0], 4, false),
			 da_hashname((const uint8_t *)collide[1], 4, false));
	make_with(&d, 0, collide, false);
	decode(&d);
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(d.nentries, 5);
}

static void names_that_differ_in_case_are_the_same_only_where_case_does_not_count(void **state)
{
	static const char *const cases[] = { "Name", "other", "nAME" };
	struct dirs d;
	struct layout l;

	(void)state;
	make_with(&d, 0, cases, false);
	decode(&d);
	assert_int_equal(d.reported.count, 0);

	l = make_with(&d, 0, cases, true);
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_ENTRY_DUPLICATE, l.entry[4], l.entry[2]);
}

static void block_of_v4_is_accepted_with_and_without_types(void **state)
{
	(void)state;
	for (int ftype = 0; ftype < 2; ftype++) {
		struct dirs d;
		struct layout l;
		struct dir_data data;

		dirs_init_v4(&d, 9, 0, 0, ftype);
		l = fill(&d, names);
		data = decode(&d);
		assert_int_equal(d.reported.count, 0);
		assert_int_equal(data.entries, 5);
		assert_int_equal(d.nleaves, 5);
		assert_int_equal(d.leaves[0].address, 16 / 8);

		put32(d.block + l.tail, 7);
		decode(&d);
		assert_reported_once(&d.reported, F_DIR_BLOCK_COUNT, 7, 6);
	}
}

static void case_does_not_count_on_v4_either(void **state)
{
	static const char *const cases[] = { "One", "Two", "oNE" };
	struct dirs d;
	struct layout l;

	(void)state;
	dirs_init_v4(&d, 10, 0, 0, true);
	d.geo.ascii_ci = true;
	l = fill(&d, cases);
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_ENTRY_DUPLICATE, l.entry[4], l.entry[2]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_block_is_accepted_and_both_parts_visited),
		cmocka_unit_test(block_of_64k_is_accepted),
		cmocka_unit_test(block_without_a_free_byte_is_accepted),
		cmocka_unit_test(wrong_magic_is_no_such_block),
		cmocka_unit_test(wrong_count_is_told_by_where_the_entries_end),
		cmocka_unit_test(damaged_last_region_is_not_taken_for_a_wrong_count),
		cmocka_unit_test(wrong_stale_count_is_reported),
		cmocka_unit_test(leaf_entry_that_points_to_no_entry_is_reported),
		cmocka_unit_test(leaf_entries_of_a_damaged_part_are_not_reported_as_well),
		cmocka_unit_test(hash_out_of_order_is_reported),
		cmocka_unit_test(name_that_is_there_twice_is_reported),
		cmocka_unit_test(different_names_with_one_hash_are_fine),
		cmocka_unit_test(names_that_differ_in_case_are_the_same_only_where_case_does_not_count),
		cmocka_unit_test(block_of_v4_is_accepted_with_and_without_types),
		cmocka_unit_test(case_does_not_count_on_v4_either),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

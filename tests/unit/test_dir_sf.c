/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "dirs.h"

#define FORK_SIZE 336u
#define WIDE_INO  0x10000123full /* does not fit in 32 bits */

/* A shortform fork being built; d->at is where the next entry goes, d->block is the fork. */
struct sf {
	struct dirs d;
	uint32_t ino_size;
	uint32_t offset; /* of the next entry in a block */
	uint32_t fork_size;
};

static void sf_init(struct sf *f, bool wide)
{
	dirs_init(&f->d, 12, 0, 0);
	f->d.geo.agblock_log = 28;
	f->d.geo.agblocks = 1u << 28;
	f->d.geo.agcount = 8;
	f->d.geo.dblocks = 8ull << 28;
	f->ino_size = wide ? 8 : 4;
	f->d.at = 2 + f->ino_size;
	f->offset = 64 + 16 + 16;
	f->fork_size = FORK_SIZE;
	f->d.block[1] = wide;
	if (wide)
		put64(f->d.block + 2, WIDE_INO);
	else
		put32(f->d.block + 2, PARENT_INO);
}

/* Adds an entry; returns its offset. */
static uint32_t sf_add(struct sf *f, const char *name, uint32_t ino, uint8_t ftype)
{
	uint32_t at = f->d.at, len = (uint32_t)strlen(name);
	uint8_t *entry = f->d.block + at;

	f->d.block[0]++;
	entry[0] = (uint8_t)len;
	put16(entry + 1, f->offset);
	memcpy(entry + 3, name, len);
	entry += 3 + len;
	if (f->d.geo.ftype)
		*entry++ = ftype;
	if (f->ino_size == 8)
		put64(entry, ino);
	else
		put32(entry, ino);
	f->d.at = (uint32_t)(entry - f->d.block) + f->ino_size;
	f->offset += entry_bytes(&f->d, len);
	return at;
}

static void sf_decode(struct sf *f, uint64_t size)
{
	struct check c = dirs_check(&f->d);

	assert_true(dir_sf_decode(&c, f->d.block, f->fork_size, size, (xino_t){ DIR_INO }, remember_entry, &f->d));
}

struct places {
	uint32_t alpha, beta, gamma, delta, end;
};

static struct places make(struct sf *f, bool wide)
{
	struct places p;

	sf_init(f, wide);
	p.alpha = sf_add(f, "alpha", FILE_INO, 1);
	p.beta = sf_add(f, "be", FILE_INO + 1, 2);
	p.gamma = sf_add(f, "a-rather-long-name", FILE_INO + 2, 7);
	p.delta = sf_add(f, "delta", FILE_INO + 3, 3);
	p.end = f->d.at;
	return p;
}

static void sound_directory_is_accepted_and_its_entries_visited(void **state)
{
	struct sf f;

	(void)state;
	for (int wide = 0; wide < 2; wide++) {
		struct places p = make(&f, wide);

		sf_decode(&f, p.end);
		assert_int_equal(f.d.reported.count, 0);
		assert_int_equal(f.d.nentries, 6);
		assert_int_equal(f.d.entries[0].kind, ENTRY_DOT);
		assert_int_equal(f.d.entries[0].target.v, DIR_INO);
		assert_int_equal(f.d.entries[1].kind, ENTRY_DOTDOT);
		assert_true(f.d.entries[1].target.v == (wide ? WIDE_INO : PARENT_INO));
		assert_int_equal(f.d.entries[2].namelen, 5);
		assert_memory_equal(f.d.entries[2].name, "alpha", 5);
		assert_int_equal(f.d.entries[3].target.v, FILE_INO + 1);
		assert_int_equal(f.d.entries[3].ftype, 2);
		assert_int_equal(f.d.entries[5].kind, ENTRY_NAME);
		assert_int_equal(f.d.entries[5].hash, da_hashname((const uint8_t *)"delta", 5, false));
	}
}

static void empty_directory_is_accepted(void **state)
{
	struct sf f;

	(void)state;
	sf_init(&f, false);
	sf_decode(&f, 6);
	assert_int_equal(f.d.reported.count, 0);
	assert_int_equal(f.d.nentries, 2);
}

static void directory_that_fills_its_fork_is_accepted(void **state)
{
	struct sf f;
	struct places p = make(&f, false);

	(void)state;
	f.fork_size = p.end;
	sf_decode(&f, p.end);
	assert_int_equal(f.d.reported.count, 0);
}

static void file_systems_without_file_types_store_none(void **state)
{
	struct sf f;

	(void)state;
	sf_init(&f, false);
	f.d.geo.ftype = false;
	sf_add(&f, "name", FILE_INO, 0);
	assert_int_equal(f.d.at, 6 + 3 + 4 + 4);
	sf_decode(&f, f.d.at);
	assert_int_equal(f.d.reported.count, 0);
	assert_int_equal(f.d.entries[2].target.v, FILE_INO);
	assert_int_equal(f.d.entries[2].ftype, 0);
}

static void fork_without_room_for_a_header_holds_no_directory(void **state)
{
	struct sf f;
	struct check c;

	(void)state;
	make(&f, false);
	c = dirs_check(&f.d);
	assert_false(dir_sf_decode(&c, f.d.block, 8, 6, (xino_t){ DIR_INO }, remember_entry, &f.d));
	assert_reported_once(&f.d.reported, F_DIR_SF_SIZE, 8, 10);
	assert_int_equal(f.d.nentries, 0);
}

static void wrong_size_is_reported_and_all_entries_visited(void **state)
{
	struct sf f;
	struct places p = make(&f, false);
	uint64_t wrong[] = { 0, p.end - 1, p.end + 1, p.end + 100, FORK_SIZE + 8, UINT64_MAX };

	(void)state;
	for (int i = 0; i < 6; i++) {
		make(&f, false);
		sf_decode(&f, wrong[i]);
		assert_reported_once(&f.d.reported, F_DIR_SF_SIZE, wrong[i], p.end);
		assert_int_equal(f.d.nentries, 6);
	}
}

static void wrong_count_is_reported_and_all_entries_visited(void **state)
{
	static const uint8_t wrong[] = { 0, 3, 5, 255 };
	struct sf f;

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct places p = make(&f, false);

		f.d.block[0] = wrong[i];
		sf_decode(&f, p.end);
		assert_reported_once(&f.d.reported, F_DIR_SF_COUNT, wrong[i], 4);
		assert_int_equal(f.d.nentries, 6);
	}
}

static void wrong_i8count_is_reported_and_all_entries_visited(void **state)
{
	struct sf f;
	struct places p = make(&f, false);

	(void)state;
	f.d.block[1] = 3; /* numbers would be twice as wide */
	sf_decode(&f, p.end);
	assert_reported_once(&f.d.reported, F_DIR_SF_I8COUNT, 3, 0);
	assert_int_equal(f.d.nentries, 6);

	p = make(&f, true);
	f.d.block[1] = 0;
	sf_decode(&f, p.end);
	assert_reported_once(&f.d.reported, F_DIR_SF_I8COUNT, 0, 1);
	assert_int_equal(f.d.nentries, 6);

	p = make(&f, true);
	f.d.block[1] = 2;
	sf_decode(&f, p.end);
	assert_reported_once(&f.d.reported, F_DIR_SF_I8COUNT, 2, 1);
	assert_int_equal(f.d.nentries, 6);
}

static void wide_numbers_without_need_are_reported(void **state)
{
	struct sf f;
	struct places p = make(&f, true);

	(void)state;
	put64(f.d.block + 2, PARENT_INO);
	sf_decode(&f, p.end);
	assert_reported_once(&f.d.reported, F_DIR_SF_I8COUNT, 1, 0);
}

static void wrong_name_length_costs_no_entry(void **state)
{
	static const uint8_t wrong[] = { 0, 1, 6, 17, 19, 29, 100, 255 };
	struct sf f;

	(void)state;
	for (int i = 0; i < 8; i++) {
		struct places p = make(&f, false);

		f.d.block[p.gamma] = wrong[i];
		sf_decode(&f, p.end);
		assert_reported_once(&f.d.reported, F_DIR_SF_NAMELEN, wrong[i], 18);
		assert_int_equal(f.d.reported.problems[0].index, 2);
		assert_int_equal(f.d.reported.problems[0].offset, p.gamma);
		assert_int_equal(f.d.nentries, 6);
		assert_non_null(visited_name(&f.d, "a-rather-long-name"));
		assert_non_null(visited_name(&f.d, "delta"));
		assert_non_null(visited_name(&f.d, "be"));
	}
}

static void wrong_name_length_of_the_last_entry_is_reported(void **state)
{
	struct sf f;
	struct places p = make(&f, false);

	(void)state;
	f.d.block[p.delta] = 200;
	f.fork_size = p.end + 50;
	sf_decode(&f, p.end);
	assert_reported_once(&f.d.reported, F_DIR_SF_NAMELEN, 200, 5);
	assert_int_equal(f.d.nentries, 6);
}

static void entries_that_make_no_sense_are_visited_as_far_as_they_go(void **state)
{
	struct sf f;
	struct places p = make(&f, false);

	(void)state;
	memset(f.d.block + p.gamma, 0, p.end - p.gamma);
	sf_decode(&f, p.end);
	assert_reported_once(&f.d.reported, F_DIR_SF_NAMELEN, 0, 0);
	assert_int_equal(f.d.reported.problems[0].index, 2);
	assert_int_equal(f.d.nentries, 4);
}

static void offset_that_cant_be_is_reported_once(void **state)
{
	struct sf f;

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct places p = make(&f, false);
		uint32_t right = 96 + 24;
		uint32_t wrong[] = { right - 8, right + 1, 4096 - 16 - 6 * 8, 0xfff8 };

		put16(f.d.block + p.beta + 1, wrong[i]);
		sf_decode(&f, p.end);
		assert_reported_once(&f.d.reported, F_DIR_SF_OFFSET, wrong[i], right);
		assert_int_equal(f.d.reported.problems[0].index, 1);
		assert_int_equal(f.d.nentries, 6);
	}
}

static void offset_above_that_of_the_next_entry_is_reported_there(void **state)
{
	struct sf f;
	struct places p = make(&f, false);

	(void)state;
	put16(f.d.block + p.beta + 1, 1000);
	sf_decode(&f, p.end);
	assert_reported_once(&f.d.reported, F_DIR_SF_OFFSET, 96 + 24 + 16, 1016);
}

static void gaps_between_offsets_are_what_removed_entries_leave(void **state)
{
	struct sf f;

	(void)state;
	sf_init(&f, false);
	f.offset += 40;
	sf_add(&f, "one", FILE_INO, 1);
	f.offset += 800;
	sf_add(&f, "two", FILE_INO, 1);
	f.offset = 4096 - 8 - 8 * 5 - 16; /* the last place */
	sf_add(&f, "3", FILE_INO, 1);
	sf_decode(&f, f.d.at);
	assert_int_equal(f.d.reported.count, 0);
}

static void names_that_may_not_be_are_reported(void **state)
{
	struct sf f;
	struct places p = make(&f, false);

	(void)state;
	f.d.block[p.gamma + 3 + 17] = '/';
	sf_decode(&f, p.end);
	assert_reported_once(&f.d.reported, F_DIR_ENTRY_NAME, '/', 0);

	p = make(&f, false);
	f.d.block[p.alpha + 3] = 0;
	sf_decode(&f, p.end);
	assert_reported_once(&f.d.reported, F_DIR_ENTRY_NAME, 0, 0);

	p = make(&f, false);
	memcpy(f.d.block + p.beta + 3, "..", 2);
	sf_decode(&f, p.end);
	assert_reported_once(&f.d.reported, F_DIR_ENTRY_DOTS, 2, 0);
	assert_int_equal(f.d.nentries, 6);
}

static void name_that_is_there_twice_is_reported(void **state)
{
	struct sf f;
	uint32_t first, second;

	(void)state;
	sf_init(&f, false);
	sf_add(&f, "other", FILE_INO, 1);
	first = sf_add(&f, "twice", FILE_INO + 1, 1);
	sf_add(&f, "twicf", FILE_INO + 2, 1);
	second = sf_add(&f, "twice", FILE_INO + 3, 1);
	sf_decode(&f, f.d.at);
	assert_reported_once(&f.d.reported, F_DIR_ENTRY_DUPLICATE, second, first);
	assert_int_equal(f.d.nentries, 6);
}

static void names_that_differ_in_case_are_the_same_only_where_case_does_not_count(void **state)
{
	struct sf f;
	uint32_t first, second;

	(void)state;
	sf_init(&f, false);
	first = sf_add(&f, "Name\xc9", FILE_INO, 1);
	second = sf_add(&f, "nAME\xe9", FILE_INO + 1, 1);
	sf_decode(&f, f.d.at);
	assert_int_equal(f.d.reported.count, 0);

	f.d.geo.ascii_ci = true;
	sf_decode(&f, f.d.at);
	assert_reported_once(&f.d.reported, F_DIR_ENTRY_DUPLICATE, second, first);
}

static void no_pair_of_equal_names_is_missed_among_many(void **state)
{
	struct sf f;
	char name[8];

	(void)state;
	for (uint32_t twice = 0; twice < 60; twice++) {
		sf_init(&f, false);
		f.fork_size = 1800;
		for (uint32_t i = 0; i < 60; i++) {
			snprintf(name, sizeof(name), "f%u", i);
			sf_add(&f, name, FILE_INO + i, 1);
		}
		sf_decode(&f, f.d.at);
		assert_int_equal(f.d.reported.count, 0);
		snprintf(name, sizeof(name), "f%u", twice);
		sf_add(&f, name, FILE_INO, 1);
		sf_decode(&f, f.d.at);
		assert_int_equal(f.d.reported.count, 1);
		assert_int_equal(f.d.reported.problems[0].finding, F_DIR_ENTRY_DUPLICATE);
	}
}

static void targets_and_types_that_cant_be_are_reported(void **state)
{
	struct sf f;
	struct places p = make(&f, false);

	(void)state;
	put32(f.d.block + p.end - 4, 7);
	sf_decode(&f, p.end);
	assert_reported_once(&f.d.reported, F_DIR_ENTRY_INO, 7, 0);
	assert_int_equal(f.d.nentries, 5);

	p = make(&f, false);
	put32(f.d.block + p.end - 4, (uint32_t)f.d.geo.rsumino.v);
	sf_decode(&f, p.end);
	assert_reported_once(&f.d.reported, F_DIR_ENTRY_INTERNAL, f.d.geo.rsumino.v, 0);

	p = make(&f, false);
	f.d.block[p.end - 5] = 0;
	sf_decode(&f, p.end);
	assert_reported_once(&f.d.reported, F_DIR_ENTRY_FTYPE, 0, 0);
	assert_int_equal(f.d.nentries, 6);
}

static void parent_that_cant_be_is_reported_and_not_visited(void **state)
{
	struct sf f;
	struct places p = make(&f, false);

	(void)state;
	put32(f.d.block + 2, 7);
	sf_decode(&f, p.end);
	assert_reported_once(&f.d.reported, F_DIR_DOTDOT_INO, 7, 0);
	assert_int_equal(f.d.nentries, 5);
}

/* V4: without types entries are a byte shorter, and in a block they start after a header of 16 bytes. */
static void fork_of_v4_is_accepted_with_and_without_types(void **state)
{
	(void)state;
	for (int ftype = 0; ftype < 2; ftype++) {
		struct sf f;
		uint32_t name;

		sf_init(&f, false);
		f.d.geo.crc = false;
		f.d.geo.version = 4;
		f.d.geo.ftype = ftype;
		f.offset = 16 + 16 + 16;
		name = sf_add(&f, "abcde", FILE_INO, 1);
		assert_int_equal(f.offset, 16 + 16 + 16 + (ftype ? 24 : 16));
		sf_add(&f, "x", FILE_INO + 1, 2);
		assert_int_equal(f.d.at, 6 + 2 * (3 + 4) + 6 + 2 * ftype);
		sf_decode(&f, f.d.at);
		assert_int_equal(f.d.reported.count, 0);
		assert_int_equal(f.d.nentries, 4);
		assert_int_equal(f.d.entries[2].ftype, ftype);
		assert_int_equal(f.d.entries[3].target.v, FILE_INO + 1);

		put16(f.d.block + name + 1, 16 + 16 + 8);
		sf_decode(&f, f.d.at);
		assert_reported_once(&f.d.reported, F_DIR_SF_OFFSET, 16 + 16 + 8, 16 + 16 + 16);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_directory_is_accepted_and_its_entries_visited),
		cmocka_unit_test(empty_directory_is_accepted),
		cmocka_unit_test(directory_that_fills_its_fork_is_accepted),
		cmocka_unit_test(file_systems_without_file_types_store_none),
		cmocka_unit_test(fork_without_room_for_a_header_holds_no_directory),
		cmocka_unit_test(wrong_size_is_reported_and_all_entries_visited),
		cmocka_unit_test(wrong_count_is_reported_and_all_entries_visited),
		cmocka_unit_test(wrong_i8count_is_reported_and_all_entries_visited),
		cmocka_unit_test(wide_numbers_without_need_are_reported),
		cmocka_unit_test(wrong_name_length_costs_no_entry),
		cmocka_unit_test(wrong_name_length_of_the_last_entry_is_reported),
		cmocka_unit_test(entries_that_make_no_sense_are_visited_as_far_as_they_go),
		cmocka_unit_test(offset_that_cant_be_is_reported_once),
		cmocka_unit_test(offset_above_that_of_the_next_entry_is_reported_there),
		cmocka_unit_test(gaps_between_offsets_are_what_removed_entries_leave),
		cmocka_unit_test(names_that_may_not_be_are_reported),
		cmocka_unit_test(name_that_is_there_twice_is_reported),
		cmocka_unit_test(names_that_differ_in_case_are_the_same_only_where_case_does_not_count),
		cmocka_unit_test(no_pair_of_equal_names_is_missed_among_many),
		cmocka_unit_test(targets_and_types_that_cant_be_are_reported),
		cmocka_unit_test(parent_that_cant_be_is_reported_and_not_visited),
		cmocka_unit_test(fork_of_v4_is_accepted_with_and_without_types),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

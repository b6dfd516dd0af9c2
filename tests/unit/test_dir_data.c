/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dirs.h"

/* A block with free regions of 40, 64 and the rest of the block, and five names; block 0 begins with the dots. */
struct layout {
	uint32_t alpha, beta, gamma, delta, epsilon;
	uint32_t small, middle, rest;
};

static struct layout make(struct dirs *d, uint8_t dirblk_log, uint32_t dablk)
{
	struct layout l;

	dirs_init(d, 12, dirblk_log, dablk);
	put_dir_header(d, 0x58444433);
	if (dablk == 0)
		add_dots(d);
	l.alpha = add_entry(d, "alpha", FILE_INO, 1);
	l.small = add_free(d, 40);
	l.beta = add_entry(d, "beta", FILE_INO + 1, 7);
	l.gamma = add_entry(d, "gamma-with-a-longer-name", FILE_INO + 2, 8);
	l.middle = add_free(d, 64);
	l.delta = add_entry(d, "delta", FILE_INO + 3, 2);
	l.epsilon = add_entry(d, "e", FILE_INO + 4, 3);
	l.rest = add_free(d, d->geo.dir_block_size - d->at);
	put_best(d, 0, l.rest, d->geo.dir_block_size - l.rest);
	put_best(d, 1, l.middle, 64);
	put_best(d, 2, l.small, 40);
	return l;
}

static struct dir_data decode(struct dirs *d)
{
	struct check c = dirs_check(d);
	struct dir_data data = { 0 };

	seal(d, 4);
	assert_true(dir_data_decode(&c, d->block, &d->expect, remember_entry, d, &data));
	return data;
}

static void sound_block_is_accepted_and_its_entries_visited(void **state)
{
	struct dirs d;
	struct layout l = make(&d, 0, 3);
	struct dir_data data = decode(&d);
	const struct dir_entry *gamma = visited_name(&d, "gamma-with-a-longer-name");

	(void)state;
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(data.entries, 5);
	assert_int_equal(data.longest, 4096 - l.rest);
	assert_int_equal(d.nentries, 5);
	assert_non_null(gamma);
	assert_int_equal(gamma->kind, ENTRY_NAME);
	assert_int_equal(gamma->target.v, FILE_INO + 2);
	assert_int_equal(gamma->ftype, 8);
	assert_int_equal(gamma->address, (3 * 4096 + l.gamma) / 8);
	assert_int_equal(gamma->hash, da_hashname(gamma->name, gamma->namelen, false));
}

static void first_block_of_a_directory_begins_with_the_dots(void **state)
{
	struct dirs d;
	struct dir_data data;

	(void)state;
	make(&d, 0, 0);
	data = decode(&d);
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(data.entries, 7);
	assert_int_equal(d.entries[0].kind, ENTRY_DOT);
	assert_int_equal(d.entries[0].target.v, DIR_INO);
	assert_int_equal(d.entries[0].address, 8);
	assert_int_equal(d.entries[0].hash, 0x2e);
	assert_int_equal(d.entries[1].kind, ENTRY_DOTDOT);
	assert_int_equal(d.entries[1].target.v, PARENT_INO);
	assert_int_equal(d.entries[1].address, 10);
	assert_int_equal(d.entries[1].hash, 0x172e);
}

static void blocks_of_64k_that_are_empty_or_full_are_sound(void **state)
{
	struct dirs d;
	struct dir_data data;

	(void)state;
	dirs_init(&d, 12, 4, 16);
	put_dir_header(&d, 0x58444433);
	add_free(&d, 65536 - 64);
	put_best(&d, 0, 64, 65536 - 64);
	data = decode(&d);
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(data.longest, 65536 - 64);
	assert_int_equal(data.entries, 0);

	dirs_init(&d, 12, 4, 16);
	put_dir_header(&d, 0x58444433);
	while (d.at < 65536)
		add_entry(&d, "fourteen-bytes", FILE_INO, 1);
	data = decode(&d);
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(data.longest, 0);
	assert_int_equal(data.entries, (65536 - 64) / 32);
	assert_int_equal(d.entries[63].address, 16 * 4096 / 8 + (64 + 63 * 32) / 8);
}

static void file_systems_without_file_types_have_shorter_entries(void **state)
{
	struct dirs d;
	uint32_t rest;

	(void)state;
	dirs_init(&d, 12, 0, 1);
	d.geo.ftype = false;
	put_dir_header(&d, 0x58444433);
	assert_int_equal(add_entry(&d, "five5", FILE_INO, 0), 64);
	assert_int_equal(d.at, 80); /* 24 bytes with a file type */
	rest = add_free(&d, 4096 - d.at);
	put_best(&d, 0, rest, 4096 - rest);
	decode(&d);
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(d.nentries, 1);
	assert_int_equal(d.entries[0].ftype, 0);
}

static void hash_is_of_the_folded_name_where_case_does_not_count(void **state)
{
	struct dirs d;
	struct layout l = make(&d, 0, 3);

	(void)state;
	d.geo.ascii_ci = true;
	memcpy(d.block + l.alpha + 9, "ALPHA", 5);
	decode(&d);
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(d.entries[0].hash, da_hashname((const uint8_t *)"alpha", 5, false));
}

static void wrong_magic_is_no_data_block(void **state)
{
	struct dirs d;
	struct check c;
	struct dir_data data;

	(void)state;
	make(&d, 0, 3);
	put32(d.block, 0x58444233);
	c = dirs_check(&d);
	assert_false(dir_data_decode(&c, d.block, &d.expect, remember_entry, &d, &data));
	assert_reported_once(&d.reported, F_BLOCK_MAGIC, 0x58444233, 0x58444433);
	assert_int_equal(d.nentries, 0);
}

static void block_of_another_place_and_owner_is_not_visited(void **state)
{
	struct dirs d;
	struct check c;
	struct dir_data data;

	(void)state;
	make(&d, 0, 3);
	put64(d.block + 8, DIR_DADDR + 8);
	put64(d.block + 40, DIR_INO + 1);
	seal(&d, 4);
	c = dirs_check(&d);
	assert_false(dir_data_decode(&c, d.block, &d.expect, remember_entry, &d, &data));
	assert_int_equal(d.reported.count, 2);
	assert_int_equal(reported_times(&d.reported, F_BLOCK_BLKNO), 1);
	assert_int_equal(reported_times(&d.reported, F_BLOCK_OWNER), 1);
	assert_int_equal(d.nentries, 0);
}

static void fields_of_the_header_are_reported_each_by_itself(void **state)
{
	static const struct {
		uint32_t at;
		enum finding finding;
		uint64_t want;
	} fields[] = {
		{ 8, F_BLOCK_BLKNO, DIR_DADDR },
		{ 16, F_BLOCK_LSN, 0x200000000 },
		{ 24, F_BLOCK_UUID, 0xa0a1a2a3a4a5a6a7 },
		{ 40, F_BLOCK_OWNER, DIR_INO },
	};
	struct dirs d;

	(void)state;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		make(&d, 0, 3);
		put64(d.block + fields[i].at, 0x8877665544332211);
		decode(&d);
		assert_reported_once(&d.reported, fields[i].finding, 0x8877665544332211, fields[i].want);
		assert_int_equal(d.nentries, 5);
	}
}

static void wrong_checksum_does_not_stop_decoding(void **state)
{
	struct dirs d;
	struct check c;
	struct dir_data data;

	(void)state;
	make(&d, 0, 3);
	seal(&d, 4);
	d.block[7] ^= 0x80;
	c = dirs_check(&d);
	assert_true(dir_data_decode(&c, d.block, &d.expect, remember_entry, &d, &data));
	assert_int_equal(d.reported.count, 1);
	assert_int_equal(d.reported.problems[0].finding, F_BLOCK_CRC);
	assert_int_equal(d.nentries, 5);
}

static void wrong_tag_of_an_entry_is_reported_and_the_entry_visited(void **state)
{
	struct dirs d;
	struct layout l = make(&d, 0, 3);

	(void)state;
	put16(d.block + l.gamma - 2, 0); /* of beta */
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_DATA_TAG, 0, l.beta);
	assert_int_equal(d.reported.problems[0].index, 2);
	assert_int_equal(d.nentries, 5);
}

static void wrong_tag_of_a_free_region_is_reported_and_the_region_counts(void **state)
{
	struct dirs d;
	struct layout l = make(&d, 0, 3);
	struct dir_data data;

	(void)state;
	put16(d.block + 4094, 8);
	data = decode(&d);
	assert_reported_once(&d.reported, F_DIR_DATA_TAG, 8, l.rest);
	assert_int_equal(data.longest, 4096 - l.rest);
	assert_int_equal(d.nentries, 5);
}

static void wrong_name_length_costs_that_entry_only(void **state)
{
	static const uint8_t wrong[] = { 0, 1, 60, 255 };
	struct dirs d;

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct layout l = make(&d, 0, 3);

		d.block[l.gamma + 8] = wrong[i];
		decode(&d);
		assert_reported_once(&d.reported, F_DIR_DATA_LENGTH, entry_bytes(&d, wrong[i]), l.middle - l.gamma);
		assert_int_equal(d.nentries, 4);
		assert_null(visited_name(&d, "gamma-with-a-longer-name"));
		assert_non_null(visited_name(&d, "delta"));
		assert_non_null(visited_name(&d, "e"));
	}
}

static void name_length_that_swallows_the_next_entry_is_told_by_the_tag(void **state)
{
	struct dirs d;
	struct layout l = make(&d, 0, 3);

	(void)state;
	d.block[l.delta + 8] = 5 + 16; /* to the end of epsilon */
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_DATA_LENGTH, 40, 24);
	assert_int_equal(d.nentries, 4);
	assert_non_null(visited_name(&d, "e"));
}

static void name_of_no_bytes_is_reported(void **state)
{
	struct dirs d;
	struct layout l = make(&d, 0, 3);

	(void)state;
	d.block[l.epsilon + 8] = 0; /* 16 bytes as before */
	decode(&d);
	assert_int_equal(d.reported.count, 1);
	assert_int_equal(d.reported.problems[0].finding, F_DIR_ENTRY_NAMELEN);
	assert_int_equal(d.reported.problems[0].offset, l.epsilon);
	assert_int_equal(d.nentries, 4);
}

static void wrong_length_of_a_free_region_loses_no_entry(void **state)
{
	static const uint16_t wrong[] = { 0, 7, 8, 61, 104, 0xfff8 };
	struct dirs d;

	(void)state;
	for (int i = 0; i < 6; i++) {
		struct layout l = make(&d, 0, 3);
		struct dir_data data;

		put16(d.block + l.middle + 2, wrong[i]);
		data = decode(&d);
		assert_reported_once(&d.reported, F_DIR_DATA_LENGTH, wrong[i], 64);
		assert_int_equal(d.nentries, 5);
		assert_int_equal(data.longest, 4096 - l.rest);
	}
}

static void removed_entries_inside_a_free_region_stay_removed(void **state)
{
	struct dirs d;
	uint32_t first, second, after;

	(void)state;
	/* "first" and "last" were removed before "middle", so that it looks alive; the region got its length wrong */
	dirs_init(&d, 12, 0, 3);
	put_dir_header(&d, 0x58444433);
	first = add_entry(&d, "first", FILE_INO, 1);
	second = add_entry(&d, "middle", FILE_INO, 1);
	add_free(&d, 24);
	after = add_entry(&d, "after", FILE_INO, 1);
	put_best(&d, 0, add_free(&d, 4096 - d.at), 4096 - after - 24);
	put16(d.block + first, 0xffff);
	put16(d.block + first + 2, 16);
	put16(d.block + after - 2, first);
	put_best(&d, 1, first, after - first);
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_DATA_LENGTH, 16, after - first);
	assert_int_equal(d.nentries, 1);
	assert_non_null(visited_name(&d, "after"));
	assert_true(second < after);
}

static void lost_freetag_is_reported_once(void **state)
{
	struct dirs d;
	struct layout l = make(&d, 0, 3);

	(void)state;
	put16(d.block + l.middle, 0x7fff);
	decode(&d);
	assert_int_equal(d.reported.count, 1);
	assert_int_equal(d.reported.problems[0].finding, F_DIR_DATA_LENGTH);
	assert_int_equal(d.nentries, 5);

	/* the region was an entry of the same size before: still it isn't one */
	l = make(&d, 0, 3);
	d.block[l.small + 8] = 28;
	memset(d.block + l.small + 9, 'x', 28);
	d.block[l.small + 9 + 28] = 1;
	put16(d.block + l.small, 0x7fff);
	decode(&d);
	assert_int_equal(d.reported.count, 1);
	assert_int_equal(d.reported.problems[0].finding, F_DIR_ENTRY_INO);
	assert_int_equal(d.nentries, 5);
}

static void inode_number_like_a_free_region_costs_that_entry_only(void **state)
{
	struct dirs d;
	struct layout l = make(&d, 0, 3);

	(void)state;
	put64(d.block + l.beta, UINT64_MAX);
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_DATA_LENGTH, 0xffff, l.gamma - l.beta);
	assert_int_equal(d.nentries, 4);
}

static void overwritten_part_costs_the_entries_in_it(void **state)
{
	struct dirs d;
	struct layout l = make(&d, 0, 3);
	struct dir_data data;

	(void)state;
	memset(d.block + l.beta, 0, l.middle - l.beta); /* beta and gamma */
	data = decode(&d);
	assert_reported_once(&d.reported, F_DIR_DATA_TORN, l.middle - l.beta, 0);
	assert_int_equal(d.reported.problems[0].offset, l.beta);
	assert_int_equal(d.nentries, 3);
	assert_int_equal(data.longest, 4096 - l.rest);

	make(&d, 0, 3);
	memset(d.block + l.middle, 0x5a, 4096 - l.middle);
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_DATA_TORN, 4096 - l.middle, 0);
	assert_int_equal(d.nentries, 3);
}

static void free_regions_side_by_side_are_reported(void **state)
{
	struct dirs d;
	struct layout l = make(&d, 0, 3);

	(void)state;
	d.at = l.middle;
	add_free(&d, 16);
	add_free(&d, 48);
	put_best(&d, 1, l.middle + 16, 48);
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_DATA_ADJACENT, l.middle + 16, l.middle);
	assert_int_equal(d.nentries, 5);
}

static void bestfree_with_a_wrong_length_is_reported_once(void **state)
{
	static const uint32_t lengths[] = { 0, 64, 40 };
	struct dirs d;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct layout l = make(&d, 0, 3);
		uint32_t want = i == 0 ? 4096 - l.rest : lengths[i];
		struct dir_data data;

		put16(d.block + 48 + 4 * i + 2, 8);
		data = decode(&d);
		assert_reported_once(&d.reported, F_DIR_BESTFREE_LENGTH, 8, want);
		assert_int_equal(d.reported.problems[0].index, i);
		assert_int_equal(d.reported.problems[0].offset, 48 + 4 * i + 2);
		assert_int_equal(data.longest, 4096 - l.rest);
		assert_int_equal(d.nentries, 5);
	}
}

static void bestfree_with_a_wrong_offset_is_reported_once(void **state)
{
	struct dirs d;
	struct layout l;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		uint32_t wrong;

		l = make(&d, 0, 3);
		wrong = i == 1 ? l.small : l.beta;
		put16(d.block + 48 + 4 * i, wrong);
		decode(&d);
		assert_reported_once(&d.reported, F_DIR_BESTFREE_OFFSET, wrong, 0);
		assert_int_equal(d.reported.problems[0].index, i);
	}
}

static void unused_bestfree_must_be_all_zero(void **state)
{
	struct dirs d;
	uint32_t rest;

	(void)state;
	for (int wrong = 0; wrong < 3; wrong++) {
		dirs_init(&d, 12, 0, 3);
		put_dir_header(&d, 0x58444433);
		add_entry(&d, "name", FILE_INO, 1);
		rest = add_free(&d, 4096 - d.at);
		put_best(&d, 0, rest, 4096 - rest);
		if (wrong == 1)
			put_best(&d, 1, 64, 0);
		if (wrong == 2)
			put_best(&d, 2, rest, 4096 - rest);
		decode(&d);
		if (wrong == 0)
			assert_int_equal(d.reported.count, 0);
		if (wrong == 1)
			assert_reported_once(&d.reported, F_DIR_BESTFREE_OFFSET, 64, 0);
		if (wrong == 2)
			assert_reported_once(&d.reported, F_DIR_BESTFREE_LENGTH, 4096 - rest, 0);
	}
}

static void any_of_equally_long_regions_may_be_listed_but_each_once(void **state)
{
	struct dirs d;
	uint32_t at[5];

	(void)state;
	dirs_init(&d, 12, 0, 3);
	put_dir_header(&d, 0x58444433);
	for (int i = 0; i < 5; i++) {
		at[i] = add_free(&d, 64);
		add_entry(&d, "name", FILE_INO, 1);
	}
	while (d.at < 4096)
		add_entry(&d, d.at + 16 == 4096 || d.at % 24 != 16 ? "name" : "longer", FILE_INO, 1);
	put_best(&d, 0, at[3], 64);
	put_best(&d, 1, at[0], 64);
	put_best(&d, 2, at[4], 64);
	decode(&d);
	assert_int_equal(d.reported.count, 0);

	put_best(&d, 2, at[3], 64);
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_BESTFREE_OFFSET, at[3], 0);
	assert_int_equal(d.reported.problems[0].index, 2);
}

static void names_with_a_slash_or_a_zero_byte_are_reported_wherever_it_is(void **state)
{
	static const char bad[] = { '/', '\0' };
	struct dirs d;

	(void)state;
	for (int k = 0; k < 2; k++) {
		for (uint32_t i = 0; i < strlen("gamma-with-a-longer-name"); i++) {
			struct layout l = make(&d, 0, 3);

			d.block[l.gamma + 9 + i] = (uint8_t)bad[k];
			decode(&d);
			assert_reported_once(&d.reported, F_DIR_ENTRY_NAME, (uint64_t)bad[k], 0);
			assert_int_equal(d.nentries, 5);
		}
	}
}

static void names_with_any_other_byte_are_fine(void **state)
{
	struct dirs d;

	(void)state;
	for (unsigned b = 1; b < 256; b++) {
		struct layout l = make(&d, 0, 3);

		if (b == '/')
			continue;
		memset(d.block + l.gamma + 9, (int)b, strlen("gamma-with-a-longer-name"));
		decode(&d);
		assert_int_equal(d.reported.count, 0);
	}
}

static void dots_anywhere_else_are_reported(void **state)
{
	struct dirs d;
	struct layout l = make(&d, 0, 3);

	(void)state;
	d.block[l.epsilon + 9] = '.';
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_ENTRY_DOTS, 1, 0);

	l = make(&d, 0, 0);
	d.block[l.epsilon + 8] = 2;
	memcpy(d.block + l.epsilon + 9, "..\2", 3);
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_ENTRY_DOTS, 2, 0);
}

static void impossible_inode_number_is_reported_and_the_entry_not_visited(void **state)
{
	struct dirs d;
	uint64_t wrong[] = { 0, 1ull << 56, 4ull << 19, 50000ull * 8, 23 };

	(void)state;
	for (int i = 0; i < 5; i++) {
		struct layout l = make(&d, 0, 3);

		put64(d.block + l.beta, wrong[i]);
		decode(&d);
		assert_reported_once(&d.reported, F_DIR_ENTRY_INO, wrong[i], 0);
		assert_int_equal(d.nentries, 4);
	}
}

static void entries_for_internal_inodes_are_reported(void **state)
{
	struct dirs d;

	(void)state;
	for (int i = 0; i < 6; i++) {
		struct layout l = make(&d, 0, 3);
		xino_t *const internal[] = { &d.geo.rbmino,   &d.geo.rsumino,  &d.geo.uquotino,
					     &d.geo.gquotino, &d.geo.pquotino, &d.geo.metadirino };

		internal[i]->v = FILE_INO + 100;
		put64(d.block + l.beta, FILE_INO + 100);
		decode(&d);
		assert_reported_once(&d.reported, F_DIR_ENTRY_INTERNAL, FILE_INO + 100, 0);
		assert_int_equal(d.nentries, 5);
	}
}

static void file_type_that_kernels_dont_write_is_reported(void **state)
{
	static const uint8_t wrong[] = { 0, 9, 255 };
	struct dirs d;

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct layout l = make(&d, 0, 3);

		d.block[l.beta + 9 + 4] = wrong[i];
		decode(&d);
		assert_reported_once(&d.reported, F_DIR_ENTRY_FTYPE, wrong[i], 0);
		assert_int_equal(d.nentries, 5);
	}
}

static void dots_are_known_by_their_tag_if_their_name_is_wrong(void **state)
{
	struct dirs d;

	(void)state;
	for (int i = 0; i < 2; i++) {
		uint32_t at = 64 + 16 * (uint32_t)i;

		make(&d, 0, 0);
		d.block[at + 9] = 'x';
		decode(&d);
		assert_int_equal(d.reported.count, 1);
		assert_int_equal(d.reported.problems[0].finding, F_DIR_DOTS_NAME);
		assert_int_equal(d.nentries, 7);
		assert_int_equal(d.entries[i].kind, i == 0 ? ENTRY_DOT : ENTRY_DOTDOT);
		assert_int_equal(d.entries[i].hash, i == 0 ? 0x2e : 0x172e);

		make(&d, 0, 0);
		d.block[at + 8] = 200;
		decode(&d);
		assert_reported_once(&d.reported, F_DIR_DOTS_NAME, 200, 0);
		assert_int_equal(d.nentries, 7);
	}
}

static void dots_are_known_by_their_name_if_their_tag_is_wrong(void **state)
{
	struct dirs d;

	(void)state;
	make(&d, 0, 0);
	put16(d.block + 64 + 14, 1);
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_DATA_TAG, 1, 64);
	assert_int_equal(d.nentries, 7);
}

static void dot_that_names_another_inode_is_reported_and_visited_as_the_directory(void **state)
{
	static const uint64_t wrong[] = { PARENT_INO, 0, UINT64_MAX };
	struct dirs d;

	(void)state;
	for (int i = 0; i < 3; i++) {
		make(&d, 0, 0);
		put64(d.block + 64, wrong[i]);
		decode(&d);
		assert_reported_once(&d.reported, F_DIR_DOT_INO, wrong[i], DIR_INO);
		assert_int_equal(d.nentries, 7);
		assert_int_equal(d.entries[0].target.v, DIR_INO);
	}
}

static void dotdot_that_names_no_possible_inode_is_reported_and_not_visited(void **state)
{
	static const uint64_t wrong[] = { 0, UINT64_MAX };
	struct dirs d;

	(void)state;
	for (int i = 0; i < 2; i++) {
		make(&d, 0, 0);
		put64(d.block + 80, wrong[i]);
		decode(&d);
		assert_reported_once(&d.reported, F_DIR_DOTDOT_INO, wrong[i], 0);
		assert_int_equal(d.nentries, 6);
	}
}

static void children_of_the_metadata_root_may_name_it_as_parent(void **state)
{
	struct dirs d;

	(void)state;
	make(&d, 0, 0);
	d.geo.metadirino.v = PARENT_INO;
	decode(&d);
	assert_int_equal(d.reported.count, 0);

	d.geo.uquotino.v = PARENT_INO; /* a file can't be a parent */
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_DOTDOT_INO, PARENT_INO, 0);
}

static void dots_have_the_type_of_directories(void **state)
{
	struct dirs d;

	(void)state;
	make(&d, 0, 0);
	d.block[64 + 9 + 1] = 1;
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_DOTS_FTYPE, 1, 2);

	make(&d, 0, 0);
	d.block[80 + 9 + 2] = 0;
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_DOTS_FTYPE, 0, 2);
	assert_int_equal(d.nentries, 7);
}

static void first_block_without_dots_is_reported_for_each(void **state)
{
	struct dirs d;
	uint32_t rest;

	(void)state;
	dirs_init(&d, 12, 0, 0);
	put_dir_header(&d, 0x58444433);
	add_entry(&d, "a-name-for-32-bytes", FILE_INO, 1);
	rest = add_free(&d, 4096 - d.at);
	put_best(&d, 0, rest, 4096 - rest);
	decode(&d);
	assert_int_equal(d.reported.count, 2);
	assert_int_equal(reported_times(&d.reported, F_DIR_DOTS_MISSING), 2);
	assert_int_equal(d.nentries, 1);
}

/* V4 without file types: header of 16 bytes, the tag right after the name where that fits. */
static void block_of_v4_without_types_is_accepted(void **state)
{
	struct dirs d;
	struct dir_data data;
	uint32_t name, rest;

	(void)state;
	dirs_init_v4(&d, 9, 0, 0, false);
	put_dir_header(&d, 0x58443244);
	add_dots(&d);
	name = add_entry(&d, "abcde", FILE_INO, 0);
	assert_int_equal(name, 16 + 16 + 16);
	assert_int_equal(d.at, name + 16); /* with a type it would be 24 */
	rest = add_free(&d, 512 - d.at);
	put_best(&d, 0, rest, 512 - rest);
	data = decode(&d);
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(data.entries, 3);
	assert_int_equal(data.longest, 512 - rest);
	assert_int_equal(d.entries[2].address, name / 8);
	assert_int_equal(d.entries[2].ftype, 0);
	assert_int_equal(d.entries[2].target.v, FILE_INO);

	put_best(&d, 0, rest, 512 - rest - 8);
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_BESTFREE_LENGTH, 512 - rest - 8, 512 - rest);
	assert_int_equal(d.reported.problems[0].offset, 6);

	put_best(&d, 0, rest, 512 - rest);
	put16(d.block + name + 14, 0);
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_DATA_TAG, 0, name);

	put16(d.block + name + 14, name);
	put64(d.block + 16, DIR_INO + 1);
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_DOT_INO, DIR_INO + 1, DIR_INO);
}

/* With types, the same block has its type checked. */
static void types_in_blocks_of_v4_are_checked(void **state)
{
	struct dirs d;
	uint32_t name, rest;

	(void)state;
	dirs_init_v4(&d, 9, 0, 4, true);
	put_dir_header(&d, 0x58443244);
	name = add_entry(&d, "name", FILE_INO, 7);
	rest = add_free(&d, 512 - d.at);
	put_best(&d, 0, rest, 512 - rest);
	decode(&d);
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(d.entries[0].ftype, 7);
	assert_int_equal(d.entries[0].address, (4 * 512 + name) / 8);

	d.block[name + 9 + 4] = 9;
	decode(&d);
	assert_reported_once(&d.reported, F_DIR_ENTRY_FTYPE, 9, 0);
}

/* The longest free region that there can be: of an empty block of 64 KiB. */
static void free_block_of_64k_is_sound_on_either_version(void **state)
{
	struct dirs d;
	struct dir_data data;

	(void)state;
	dirs_init(&d, 16, 0, 1);
	put_dir_header(&d, 0x58444433);
	add_free(&d, 65536 - 64);
	put_best(&d, 0, 64, 65536 - 64);
	data = decode(&d);
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(data.longest, 65536 - 64);

	dirs_init_v4(&d, 9, 7, 128, false);
	put_dir_header(&d, 0x58443244);
	add_free(&d, 65536 - 16);
	put_best(&d, 0, 16, 65536 - 16);
	data = decode(&d);
	assert_int_equal(d.reported.count, 0);
	assert_int_equal(data.longest, 65536 - 16);
}

/* An entry of the hash index for the longest name of make(). */
static bool hash_of_gamma(const void *ctx, uint32_t address, uint32_t *ret_hash)
{
	const struct layout *l = ctx;
	static const uint8_t name[] = "gamma-with-a-longer-name";

	*ret_hash = da_hashname(name, sizeof(name) - 1, false);
	return address == (3 * 4096 + l->gamma) / 8;
}

static void length_of_a_name_is_told_by_its_hash(void **state)
{
	static const uint8_t wrong[] = { 0, 1, 16, 21, 23, 25, 28, 29, 255 };

	(void)state;
	for (size_t i = 0; i < sizeof(wrong); i++) {
		struct dirs d;
		struct layout l = make(&d, 0, 3);

		d.block[l.gamma + 8] = wrong[i];
		dir_data_mend(&d.geo, d.block, (dablk_t){ 3 }, hash_of_gamma, &l);
		assert_int_equal(d.block[l.gamma + 8], 24);
		decode(&d);
		assert_int_equal(d.reported.count, 0);
		assert_int_equal(d.nentries, 5);
	}
}

static void number_like_a_free_region_is_told_from_one_by_the_hash(void **state)
{
	struct dirs d;
	struct layout l = make(&d, 0, 3);

	(void)state;
	memset(d.block + l.gamma, 0xff, 8);
	dir_data_mend(&d.geo, d.block, (dablk_t){ 3 }, hash_of_gamma, &l);
	decode(&d);
	assert_int_equal(d.reported.count, 1);
	assert_int_equal(d.reported.problems[0].finding, F_DIR_ENTRY_INO);
	assert_int_equal(d.nentries, 4);
	assert_int_equal(d.ninvalid, 1);
}

static void length_stays_where_no_length_has_the_hash(void **state)
{
	struct dirs d;
	struct layout l = make(&d, 0, 3);

	(void)state;
	d.block[l.gamma + 8] = 23;
	d.block[l.gamma + 9] ^= 1;
	dir_data_mend(&d.geo, d.block, (dablk_t){ 3 }, hash_of_gamma, &l);
	assert_int_equal(d.block[l.gamma + 8], 23);
	/* of another block */
	d.block[l.gamma + 9] ^= 1;
	dir_data_mend(&d.geo, d.block, (dablk_t){ 4 }, hash_of_gamma, &l);
	assert_int_equal(d.block[l.gamma + 8], 23);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_block_is_accepted_and_its_entries_visited),
		cmocka_unit_test(first_block_of_a_directory_begins_with_the_dots),
		cmocka_unit_test(blocks_of_64k_that_are_empty_or_full_are_sound),
		cmocka_unit_test(file_systems_without_file_types_have_shorter_entries),
		cmocka_unit_test(hash_is_of_the_folded_name_where_case_does_not_count),
		cmocka_unit_test(wrong_magic_is_no_data_block),
		cmocka_unit_test(fields_of_the_header_are_reported_each_by_itself),
		cmocka_unit_test(block_of_another_place_and_owner_is_not_visited),
		cmocka_unit_test(wrong_checksum_does_not_stop_decoding),
		cmocka_unit_test(wrong_tag_of_an_entry_is_reported_and_the_entry_visited),
		cmocka_unit_test(wrong_tag_of_a_free_region_is_reported_and_the_region_counts),
		cmocka_unit_test(wrong_name_length_costs_that_entry_only),
		cmocka_unit_test(length_of_a_name_is_told_by_its_hash),
		cmocka_unit_test(number_like_a_free_region_is_told_from_one_by_the_hash),
		cmocka_unit_test(length_stays_where_no_length_has_the_hash),
		cmocka_unit_test(name_length_that_swallows_the_next_entry_is_told_by_the_tag),
		cmocka_unit_test(name_of_no_bytes_is_reported),
		cmocka_unit_test(wrong_length_of_a_free_region_loses_no_entry),
		cmocka_unit_test(removed_entries_inside_a_free_region_stay_removed),
		cmocka_unit_test(lost_freetag_is_reported_once),
		cmocka_unit_test(inode_number_like_a_free_region_costs_that_entry_only),
		cmocka_unit_test(overwritten_part_costs_the_entries_in_it),
		cmocka_unit_test(free_regions_side_by_side_are_reported),
		cmocka_unit_test(bestfree_with_a_wrong_length_is_reported_once),
		cmocka_unit_test(bestfree_with_a_wrong_offset_is_reported_once),
		cmocka_unit_test(unused_bestfree_must_be_all_zero),
		cmocka_unit_test(any_of_equally_long_regions_may_be_listed_but_each_once),
		cmocka_unit_test(names_with_a_slash_or_a_zero_byte_are_reported_wherever_it_is),
		cmocka_unit_test(names_with_any_other_byte_are_fine),
		cmocka_unit_test(dots_anywhere_else_are_reported),
		cmocka_unit_test(impossible_inode_number_is_reported_and_the_entry_not_visited),
		cmocka_unit_test(entries_for_internal_inodes_are_reported),
		cmocka_unit_test(file_type_that_kernels_dont_write_is_reported),
		cmocka_unit_test(dots_are_known_by_their_tag_if_their_name_is_wrong),
		cmocka_unit_test(dots_are_known_by_their_name_if_their_tag_is_wrong),
		cmocka_unit_test(dot_that_names_another_inode_is_reported_and_visited_as_the_directory),
		cmocka_unit_test(dotdot_that_names_no_possible_inode_is_reported_and_not_visited),
		cmocka_unit_test(children_of_the_metadata_root_may_name_it_as_parent),
		cmocka_unit_test(dots_have_the_type_of_directories),
		cmocka_unit_test(first_block_without_dots_is_reported_for_each),
		cmocka_unit_test(block_of_v4_without_types_is_accepted),
		cmocka_unit_test(types_in_blocks_of_v4_are_checked),
		cmocka_unit_test(free_block_of_64k_is_sound_on_either_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/mend/settle/inode/mend_fork_lengths.c: by how many blocks an extent is too long.  What is cut off is given up,
 * so it must be certain: extents don't overlap (ondisk 05), and nblocks counts what both forks map (ondisk 12, I9).
 */
#include "reported.h"

#include <string.h>

#include "../../repair/mend/base/mend.h"
#include "../../repair/mend/settle/inode/mend_inode_fork.h"

enum { MOST = 4 };

struct fixture {
	struct fork_work w;
	struct bmap_record extents[2][MOST];
	struct found found[MOST];
	struct fork_lengths lengths;
};

static void open_fixture(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->w.which = DATA_FORK;
	f->w.found = f->found;
	for (unsigned which = 0; which < 2; which++)
		f->w.inode.fork[which].extents = f->extents[which];
}

/* Adds an extent to the map of a fork; nblocks counts `right` blocks of it. */
static void add(struct fixture *f, enum fork which, uint64_t off, uint32_t len, uint32_t right)
{
	struct mend_fork *fork = &f->w.inode.fork[which];

	assert_true(fork->count < MOST);
	f->extents[which][fork->count] = (struct bmap_record){ { off }, { 1000 + off }, len, false };
	fork->count++;
	f->w.inode.inode.nblocks += right;
}

/* This block of the fork has another claimant, or is free. */
static void contest(struct fixture *f, enum finding finding, enum object fork, uint64_t off)
{
	struct found *found = &f->found[f->w.count++];

	*found = (struct found){ .place = place_of(fork), .problem = { .finding = finding } };
	found->place.fileoff.v = off;
}

/* The data fork's extent i is too long by so many blocks. */
static void assert_excess(struct fixture *f, size_t i, uint32_t blocks)
{
	f->lengths = fork_lengths_of(&f->w);
	assert_int_equal(fork_excess(&f->w, &f->lengths, i), blocks);
}

static void assert_none(struct fixture *f)
{
	for (size_t i = 0; i < f->w.inode.fork[DATA_FORK].count; i++)
		assert_excess(f, i, 0);
}

static void nothing_is_cut_off_a_map_that_agrees_with_nblocks(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	add(&f, DATA_FORK, 0, 10, 10);
	add(&f, DATA_FORK, 10, 10, 10);
	add(&f, ATTR_FORK, 0, 3, 3);
	f.w.inode.fork[DATA_FORK].nodes = 2;
	f.w.inode.inode.nblocks += 2;
	contest(&f, F_SPACE_CLAIMED_TWICE, OBJ_DATA_FORK, 9);
	assert_none(&f);
}

static void an_extent_ends_where_the_next_one_starts(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	add(&f, DATA_FORK, 0, 14, 10);
	add(&f, DATA_FORK, 10, 10, 10);
	assert_excess(&f, 0, 4);
	assert_excess(&f, 1, 0);
}

/* The first extent had 6 blocks, and a hole followed. */
static void the_only_one_that_overlaps_has_all_of_the_surplus(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	add(&f, DATA_FORK, 0, 14, 6);
	add(&f, DATA_FORK, 10, 10, 10);
	assert_excess(&f, 0, 8);
}

static void of_several_that_overlap_each_ends_where_the_next_one_starts(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	add(&f, DATA_FORK, 0, 14, 9);
	add(&f, DATA_FORK, 10, 15, 9);
	add(&f, DATA_FORK, 20, 5, 5);
	assert_excess(&f, 0, 4);
	assert_excess(&f, 1, 5);
	assert_excess(&f, 2, 0);
}

/* Then the next one may be wrong, or an offset. */
static void nothing_is_cut_if_nblocks_does_not_bear_the_overlap_out(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	add(&f, DATA_FORK, 0, 14, 14);
	add(&f, DATA_FORK, 10, 10, 7);
	assert_none(&f);
}

static void an_extent_never_loses_all_of_its_blocks(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	add(&f, DATA_FORK, 0, 14, 0);
	add(&f, DATA_FORK, 10, 10, 6); /* 18 blocks too many */
	assert_excess(&f, 0, 4);
}

static void a_surplus_is_cut_where_others_have_the_blocks(void **state)
{
	static const enum finding findings[] = { F_SPACE_CLAIMED_TWICE, F_SPACE_FREE_IN_USE };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct fixture f;

		open_fixture(&f);
		add(&f, DATA_FORK, 0, 3, 3);
		add(&f, DATA_FORK, 20, 100, 96);
		contest(&f, findings[i], OBJ_DATA_FORK, 117);
		assert_excess(&f, 0, 0);
		assert_excess(&f, 1, 4);
	}
}

/* The last 4 blocks are the file's own, as far as anything tells. */
static void a_surplus_is_not_cut_from_blocks_that_no_other_has(void **state)
{
	static const uint64_t offs[] = { 19, 20, 115, 120 };

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct fixture f;

		open_fixture(&f);
		add(&f, DATA_FORK, 0, 3, 3);
		add(&f, DATA_FORK, 20, 100, 96);
		contest(&f, F_SPACE_CLAIMED_TWICE, OBJ_DATA_FORK, offs[i]);
		assert_none(&f);
	}
}

static void a_surplus_is_not_cut_for_what_is_found_in_the_other_fork(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	add(&f, DATA_FORK, 0, 3, 3);
	add(&f, DATA_FORK, 20, 100, 96);
	contest(&f, F_SPACE_CLAIMED_TWICE, OBJ_ATTR_FORK, 117);
	assert_none(&f);
}

/* Either can be the one, whichever others have blocks of. */
static void a_surplus_is_not_cut_if_two_extents_are_longer_than_it(void **state)
{
	(void)state;
	for (enum fork which = DATA_FORK; which <= ATTR_FORK; which++) {
		struct fixture f;

		open_fixture(&f);
		add(&f, DATA_FORK, 20, 100, 96);
		add(&f, which, 200, 5, 5);
		contest(&f, F_SPACE_CLAIMED_TWICE, OBJ_DATA_FORK, 117);
		assert_none(&f);
	}
}

/* Blocks of the bmbt, and of extents whose start is impossible, count in nblocks as well. */
static void all_blocks_of_both_forks_count(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct fixture f;

		open_fixture(&f);
		add(&f, DATA_FORK, 20, 100, 100);
		contest(&f, F_SPACE_CLAIMED_TWICE, OBJ_DATA_FORK, 118);
		if (i & 1)
			f.w.inode.fork[i >> 1].nodes = 3;
		else
			f.w.inode.fork[i >> 1].impossible = 3;
		assert_excess(&f, 0, 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_cut_off_a_map_that_agrees_with_nblocks),
		cmocka_unit_test(an_extent_ends_where_the_next_one_starts),
		cmocka_unit_test(the_only_one_that_overlaps_has_all_of_the_surplus),
		cmocka_unit_test(of_several_that_overlap_each_ends_where_the_next_one_starts),
		cmocka_unit_test(nothing_is_cut_if_nblocks_does_not_bear_the_overlap_out),
		cmocka_unit_test(an_extent_never_loses_all_of_its_blocks),
		cmocka_unit_test(a_surplus_is_cut_where_others_have_the_blocks),
		cmocka_unit_test(a_surplus_is_not_cut_from_blocks_that_no_other_has),
		cmocka_unit_test(a_surplus_is_not_cut_for_what_is_found_in_the_other_fork),
		cmocka_unit_test(a_surplus_is_not_cut_if_two_extents_are_longer_than_it),
		cmocka_unit_test(all_blocks_of_both_forks_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

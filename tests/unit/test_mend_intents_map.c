/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/mend/settle/intents/mend_intents_map.c: what interrupted operations do to extent maps, against a naive twin
 * that has an array with a device block for each file block.
 */
#include <errno.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../repair/mend/base/mend.h"
#include "../../repair/mend/settle/intents/mend_intents.h"
#include "../../repair/repair.h"
#include "btrees.h"
#include "disk/inode.h"
#include "libxfs/log_item.h"

enum { BLOCKS = 64, FIRST = 131, SECOND = 132, GEN = 7 };

/* Flags of an exchange: ondisk 11. */
enum { OF_ATTRIBUTES = 1, WITH_SIZES = 2, IF_WRITTEN = 4, CLEAR_1 = 8, CLEAR_2 = 16 };

struct twin {
	uint64_t at[BLOCKS]; /* 0: a hole */
	bool unwritten[BLOCKS];
};

struct fixture {
	struct repair rc;
	struct mend m;
	struct finish finish;
	struct finish_file file[2], *files[2];
	uint8_t bytes[2][DINODE_SIZE_MAX];
	bool groups[8];
	struct twin twin[2];
};

static void open_fixture(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->rc.geo = btrees_geometry();
	f->m = (struct mend){ .rc = &f->rc, .now = &f->rc };
	f->finish = (struct finish){ .m = &f->m, .files = f->files, .count = 2, .room = 2, .groups = f->groups };
	for (unsigned i = 0; i < 2; i++) {
		struct mend_inode *inode = &f->file[i].inode;

		f->files[i] = &f->file[i];
		inode->ino.v = FIRST + i;
		inode->bytes = f->bytes[i];
		inode->inode.gen = GEN;
		inode->inode.fork[DATA_FORK] =
			(struct dinode_fork){ .present = true, .ok = true, .format = FMT_EXTENTS };
		inode->fork[DATA_FORK].whole = true;
	}
}

static void close_fixture(struct fixture *f)
{
	for (unsigned i = 0; i < 2; i++)
		free(f->file[i].map[DATA_FORK].v);
}

/* Adds an extent to the map of file i and to its twin. */
static void map(struct fixture *f, unsigned i, uint64_t off, uint64_t start, uint32_t len, bool unwritten)
{
	const struct bmap_record extent = { .off.v = off, .start.v = start, .len = len, .unwritten = unwritten };

	assert_int_equal(mend_map_add(&f->file[i].map[DATA_FORK], &extent), 0);
	for (uint32_t k = 0; k < len; k++) {
		f->twin[i].at[off + k] = start + k;
		f->twin[i].unwritten[off + k] = unwritten;
	}
}

/* The map of each file has the same blocks as its twin, and its extents are in order. */
static void assert_as_twin(struct fixture *f)
{
	for (unsigned i = 0; i < 2; i++) {
		const struct mend_map *of = &f->file[i].map[DATA_FORK];
		struct twin got = { 0 };
		uint64_t end = 0;

		for (size_t k = 0; k < of->count; k++) {
			assert_true(of->v[k].off.v >= end);
			end = of->v[k].off.v + of->v[k].len;
			assert_true(end <= BLOCKS);
			for (uint32_t b = 0; b < of->v[k].len; b++) {
				got.at[of->v[k].off.v + b] = of->v[k].start.v + b;
				got.unwritten[of->v[k].off.v + b] = of->v[k].unwritten;
			}
		}
		assert_memory_equal(got.at, f->twin[i].at, sizeof(got.at));
		assert_memory_equal(got.unwritten, f->twin[i].unwritten, sizeof(got.unwritten));
	}
}

static int bui(struct fixture *f, unsigned op, uint64_t off, uint64_t start, uint32_t len, uint32_t flags)
{
	const struct log_intent_extent said = {
		.owner = FIRST, .startoff = off, .startblock = start, .len = len, .flags = op | flags
	};

	return finish_bui(&f->finish, &said);
}

static void an_extent_goes_into_a_hole(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	map(&f, 0, 0, 1000, 5, false);
	map(&f, 0, 7, 2000, 3, false);
	assert_int_equal(bui(&f, BUI_MAP, 5, 1005, 2, 0), 0);
	for (unsigned i = 0; i < 2; i++)
		f.twin[0].at[5 + i] = 1005 + i;
	assert_as_twin(&f);
	assert_true(f.file[0].remapped[DATA_FORK]);
	assert_false(f.file[1].remapped[DATA_FORK]);
	close_fixture(&f);
}

static void an_unwritten_extent_stays_unwritten(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	assert_int_equal(bui(&f, BUI_MAP, 3, 500, 1, BUI_UNWRITTEN), 0);
	f.twin[0].at[3] = 500;
	f.twin[0].unwritten[3] = true;
	assert_as_twin(&f);
	close_fixture(&f);
}

/* What has changed since the operation was logged is not overwritten. */
static void an_extent_in_the_way_makes_it_impossible(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	map(&f, 0, 4, 1000, 4, false);
	assert_int_equal(bui(&f, BUI_MAP, 2, 3000, 3, 0), FINISH_IMPOSSIBLE);
	assert_int_equal(bui(&f, BUI_MAP, 7, 3000, 1, 0), FINISH_IMPOSSIBLE);
	assert_as_twin(&f);
	close_fixture(&f);
}

static void only_the_range_is_unmapped(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	map(&f, 0, 10, 1000, 10, false);
	assert_int_equal(bui(&f, BUI_UNMAP, 13, 1003, 4, 0), 0);
	memset(&f.twin[0].at[13], 0, 4 * sizeof(f.twin[0].at[0]));
	assert_as_twin(&f);
	close_fixture(&f);
}

static void other_blocks_in_the_range_make_it_impossible(void **state)
{
	static const struct {
		uint64_t off, start;
		uint32_t len;
	} cases[] = { { 13, 1004, 4 }, { 8, 998, 4 }, { 18, 1008, 4 }, { 30, 1020, 1 } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f;

		open_fixture(&f);
		map(&f, 0, 10, 1000, 10, false);
		assert_int_equal(bui(&f, BUI_UNMAP, cases[i].off, cases[i].start, cases[i].len, 0), FINISH_IMPOSSIBLE);
		close_fixture(&f);
	}
}

static void a_map_that_is_not_whole_makes_it_impossible(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.file[0].inode.fork[DATA_FORK].whole = false;
	assert_int_equal(bui(&f, BUI_MAP, 3, 500, 1, 0), FINISH_IMPOSSIBLE);
	assert_as_twin(&f);
	close_fixture(&f);
}

/* ---- exchanges ---- */

static int exchange(struct fixture *f, uint64_t from, uint64_t to, uint64_t count, uint64_t flags)
{
	const struct log_xmi xmi = { .ino1.v = FIRST,
				     .ino2.v = SECOND,
				     .igen1 = GEN,
				     .igen2 = GEN,
				     .startoff1.v = from,
				     .startoff2.v = to,
				     .blockcount = count,
				     .flags = flags,
				     .isize1 = 111,
				     .isize2 = 222 };

	return finish_xmi(&f->finish, &xmi);
}

static void exchange_twins(struct fixture *f, uint64_t from, uint64_t to, uint64_t count, bool if_written)
{
	struct twin *a = &f->twin[0], *b = &f->twin[1];

	for (uint64_t i = 0; i < count; i++) {
		const uint64_t at = a->at[from + i];
		const bool unwritten = a->unwritten[from + i];

		if (if_written && (!at || unwritten))
			continue;
		a->at[from + i] = b->at[to + i];
		a->unwritten[from + i] = b->unwritten[to + i];
		b->at[to + i] = at;
		b->unwritten[to + i] = unwritten;
	}
}

static uint64_t next(uint64_t *seed, uint64_t below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (*seed >> 33) % below;
}

/* Extents of 1 to 5 blocks with holes between them; no two are neighbours on the device. */
static void map_at_random(struct fixture *f, unsigned i, uint64_t *seed)
{
	uint64_t start = 1000 + 100000 * i;

	for (uint64_t off = next(seed, 4); off + 5 < BLOCKS; off += 5 + next(seed, 3)) {
		map(f, i, off, start, (uint32_t)(1 + next(seed, 5)), next(seed, 3) == 0);
		start += 10;
	}
}

static void exactly_the_ranges_are_exchanged(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (unsigned round = 0; round < 2000; round++) {
		const uint64_t count = 1 + next(&seed, 30), from = next(&seed, BLOCKS - count);
		const uint64_t to = next(&seed, BLOCKS - count);
		const bool if_written = next(&seed, 2);
		struct fixture f;

		open_fixture(&f);
		map_at_random(&f, 0, &seed);
		map_at_random(&f, 1, &seed);
		exchange_twins(&f, from, to, count, if_written);
		assert_int_equal(exchange(&f, from, to, count, if_written ? IF_WRITTEN : 0), 0);
		assert_as_twin(&f);
		close_fixture(&f);
	}
}

static uint64_t size_of(struct fixture *f, unsigned i)
{
	return be64_get(((struct dinode_disk *)f->bytes[i])->size);
}

static void sizes_are_set_only_if_the_operation_says_so(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	assert_int_equal(exchange(&f, 0, 0, 4, 0), 0);
	assert_true(size_of(&f, 0) == 0 && size_of(&f, 1) == 0);
	assert_int_equal(exchange(&f, 0, 0, 4, WITH_SIZES), 0);
	assert_true(size_of(&f, 0) == 111 && size_of(&f, 1) == 222);
	close_fixture(&f);
}

/* Both may hold shared blocks afterwards, if one of them could before. */
static void the_reflink_flag_is_for_both_unless_it_is_cleared(void **state)
{
	const uint64_t reflink = 2; /* ondisk 04 */
	struct fixture f;

	(void)state;
	open_fixture(&f);
	((struct dinode_disk *)f.bytes[1])->flags2 = be64_put(reflink);
	assert_int_equal(exchange(&f, 0, 0, 4, 0), 0);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(be64_get(((struct dinode_disk *)f.bytes[i])->flags2), reflink);
	assert_int_equal(exchange(&f, 0, 0, 4, CLEAR_1), 0);
	assert_int_equal(be64_get(((struct dinode_disk *)f.bytes[0])->flags2), 0);
	assert_int_equal(be64_get(((struct dinode_disk *)f.bytes[1])->flags2), reflink);
	close_fixture(&f);
}

static void another_inode_of_that_number_makes_it_impossible(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	map(&f, 0, 0, 1000, 5, false);
	f.file[1].inode.inode.gen = GEN + 1;
	assert_int_equal(exchange(&f, 0, 0, 4, WITH_SIZES), FINISH_IMPOSSIBLE);
	assert_as_twin(&f);
	assert_int_equal(size_of(&f, 0), 0);
	close_fixture(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_extent_goes_into_a_hole),
		cmocka_unit_test(an_unwritten_extent_stays_unwritten),
		cmocka_unit_test(an_extent_in_the_way_makes_it_impossible),
		cmocka_unit_test(only_the_range_is_unmapped),
		cmocka_unit_test(other_blocks_in_the_range_make_it_impossible),
		cmocka_unit_test(a_map_that_is_not_whole_makes_it_impossible),
		cmocka_unit_test(exactly_the_ranges_are_exchanged),
		cmocka_unit_test(sizes_are_set_only_if_the_operation_says_so),
		cmocka_unit_test(the_reflink_flag_is_for_both_unless_it_is_cleared),
		cmocka_unit_test(another_inode_of_that_number_makes_it_impossible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

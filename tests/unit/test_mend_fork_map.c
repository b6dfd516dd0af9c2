/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/mend/settle/inode/mend_fork_map.c: which extents a fork keeps if its map is damaged: those that the rmapbt
 * confirms, then those that it lists, then the others.  The file is a directory, whose map no other rule changes.
 */
#include "btrees.h"

#include <stdlib.h>
#include <string.h>

#include "../../repair/mend/base/mend.h"
#include "../../repair/mend/base/unowned_ranges.h"
#include "../../repair/mend/collect/mend_facts.h"
#include "../../repair/mend/settle/inode/mend_inode_fork.h"
#include "../../repair/repair.h"
#include "libxfs/dinode.h"

enum { MOST = 4, NUMBER = 131 };

struct fixture {
	struct repair rc;
	struct mend m;
	struct fork_work w;
	struct bmap_record extents[MOST], rmap[MOST];
	struct ino_fact listed[MOST];
	struct mend_facts facts;
	struct unowned_ranges lacking;
	struct found found[1];
};

static void open_fixture(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->rc.geo = btrees_geometry();
	f->m = (struct mend){ .rc = &f->rc, .now = &f->rc };
	f->facts.v = f->listed;
	f->w = (struct fork_work){ .m = &f->m,
				   .facts = &f->facts,
				   .which = DATA_FORK,
				   .found = f->found,
				   .lacking = &f->lacking,
				   .rmap.v = f->rmap };
	f->w.inode.ino.v = NUMBER;
	f->w.inode.inode.ftype = FT_DIR;
	f->w.inode.inode.fork[DATA_FORK].present = true;
	f->w.inode.inode.fork[DATA_FORK].rules.unwritten_ok = true;
	f->w.inode.fork[DATA_FORK] = (struct mend_fork){ .extents = f->extents, .whole = true };
}

static void close_fixture(struct fixture *f)
{
	free(f->w.map.v);
}

/* The map has this extent, which the inode counts. */
static void map(struct fixture *f, uint64_t off, uint64_t start, uint32_t len)
{
	struct mend_fork *fork = &f->w.inode.fork[DATA_FORK];

	f->extents[fork->count++] = (struct bmap_record){ { off }, { start }, len, false };
	f->w.inode.inode.fork[DATA_FORK].nextents++;
	f->w.inode.inode.nblocks += len;
}

/* The rmapbt lists these blocks for the file. */
static void list(struct fixture *f, uint64_t off, uint64_t start, uint32_t len)
{
	f->listed[f->facts.count++] = (struct ino_fact){ .ino.v = NUMBER, .kind = FACT_RMAP, .len = len };
	f->rmap[f->w.rmap.count++] = (struct bmap_record){ { off }, { start }, len, false };
}

static void find(struct fixture *f, enum finding finding)
{
	f->found[0] = (struct found){ .place = place_of(OBJ_DATA_FORK), .problem = { .finding = finding } };
	f->w.count = 1;
}

/* Fails unless the new map has these extents: offset, start and length of each. */
static void assert_map(struct fixture *f, size_t count, const uint64_t are[][3])
{
	assert_int_equal(fork_map_settle(&f->w), 0);
	assert_int_equal(f->w.map.count, count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(f->w.map.v[i].off.v, are[i][0]);
		assert_int_equal(f->w.map.v[i].start.v, are[i][1]);
		assert_int_equal(f->w.map.v[i].len, are[i][2]);
	}
}

static void a_sound_map_stays(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	map(&f, 0, 1000, 5);
	map(&f, 9, 2000, 5);
	assert_map(&f, 2, (const uint64_t[][3]){ { 0, 1000, 5 }, { 9, 2000, 5 } });
	assert_false(fork_map_changed(&f.w));
	close_fixture(&f);
}

/* Either may be wrong; the next check tells, since the blocks have another owner if it is the map. */
static void a_map_of_which_only_a_label_is_wrong_stays_whatever_the_rmapbt_says(void **state)
{
	static const enum finding labels[] = { F_BLOCK_CRC, F_BLOCK_UUID, F_BLOCK_LSN };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct fixture f;

		open_fixture(&f);
		map(&f, 0, 1000, 5);
		map(&f, 9, 2000, 5);
		list(&f, 0, 1000, 5);
		list(&f, 9, 3000, 4);
		find(&f, labels[i]);
		assert_map(&f, 2, (const uint64_t[][3]){ { 0, 1000, 5 }, { 9, 2000, 5 } });
		close_fixture(&f);
	}
}

static void a_label_is_not_all_that_is_wrong_if_nblocks_differs(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	map(&f, 0, 1000, 5);
	f.w.inode.inode.nblocks = 9;
	list(&f, 0, 1000, 5);
	list(&f, 9, 3000, 4);
	find(&f, F_BLOCK_CRC);
	assert_map(&f, 2, (const uint64_t[][3]){ { 0, 1000, 5 }, { 9, 3000, 4 } });
	close_fixture(&f);
}

static void a_broken_map_is_that_of_the_rmapbt_if_it_lists_all_of_nblocks(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	map(&f, 0, 1000, 5);
	map(&f, 9, 2000, 5);
	list(&f, 0, 1000, 4);
	list(&f, 20, 3000, 6);
	find(&f, F_BLOCK_MAGIC);
	f.w.inode.fork[DATA_FORK].whole = false;
	assert_map(&f, 2, (const uint64_t[][3]){ { 0, 1000, 4 }, { 20, 3000, 6 } });
	assert_true(fork_map_changed(&f.w));
	close_fixture(&f);
}

/* nblocks agrees with the rmapbt, and not with the map: two against one. */
static void a_whole_map_gives_way_as_well_if_nblocks_is_with_the_rmapbt(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	map(&f, 0, 1000, 5);
	f.w.inode.inode.nblocks = 8;
	list(&f, 0, 1000, 8);
	find(&f, F_INODE_NBLOCKS_XREF);
	assert_map(&f, 1, (const uint64_t[][3]){ { 0, 1000, 8 } });
	close_fixture(&f);
}

/* Block 20 of the file: the map has 2000, and the rmapbt 3000.  Nothing but the map has blocks 40 to 42. */
static void confirmed_extents_come_first_then_listed_ones_then_the_others(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	map(&f, 0, 1000, 5);
	map(&f, 20, 2000, 5);
	map(&f, 40, 4000, 3);
	list(&f, 0, 1000, 5);
	list(&f, 20, 3000, 2);
	f.w.inode.fork[DATA_FORK].whole = false;
	assert_map(&f, 4, (const uint64_t[][3]){ { 0, 1000, 5 }, { 20, 3000, 2 }, { 22, 2002, 3 }, { 40, 4000, 3 } });
	close_fixture(&f);
}

static void a_broken_map_keeps_what_is_readable_without_rmapbt(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	map(&f, 0, 1000, 5);
	map(&f, 40, 4000, 3);
	f.w.inode.fork[DATA_FORK].whole = false;
	assert_map(&f, 2, (const uint64_t[][3]){ { 0, 1000, 5 }, { 40, 4000, 3 } });
	close_fixture(&f);
}

/* ondisk 05: directories, attribute forks and symlinks have written blocks only. */
static void extents_are_written_where_they_must_be(void **state)
{
	(void)state;
	for (unsigned ok = 0; ok < 2; ok++) {
		struct fixture f;

		open_fixture(&f);
		map(&f, 0, 1000, 5);
		f.extents[0].unwritten = true;
		f.w.inode.inode.fork[DATA_FORK].rules.unwritten_ok = ok;
		assert_map(&f, 1, (const uint64_t[][3]){ { 0, 1000, 5 } });
		assert_int_equal(f.w.map.v[0].unwritten, ok);
		assert_int_equal(fork_map_changed(&f.w), !ok);
		close_fixture(&f);
	}
}

/* ondisk 09: with realtime extents of 4 blocks.  The one that starts a realtime extent is right. */
static void extents_of_realtime_files_are_aligned(void **state)
{
	static const uint64_t cases[][2][2] = {
		{ { 8, 401 }, { 8, 400 } },
		{ { 9, 400 }, { 8, 400 } },
		{ { 9, 401 }, { 9, 401 } },
		{ { 9, 402 }, { 9, 402 } }, /* neither starts one */
	};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct fixture f;

		open_fixture(&f);
		f.w.inode.inode.fork[DATA_FORK].rules.realtime = true;
		map(&f, cases[i][0][0], cases[i][0][1], 4);
		f.w.inode.fork[DATA_FORK].whole = false;
		assert_map(&f, 1, (const uint64_t[][3]){ { cases[i][1][0], cases[i][1][1], 4 } });
		close_fixture(&f);
	}
}

/* Which blocks are whose is not the map's own damage. */
static void only_damage_of_the_map_itself_breaks_it(void **state)
{
	static const enum finding others[] = { F_SPACE_CLAIMED_TWICE, F_RMAP_LACKS, F_RMAP_STRAY,
					       F_INODE_NBLOCKS_XREF };
	struct fixture f;

	(void)state;
	open_fixture(&f);
	map(&f, 0, 1000, 5);
	assert_false(fork_map_broken(&f.w));
	for (unsigned i = 0; i < 4; i++) {
		find(&f, others[i]);
		assert_false(fork_map_broken(&f.w));
	}
	find(&f, F_BLOCK_CRC);
	assert_true(fork_map_broken(&f.w));
	f.found[0].place.object = OBJ_ATTR_FORK;
	assert_false(fork_map_broken(&f.w));
	f.w.inode.fork[DATA_FORK].whole = false;
	assert_true(fork_map_broken(&f.w));
	close_fixture(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_map_stays),
		cmocka_unit_test(a_map_of_which_only_a_label_is_wrong_stays_whatever_the_rmapbt_says),
		cmocka_unit_test(a_label_is_not_all_that_is_wrong_if_nblocks_differs),
		cmocka_unit_test(a_broken_map_is_that_of_the_rmapbt_if_it_lists_all_of_nblocks),
		cmocka_unit_test(a_whole_map_gives_way_as_well_if_nblocks_is_with_the_rmapbt),
		cmocka_unit_test(confirmed_extents_come_first_then_listed_ones_then_the_others),
		cmocka_unit_test(a_broken_map_keeps_what_is_readable_without_rmapbt),
		cmocka_unit_test(extents_are_written_where_they_must_be),
		cmocka_unit_test(extents_of_realtime_files_are_aligned),
		cmocka_unit_test(only_damage_of_the_map_itself_breaks_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

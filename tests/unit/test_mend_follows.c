/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/base/mend.c: problems that follow from what was mended are mended once, by their own mender. */
#include "mending.h"

#include <string.h>

#include "disk/sb.h"
#include "libxfs/ag.h"

#define SECTOR 512u

static void open_counters(struct mending *f)
{
	mending_open(f, MEND_dir,
		     &(struct geometry){ .sector_size = SECTOR,
					 .block_size = 4096,
					 .block_log = 12,
					 .agcount = 1,
					 .agblocks = 256,
					 .agblock_log = 8,
					 .dblocks = 256,
					 .inopb_log = 3,
					 .crc = true });
}

static void assert_nothing_follows(const struct mending *f)
{
	for (enum mend_kind kind = 0; kind < MEND_NR; kind++)
		assert_int_equal(f->m.follows[kind].count, 0);
}

static uint64_t icount(struct mending *f)
{
	struct sb_disk sb;
	uint8_t sector[SECTOR];

	assert_int_equal(mend_read(&f->m, sector, 0, SECTOR), 0);
	memcpy(&sb, sector, sizeof(sb));
	return be64_get(sb.icount);
}

static void counters_are_set_when_all_has_been_said(void **state)
{
	struct mending f;
	uint64_t before;

	(void)state;
	open_counters(&f);
	before = icount(&f);
	assert_int_equal(mend_follows_count(&f.m, F_SB_ICOUNT_COUNT, 77), 0);
	assert_true(icount(&f) == before);
	assert_int_equal(mend_follows_run(&f.m), 0);
	assert_int_equal(icount(&f), 77);
	assert_int_equal(f.m.done, 1);
	/* the mender at work goes on, and what was mended is not mended again */
	assert_int_equal(f.m.kind, MEND_dir);
	assert_nothing_follows(&f);
	assert_int_equal(mend_follows_run(&f.m), 0);
	assert_int_equal(f.m.done, 1);
	mending_close(&f);
}

static void what_nobody_counts_is_not_set(void **state)
{
	struct mending f;

	(void)state;
	open_counters(&f);
	f.rc.geo.counters_lost = true;
	assert_int_equal(mend_follows_count(&f.m, F_SB_ICOUNT_COUNT, 77), 0);
	assert_nothing_follows(&f);
	mending_close(&f);
}

static void names_are_copied(void **state)
{
	char name[] = "some-name";
	struct mending f;
	struct found found = { .place = place_of(OBJ_SUPERBLOCK), .problem = { F_SB_ICOUNT_COUNT, 0, NO_INDEX, 0, 5 } };
	const struct mend_following *following;

	(void)state;
	open_counters(&f);
	following = &f.m.follows[MEND_field];
	found.place.agno.v = 0;
	assert_int_equal(mend_follows(&f.m, MEND_field, &found), 0);
	found.place.name = (struct name_view){ (const uint8_t *)name, 9 };
	assert_int_equal(mend_follows(&f.m, MEND_field, &found), 0);
	memset(name, 'x', 9);
	assert_int_equal(following->count, 2);
	assert_int_equal(following->found[0].place.name.len, 0);
	assert_int_equal(following->found[1].place.name.len, 9);
	assert_memory_equal(following->found[1].place.name.bytes, "some-name", 9);
	assert_int_equal(mend_follows_run(&f.m), 0);
	assert_int_equal(icount(&f), 5);
	assert_nothing_follows(&f);
	mending_close(&f);
}

static void inodes_are_told_with_their_place(void **state)
{
	struct mending f;
	const struct found *found;

	(void)state;
	open_counters(&f);
	f.rc.geo.agcount = 4;
	/* group 2, block 9, the third inode in it */
	assert_int_equal(mend_follows_inode(&f.m, MEND_field, F_INODE_ORPHAN, (xino_t){ 2 << 11 | 9 << 3 | 2 }), 0);
	assert_int_equal(f.m.follows[MEND_field].count, 1);
	found = &f.m.follows[MEND_field].found[0];
	assert_int_equal(found->problem.finding, F_INODE_ORPHAN);
	assert_int_equal(found->place.object, OBJ_INODE);
	assert_int_equal(found->place.ino.v, 2 << 11 | 9 << 3 | 2);
	assert_int_equal(found->place.agno.v, 2);
	assert_int_equal(found->place.agbno.v, 9);
	/* it is another mender's: nothing is mended, and nothing kept */
	assert_int_equal(mend_follows_run(&f.m), 0);
	assert_int_equal(f.m.done, 0);
	assert_nothing_follows(&f);
	mending_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_are_set_when_all_has_been_said),
		cmocka_unit_test(what_nobody_counts_is_not_set),
		cmocka_unit_test(names_are_copied),
		cmocka_unit_test(inodes_are_told_with_their_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

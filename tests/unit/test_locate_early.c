/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/check/locate/locate_early.c: evidence collected by a check between rounds is about the inodes in doubt before.
 * It is used only if no other inode is in doubt and no other evidence is wanted.
 */
#include <stdlib.h>

#include "scratch_device.h"

#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "btrees.h"
#include "check/books/doubts.h"
#include "check/locate/locate.h"
#include "options.h"

enum { FIRST = 128, COUNT = 64 };

struct fixture {
	struct options options;
	struct run run;
	struct repair rc;
	struct locate locate;
	struct sink sink;
};

static struct doubts *doubts_of(const uint64_t *inos, size_t count)
{
	struct doubts *doubts = doubts_new(1 << 16, 1 << 20);

	assert_non_null(doubts);
	for (size_t i = 0; i < count; i++)
		doubts_post(doubts, (xino_t){ inos[i] }, 1 + i, 60);
	doubts_close(doubts);
	return doubts;
}

static const struct sink_ops sink_of_nothing;

/* Directory FIRST names each inode once; before: the inodes that were in doubt. */
static void check(struct fixture *f, size_t records, const uint64_t *before, size_t count)
{
	const struct sink nothing = { &sink_of_nothing, NULL, &f->run.key };

	memset(f, 0, sizeof(*f));
	f->rc.run = &f->run;
	f->rc.run->options = &f->options;
	f->rc.geo = btrees_geometry();
	f->rc.workers = 1;
	f->rc.run->memory.records = records;
	f->rc.early.over = true;
	f->rc.early.before = doubts_of(before, count);
	f->locate.rc = &f->rc;
	f->sink = nothing;
	assert_int_equal(locate_early_begin(&f->rc, &f->sink), 0);
	for (uint64_t i = 0; i < COUNT; i++) {
		const struct dinode inode = { .ino = { FIRST + i }, .nlink = 1, .ftype = FT_REG };
		const struct entry_fact entry = { .directory = { FIRST }, .target = { FIRST + i }, .ftype = FT_REG };

		f->sink.ops->inode(f->sink.ctx, 0, &inode);
		f->sink.ops->entry(f->sink.ctx, 0, &entry);
	}
}

static void freed(struct fixture *f)
{
	locate_early_free(&f->rc);
	assert_null(f->rc.early.evidence);
	assert_null(f->rc.early.before);
	doubts_free(f->rc.doubts);
}

static const uint64_t inos[] = { FIRST + 3, FIRST + 5, FIRST + 40 };

static void evidence_is_there_of_who_was_in_doubt_and_of_no_other(void **state)
{
	struct evidence_records records;
	struct evidence *evidence;
	struct fixture f;

	(void)state;
	check(&f, 1 << 20, inos, 3);
	f.rc.doubts = doubts_of(inos + 1, 1);
	evidence = locate_early_take(&f.locate, false, false);
	assert_non_null(evidence);
	assert_int_equal(evidence_close(evidence, &records), 0);
	assert_int_equal(records.ninodes, 3);
	assert_int_equal(records.nlinks, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(records.inodes[i].ino.v, inos[i]);
		assert_int_equal(records.links[i].key.v, inos[i]);
	}
	evidence_free(evidence);
	freed(&f);
}

static void it_is_not_taken_where_more_is_wanted(void **state)
{
	static const struct {
		size_t records;
		size_t first, count; /* in doubt now */
		bool groups, all_inodes;
	} cases[] = {
		{ 1 << 20, 2, 1, false, false }, /* another was in doubt */
		{ 1 << 20, 0, 1, true, false },
		{ 1 << 20, 0, 1, false, true },
		{ 64, 0, 1, false, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f;

		check(&f, cases[i].records, inos, 2);
		f.rc.doubts = doubts_of(inos + cases[i].first, cases[i].count);
		assert_null(locate_early_take(&f.locate, cases[i].groups, cases[i].all_inodes));
		freed(&f);
	}
}

static void nothing_is_collected_where_nobody_knows_who_was_in_doubt(void **state)
{
	struct fixture f = { .run = { .options = &f.options }, .rc = { .run = &f.run, .early = { .over = true } } };

	(void)state;
	f.sink = (struct sink){ &sink_of_nothing, NULL, &f.rc.run->key };
	f.rc.run->memory.records = 1 << 20;
	assert_int_equal(locate_early_begin(&f.rc, &f.sink), 0);
	assert_null(f.rc.early.evidence);
	assert_ptr_equal(f.sink.ops, &sink_of_nothing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(evidence_is_there_of_who_was_in_doubt_and_of_no_other),
		cmocka_unit_test(it_is_not_taken_where_more_is_wanted),
		cmocka_unit_test(nothing_is_collected_where_nobody_knows_who_was_in_doubt),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

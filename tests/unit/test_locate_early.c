/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/check/locate/locate_early.c: evidence collected by a check between rounds is about what was in doubt before.
 * It is used only if nothing else is in doubt.
 */
#include <stdlib.h>

#include "scratch_device.h"

#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "btrees.h"
#include "check/books/doubts.h"
#include "check/books/ledger.h"
#include "check/locate/locate.h"
#include "options.h"

enum { FIRST = 128, COUNT = 64 };

struct fixture {
	struct options options;
	struct run run;
	struct repair rc;
	struct locate locate;
	struct sink sink;
	struct scratch scratch;
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

/* Directory FIRST names each inode once; before, groups: what was in doubt, as in struct locate_before. */
static void check(struct fixture *f, size_t records, const uint64_t *before, size_t count, enum btree_kind *groups)
{
	const struct sink nothing = { &sink_of_nothing, NULL, &f->run.key };

	memset(f, 0, sizeof(*f));
	f->rc.run = &f->run;
	f->rc.run->options = &f->options;
	f->rc.geo = btrees_geometry();
	f->rc.workers = 1;
	f->rc.run->memory.records = records;
	f->rc.early.over = true;
	f->rc.early.before.inodes = doubts_of(before, count);
	f->rc.early.before.groups = groups;
	f->locate.rc = &f->rc;
	scratch_open(&f->scratch, ENGINE_AUTO, f->rc.geo.dblocks << f->rc.geo.block_log);
	f->run.device = f->scratch.device;
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
	assert_null(f->rc.early.before.inodes);
	assert_null(f->rc.early.before.groups);
	ledger_free(f->rc.ledger);
	doubts_free(f->rc.doubts);
	scratch_close(&f->scratch);
}

static const uint64_t inos[] = { FIRST + 3, FIRST + 5, FIRST + 40 };

static void evidence_is_there_of_who_was_in_doubt_and_of_no_other(void **state)
{
	struct evidence_records records;
	struct evidence *evidence;
	struct fixture f;

	(void)state;
	check(&f, 1 << 20, inos, 3, NULL);
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

		check(&f, cases[i].records, inos, 2, NULL);
		f.rc.doubts = doubts_of(inos + cases[i].first, cases[i].count);
		assert_null(locate_early_take(&f.locate, cases[i].groups, cases[i].all_inodes));
		freed(&f);
	}
}

/* Tells a claim and a free extent of these groups, and that the space accounts of the groups in `now` don't balance. */
static void tell_groups(struct fixture *f, uint32_t count, const bool *now)
{
	struct sink ledger;

	f->rc.ledger = ledger_new(&f->rc.geo, 1, &f->run.key);
	assert_non_null(f->rc.ledger);
	ledger = ledger_sink(f->rc.ledger);
	for (uint32_t g = 0; g < group_count(&f->rc.geo); g++) {
		const struct blocks all = { { g }, { 0 }, group_length(&f->rc.geo, (group_t){ g }) };
		const struct blocks free = { { g }, { 200 }, 3 };
		const struct claim claim = { .at = { { g }, { 100 }, 5 }, .owner = FIRST };

		if (g >= count || !now[g])
			ledger.ops->free_extent(ledger.ctx, 0, BT_BNO, &all);
		if (g >= count || !now[g])
			ledger.ops->free_extent(ledger.ctx, 0, BT_CNT, &all);
		f->sink.ops->claim(f->sink.ctx, 0, &claim);
		f->sink.ops->free_extent(f->sink.ctx, 0, BT_BNO, &free);
	}
	ledger_close(f->rc.ledger);
}

static enum btree_kind *groups_before(enum btree_kind first, enum btree_kind second)
{
	const struct geometry geo = btrees_geometry();
	enum btree_kind *groups = calloc(group_count(&geo), sizeof(*groups));

	assert_non_null(groups);
	for (uint32_t g = 0; g < group_count(&geo); g++)
		groups[g] = g == 0 ? first : g == 1 ? second : BT_NR;
	return groups;
}

static void evidence_is_there_of_groups_that_were_in_doubt(void **state)
{
	static const struct {
		bool now[2];
		bool taken;
		enum btree_kind before[2];
	} cases[] = {
		{ { true, false }, true, { BT_BNO, BT_NR } },
		{ { true, false }, true, { BT_BNO, BT_BNO } },
		{ { true, true }, false, { BT_BNO, BT_NR } },  /* another was in doubt */
		{ { true, false }, false, { BT_CNT, BT_NR } }, /* free space is known from a better btree now */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct evidence_records records;
		struct evidence *evidence;
		struct fixture f;

		check(&f, 1 << 20, inos, 1, groups_before(cases[i].before[0], cases[i].before[1]));
		f.rc.doubts = doubts_of(inos, 1);
		tell_groups(&f, 2, cases[i].now);
		evidence = locate_early_take(&f.locate, true, false);
		assert_int_equal(evidence != NULL, cases[i].taken);
		if (evidence) {
			assert_int_equal(evidence_close(evidence, &records), 0);
			/* for each group: the claim, the free blocks, and the record of the bnobt */
			assert_int_equal(records.nuses, cases[i].before[1] == BT_NR ? 3 : 6);
			assert_int_equal(records.uses[0].group, 0);
			assert_int_equal(records.uses[0].start, 100);
			assert_int_equal(records.ninodes, 1);
		}
		evidence_free(evidence);
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
		cmocka_unit_test(evidence_is_there_of_groups_that_were_in_doubt),
		cmocka_unit_test(nothing_is_collected_where_nobody_knows_who_was_in_doubt),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

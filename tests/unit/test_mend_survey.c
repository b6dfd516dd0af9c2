/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/mend/collect/mend_survey.c against a naive twin that remembers what was posted for each block; and what
 * menders take by the survey of a check (repair/mend/blocks/mend_space.c).
 */
#include <stdlib.h>

#include "scratch_device.h"

#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "check/walk/walker.h"
#include "btrees.h"
#include "../../repair/mend/blocks/mend_space.h"
#include "../../repair/mend/collect/mend_survey.h"
#include "in_range.h"

enum { AGS = 3, LEN = 300, LANES = 2, FACTS = 400 };

struct twin {
	bool claimed, again, alone, shared, others, single, free, mapped, inodes;
};

struct fixture {
	struct scratch scratch;
	struct run run;
	struct repair rc;
	struct mend m;
	struct traverse traverse;
	struct ag_state ags[AGS];
	struct twin twin[AGS][LEN];
	bool wanted[AGS];
	size_t chunks[AGS], runs; /* for AGs that are wanted */
};

static void open_fixture(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->rc.run = &f->run;
	scratch_open(&f->scratch, ENGINE_THREADS, 1 << 22);
	f->rc.run->device = f->scratch.device;
	f->rc.geo = btrees_geometry();
	f->rc.geo.agcount = AGS;
	f->rc.geo.agblocks = LEN;
	f->rc.geo.agblock_log = 9;
	f->rc.geo.dblocks = AGS * LEN;
	f->rc.workers = LANES;
	f->m = (struct mend){ .rc = &f->rc, .now = &f->rc };
	for (unsigned ag = 0; ag < AGS; ag++) {
		f->ags[ag].have_agf = f->ags[ag].have_agi = true;
		f->ags[ag].tree[BT_BNO].blocks = 1;
		f->ags[ag].agi.count = 64 * ag;
		f->wanted[ag] = true;
	}
	f->traverse.ags = f->ags;
}

static void close_fixture(struct fixture *f)
{
	mend_space_forget(&f->m);
	free(f->m.taken.ranges);
	scratch_close(&f->scratch);
}

/* Posts one fact about blocks [start, start + len) of an AG to the sink and to the twin. */
static void tell(struct fixture *f, const struct sink *sink, unsigned worker, unsigned ag, uint32_t start, uint32_t len)
{
	static const uint64_t owners[] = { 131, OWNER_AG, OWNER_INOBT, OWNER_INODES, OWNER_LOG, OWNER_REFC };
	const struct blocks at = { group_of_ag((agno_t){ ag }), { start }, len };
	static const uint8_t flags[] = { 0, RMAP_ATTR, RMAP_BMBT, RMAP_UNWRITTEN };
	struct claim claim = { .at = at, .owner = owners[rand() % 6], .flags = flags[rand() % 4] };
	struct rmap_record rmap = { { start }, len, claim.owner, 0, 0 };
	struct refcount_record refcount = { { start }, len, 1 + rand() % 3, rand() % 2 };
	struct inobt_record chunk = { .start = { start << f->rc.geo.inopb_log }, .count = 64 };
	enum btree_kind kind = rand() % 2 ? BT_BNO : BT_CNT;
	const unsigned what = rand() % 5;

	switch (what) {
	case 0:
		sink->ops->claim(sink->ctx, worker, &claim);
		break;
	case 1:
		sink->ops->refcount(sink->ctx, worker, at.group, &refcount);
		break;
	case 2:
		sink->ops->free_extent(sink->ctx, worker, kind, &at);
		break;
	case 3:
		sink->ops->rmap(sink->ctx, worker, at.group, &rmap);
		break;
	default:
		sink->ops->chunk(sink->ctx, worker, BT_INO, (agno_t){ ag }, &chunk);
		f->chunks[ag]++;
	}
	f->runs += what == 3 && f->wanted[ag] && claim.owner == OWNER_INODES;
	for (uint32_t b = start; b < start + len; b++) {
		struct twin *t = &f->twin[ag][b];
		bool tree = claim.owner == OWNER_AG || claim.owner == OWNER_INOBT || claim.owner == OWNER_REFC;

		bool claims = what == 0 || (what == 1 && refcount.cow);
		bool of_file = what == 0 && claim.owner == 131;

		t->again |= claims && t->claimed;
		t->claimed |= claims;
		t->alone |= claims && (!of_file || claim.flags);
		t->shared |= what == 1 && !refcount.cow && refcount.refcount > 1;
		t->others |= (what == 0 && !tree && claim.owner != OWNER_INODES) || (what == 1 && refcount.cow);
		t->single |= what == 0 && claim.owner == OWNER_AG && len == 1;
		t->free |= what == 2 && kind == BT_BNO;
		t->mapped |= what == 3;
		t->inodes |= what == 3 && claim.owner == OWNER_INODES;
	}
}

static struct surveying *tell_all(struct fixture *f)
{
	struct surveying *k = NULL;
	struct sink sink;

	assert_int_equal(surveying_new(&f->rc, f->wanted, &k), 0);
	f->rc.traverse = &f->traverse; /* the check goes on */
	sink = surveying_sink(k);
	for (unsigned i = 0; i < FACTS; i++) {
		uint32_t start = rand() % LEN, len = 1 + rand() % 5;

		tell(f, &sink, rand() % LANES, rand() % AGS, start, len < LEN - start ? len : LEN - start);
	}
	return k;
}

static void assert_as_reported(const struct fixture *f, const struct mend_survey *s, unsigned ag)
{
	const struct survey_ag *a = &s->ags[ag];
	size_t count;
	const struct chunk_fact *chunks = mend_survey_chunks(s, (agno_t){ ag }, &count);

	for (uint64_t b = 0; b < LEN; b++) {
		const struct twin *t = &f->twin[ag][b];

		assert_int_equal(block_map_get(&a->claimed, b), t->claimed);
		assert_int_equal(block_map_get(&a->again, b), t->again);
		assert_int_equal(block_map_get(&a->alone, b), t->alone);
		assert_int_equal(block_map_get(&a->shared, b), t->shared);
		assert_int_equal(block_map_get(&a->others, b), t->others);
		assert_int_equal(block_map_get(&a->single, b), t->single);
		assert_int_equal(block_map_get(&a->free, b), t->free);
		assert_int_equal(block_map_get(&a->mapped, b), t->mapped);
		assert_int_equal(block_map_get(&a->inodes, b), t->inodes);
	}
	assert_int_equal(count, f->chunks[ag]);
	for (size_t i = 1; i < count; i++)
		assert_true(chunks[i - 1].record.start.v <= chunks[i].record.start.v);
	assert_int_equal(s->agis[ag].count, 64 * ag);
}

static void what_is_told_of_each_block_is_marked(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 20; seed++) {
		struct fixture f;
		struct mend_survey survey = { 0 };
		struct surveying *k;

		srand(seed);
		open_fixture(&f);
		f.wanted[seed % AGS] = seed % 2;
		k = tell_all(&f);
		assert_int_equal(surveying_end(k, &survey), 0);
		surveying_free(k);
		for (unsigned ag = 0; ag < AGS; ag++) {
			assert_int_equal(mend_survey_has(&survey, (agno_t){ ag }), f.wanted[ag]);
			if (f.wanted[ag])
				assert_as_reported(&f, &survey, ag);
		}
		assert_int_equal(survey.nranges, f.runs);
		assert_false(mend_survey_has(&survey, (agno_t){ AGS }));
		mend_survey_free(&survey);
		close_fixture(&f);
	}
}

static void give_survey(struct fixture *f)
{
	struct surveying *k = tell_all(f);

	f->m.survey = calloc(1, sizeof(*f->m.survey));
	assert_non_null(f->m.survey);
	assert_int_equal(surveying_end(k, f->m.survey), 0);
	surveying_free(k);
}

/* Then the cntbt has to be read for the free space, and the check could not know that. */
static void an_ag_whose_bnobt_alone_is_lost_is_not_surveyed(void **state)
{
	struct fixture f;
	struct mend_survey survey = { 0 };

	(void)state;
	open_fixture(&f);
	f.ags[1].tree[BT_BNO].gap = true;
	f.ags[1].tree[BT_CNT].blocks = 1;
	give_survey(&f);
	assert_false(mend_survey_has(f.m.survey, (agno_t){ 1 }));
	assert_false(mend_survey_adopt(&f.m, f.wanted, &survey));
	f.wanted[1] = false;
	assert_true(mend_survey_adopt(&f.m, f.wanted, &survey));
	mend_survey_free(&survey);
	close_fixture(&f);
}

static void of_an_ag_that_lost_both_free_space_btrees_all_else_is_surveyed(void **state)
{
	struct fixture f;
	struct mend_survey survey = { 0 };

	(void)state;
	open_fixture(&f);
	f.ags[1].tree[BT_BNO].gap = true;
	give_survey(&f);
	assert_true(mend_survey_has(f.m.survey, (agno_t){ 0 }));
	assert_false(mend_survey_has(f.m.survey, (agno_t){ 1 }));
	assert_true(mend_survey_adopt(&f.m, f.wanted, &survey));
	assert_as_reported(&f, &survey, 1);
	mend_survey_claim(&survey, (agno_t){ 1 }, (agbno_t){ 7 }, 1);
	assert_true(block_map_get(&survey.ags[1].claimed, 7));
	mend_survey_free(&survey);
	close_fixture(&f);
}

static void runs_that_are_neither_claimed_nor_free_are_lost(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 20; seed++) {
		struct fixture f;
		struct mend_survey survey = { 0 };
		struct surveying *k;

		srand(seed);
		open_fixture(&f);
		k = tell_all(&f);
		assert_int_equal(surveying_end(k, &survey), 0);
		surveying_free(k);
		for (unsigned ag = 0; ag < AGS; ag++) {
			uint64_t start, len, at = 0, end = 0;

			for (; mend_survey_unowned(&survey, (agno_t){ ag }, at, &start, &len); at = end) {
				assert_true(start > end || !end); /* two that touch are one */
				end = start + len;
				assert_true(len > 0 && end <= LEN);
				for (; at < end; at++) {
					const struct twin *t = &f.twin[ag][at];

					assert_int_equal(!t->claimed && !t->free, at >= start);
				}
			}
			for (; at < LEN; at++)
				assert_true(f.twin[ag][at].claimed || f.twin[ag][at].free);
			for (unsigned i = 0; i < 100; i++) {
				bool any = false;

				start = (uint64_t)rand() % LEN;
				len = 1 + (uint64_t)rand() % (2 * LEN); /* also beyond the end */
				for (at = start; at < start + len && at < LEN; at++)
					any |= !f.twin[ag][at].claimed && !f.twin[ag][at].free;
				assert_int_equal(mend_survey_any_unowned(&survey, (agno_t){ ag }, start, len), any);
			}
		}
		mend_survey_free(&survey);
		close_fixture(&f);
	}
}

static void the_survey_of_the_check_is_adopted_once_and_whole(void **state)
{
	struct fixture f;
	struct mend_survey survey = { 0 };

	(void)state;
	open_fixture(&f);
	assert_false(mend_survey_adopt(&f.m, f.wanted, &survey));
	f.wanted[2] = false;
	give_survey(&f);
	f.wanted[2] = true;
	assert_false(mend_survey_adopt(&f.m, f.wanted, &survey));
	f.wanted[2] = false;
	assert_true(mend_survey_adopt(&f.m, f.wanted, &survey));
	assert_as_reported(&f, &survey, 0);
	assert_false(mend_survey_adopt(&f.m, f.wanted, &survey));
	assert_int_equal(mend_survey_return(&f.m, &survey), 0);
	assert_null(survey.ags);
	assert_true(mend_survey_adopt(&f.m, f.wanted, &survey));
	assert_as_reported(&f, &survey, 0);
	mend_survey_free(&survey);
	close_fixture(&f);
}

static unsigned count_free(const struct fixture *f)
{
	unsigned left = 0;

	for (unsigned ag = 0; ag < AGS; ag++)
		for (unsigned b = 0; b < LEN; b++)
			left += f->twin[ag][b].free && !f->twin[ag][b].claimed;
	return left;
}

/* While the survey has free blocks, nothing is read: the fixture's traversal can't read. */
static void take_some(struct fixture *f)
{
	const uint32_t want = 1 + rand() % 4;
	fsbno_t start;
	uint32_t len;

	assert_int_equal(mend_space_take(&f->m, want, &start, &len), 0);
	assert_in_range(len, 1, want);
	for (uint32_t k = 0; k < len; k++) {
		const fsbno_t block = { start.v + k };
		struct twin *t = &f->twin[agno_of_fsbno(&f->rc.geo, block).v][agbno_of_fsbno(&f->rc.geo, block).v];

		assert_true(t->free && !t->claimed);
		t->claimed = true;
	}
}

static void open_with_survey(struct fixture *f, unsigned seed)
{
	srand(seed);
	open_fixture(f);
	give_survey(f);
	for (unsigned ag = 0; ag < AGS; ag++)
		f->ags[ag].free_blocks = 1 + rand() % LEN;
}

static void all_that_is_free_and_nobodys_is_handed_out_once(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 20; seed++) {
		struct fixture f;

		open_with_survey(&f, seed);
		assert_true(count_free(&f) > 20);
		while (count_free(&f))
			take_some(&f);
		close_fixture(&f);
	}
}

static void what_somebody_has_got_since_is_not_handed_out(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 20; seed++) {
		struct fixture f;

		open_with_survey(&f, seed);
		for (unsigned i = 0; i < 4; i++) {
			const unsigned ag = rand() % AGS, at = rand() % (LEN - 4);

			take_some(&f);
			mend_space_claim(&f.m, fsbno_of(&f.rc.geo, (agno_t){ ag }, (agbno_t){ at }), 4);
			for (unsigned b = at; b < at + 4; b++)
				f.twin[ag][b].claimed = true;
			take_some(&f);
		}
		for (unsigned ag = 0; ag < AGS; ag++)
			for (unsigned b = 0; b < LEN; b++)
				assert_int_equal(block_map_get(&f.m.survey->ags[ag].claimed, b), f.twin[ag][b].claimed);
		close_fixture(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_told_of_each_block_is_marked),
		cmocka_unit_test(an_ag_whose_bnobt_alone_is_lost_is_not_surveyed),
		cmocka_unit_test(of_an_ag_that_lost_both_free_space_btrees_all_else_is_surveyed),
		cmocka_unit_test(runs_that_are_neither_claimed_nor_free_are_lost),
		cmocka_unit_test(the_survey_of_the_check_is_adopted_once_and_whole),
		cmocka_unit_test(all_that_is_free_and_nobodys_is_handed_out_once),
		cmocka_unit_test(what_somebody_has_got_since_is_not_handed_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

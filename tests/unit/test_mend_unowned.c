/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/plan/mend_unowned.c: when a survey is enough to know which blocks have no owner. */
#include <stdlib.h>

#include "scratch_device.h"

#include "../../repair/mend/plan/damage.h"
#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "check/walk/walker.h"
#include "btrees.h"
#include "../../repair/mend/plan/mend_run.h"
#include "../../repair/mend/blocks/mend_space.h"
#include "../../repair/mend/collect/mend_survey.h"

enum { AGS = 2, LEN = 300 };

/* What is wrong besides lost blocks: each alone is a reason to look for exact places. */
enum wrong {
	NOTHING,
	FREE_IN_USE,
	FREE_IN_USE_TAKEN, /* by a mender: that is right */
	TWICE,
	TWICE_SHARED,	       /* which is no contradiction */
	TWICE_UNKNOWN,	       /* perhaps no contradiction: the reference counts there are lost, ... */
	TWICE_UNKNOWN_BY_TREE, /* ... but the group's own trees share nothing */
	TWICE_OTHERWHERE,      /* the reference counts are lost elsewhere */
	INODE_UNKNOWN,
	CONTENTS_UNKNOWN, /* has nothing to do with blocks */
	INODES_UNKNOWN,
	FREE_LIST_UNKNOWN,
	CRASHED,
	NO_BNOBT,
};

struct fixture {
	struct scratch scratch;
	struct run run;
	struct repair rc;
	struct mend m;
	struct traverse traverse;
	struct walker walker, *walkers[1];
	struct gap gap;
	struct tree_gap tree_gap;
	struct ag_state ags[AGS];
	struct taken_range taken;
	struct damage damage;
};

static void open_fixture(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->rc.run = &f->run;
	scratch_open(&f->scratch, ENGINE_THREADS, 1 << 22);
	f->rc.run->device = f->scratch.device;
	f->rc.geo = btrees_geometry();
	f->rc.geo.metadir = false;
	f->rc.geo.rgcount = 0;
	f->rc.geo.rmapbt = false; /* claims are compared only with free space */
	f->rc.geo.agcount = AGS;
	f->rc.geo.agblocks = LEN;
	f->rc.geo.agblock_log = 9;
	f->rc.geo.dblocks = AGS * LEN;
	f->rc.workers = 1;
	f->rc.ledger = ledger_new(&f->rc.geo, 1, &f->rc.run->key);
	assert_non_null(f->rc.ledger);
	f->m = (struct mend){ .rc = &f->rc, .now = &f->rc };
	for (unsigned ag = 0; ag < AGS; ag++) {
		f->ags[ag].have_agf = f->ags[ag].have_agi = f->ags[ag].have_agfl = true;
		f->ags[ag].tree[BT_BNO].blocks = 1;
	}
	f->traverse = (struct traverse){ .geo = &f->rc.geo, .walkers = f->walkers, .nwalkers = 1, .ags = f->ags };
	f->walkers[0] = &f->walker;
}

static void close_fixture(struct fixture *f)
{
	mend_space_forget(&f->m);
	damage_free(&f->damage);
	ledger_free(f->rc.ledger);
	scratch_close(&f->scratch);
}

static struct blocks blocks_of(unsigned ag, uint32_t start, uint32_t len)
{
	return (struct blocks){ group_of_ag((agno_t){ ag }), { start }, len };
}

static void claim(const struct sink *sink, unsigned ag, uint32_t start, uint32_t len, uint64_t owner)
{
	const struct claim c = { .at = blocks_of(ag, start, len), .owner = owner };

	sink->ops->claim(sink->ctx, 0, &c);
}

/* AG 0 is all in use; blocks 100 to 119 and 200 to 204 of AG 1 are lost, and something else may be wrong. */
static void tell_ag(struct fixture *f, const struct sink *sink, enum wrong wrong)
{
	const struct blocks free = blocks_of(1, 120, 80);

	claim(sink, 0, 0, LEN, 131);
	claim(sink, 1, 0, 100, 131);
	claim(sink, 1, 205, LEN - 205, 132);
	sink->ops->free_extent(sink->ctx, 0, BT_BNO, &free);
	f->tree_gap = (struct tree_gap){ group_of_ag((agno_t){ 1 }), BT_REFC, { { 50 } }, { { 60 } }, false };
	switch (wrong) {
	case FREE_IN_USE:
	case FREE_IN_USE_TAKEN:
		claim(sink, 1, 150, 2, 133);
		break;
	case TWICE:
		claim(sink, 1, 50, 10, 133);
		break;
	case TWICE_SHARED:
		sink->ops->refcount(sink->ctx, 0, group_of_ag((agno_t){ 1 }),
				    &(struct refcount_record){ { 50 }, 10, 2, false });
		claim(sink, 1, 50, 10, 133);
		break;
	case TWICE_UNKNOWN:
	case TWICE_UNKNOWN_BY_TREE:
		f->walker.tree_gaps = &f->tree_gap;
		f->walker.ntree_gaps = 1;
		claim(sink, 1, 50, 10, wrong == TWICE_UNKNOWN ? 133 : OWNER_INOBT);
		break;
	case TWICE_OTHERWHERE:
		f->walker.tree_gaps = &f->tree_gap;
		f->walker.ntree_gaps = 1;
		claim(sink, 1, 60, 1, 133);
		break;
	default:
		break;
	}
}

static void survey(struct fixture *f, enum wrong wrong)
{
	const struct sink ledger = ledger_sink(f->rc.ledger);
	struct surveying *k = NULL;
	struct sink_both both;
	struct sink sink;

	assert_int_equal(surveying_new(&f->rc, NULL, &k), 0);
	f->rc.traverse = &f->traverse;
	sink = surveying_sink(k);
	sink = sink_both(&both, &ledger, &sink);
	tell_ag(f, &sink, wrong);
	ledger_close(f->rc.ledger);
	f->ags[1].tree[BT_BNO].gap = wrong == NO_BNOBT;
	f->m.survey = calloc(1, sizeof(*f->m.survey));
	assert_non_null(f->m.survey);
	assert_int_equal(surveying_end(k, f->m.survey), 0);
	surveying_free(k);
}

static void break_more(struct fixture *f, enum wrong wrong)
{
	f->gap = (struct gap){ { 140 }, wrong == CONTENTS_UNKNOWN ? GAP_CONTENTS : GAP_CLAIMS };
	f->walker.gaps = &f->gap;
	f->walker.ngaps = wrong == INODE_UNKNOWN || wrong == CONTENTS_UNKNOWN;
	f->ags[0].tree[BT_INO].gap = wrong == INODES_UNKNOWN;
	f->ags[0].have_agfl = wrong != FREE_LIST_UNKNOWN;
	f->taken = (struct taken_range){ fsbno_of(&f->rc.geo, (agno_t){ 1 }, (agbno_t){ 149 }), 4 };
	f->m.taken.ranges = &f->taken;
	f->m.taken.count = wrong == FREE_IN_USE_TAKEN;
	f->rc.run->intents = wrong == CRASHED ? (struct intents *)f : NULL; /* is never dereferenced */
}

static void assert_lost(const struct found *found, uint32_t start, uint64_t len)
{
	assert_int_equal(found->problem.finding, F_SPACE_LOST);
	assert_int_equal(found->place.object, OBJ_AG);
	assert_int_equal(found->place.agno.v, 1);
	assert_int_equal(found->place.agbno.v, start);
	assert_int_equal(found->problem.got, len);
}

static void a_survey_tells_what_is_lost_unless_more_may_be_wrong(void **state)
{
	static const struct {
		enum wrong wrong;
		bool all;
	} cases[] = {
		{ NOTHING, true },
		{ FREE_IN_USE, false },
		{ FREE_IN_USE_TAKEN, true },
		{ TWICE, false },
		{ TWICE_SHARED, true },
		{ TWICE_UNKNOWN, true },
		{ TWICE_UNKNOWN_BY_TREE, false },
		{ TWICE_OTHERWHERE, false },
		{ INODE_UNKNOWN, false },
		{ CONTENTS_UNKNOWN, true },
		{ INODES_UNKNOWN, false },
		{ FREE_LIST_UNKNOWN, false },
		{ CRASHED, false },
		{ NO_BNOBT, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f;

		open_fixture(&f);
		survey(&f, cases[i].wrong);
		break_more(&f, cases[i].wrong);
		assert_int_equal(mend_unowned_is_all(&f.m), cases[i].all);
		if (cases[i].all) {
			assert_int_equal(mend_unowned_add(&f.m, &f.damage), 0);
			assert_int_equal(f.damage.count, 2);
			assert_lost(&f.damage.found[0], 100, 20);
			assert_lost(&f.damage.found[1], 200, 5);
		}
		f.m.taken.ranges = NULL;
		f.m.taken.count = 0;
		close_fixture(&f);
	}
}

/* An inode's mender may have reported blocks that the check did not know; what can be read now is no inode. */
static void an_inode_is_known_once_its_blocks_have_been_told(void **state)
{
	static const struct {
		enum wrong wrong;
		uint64_t told; /* 0: none */
		bool all;
	} cases[] = {
		{ INODE_UNKNOWN, 0, false },	   { INODE_UNKNOWN, 139, false },  { INODE_UNKNOWN, 140, true },
		{ CONTENTS_UNKNOWN, 0, true },	   { INODES_UNKNOWN, 140, false }, { NO_BNOBT, 140, false },
		{ FREE_LIST_UNKNOWN, 140, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f;
		bool all;

		open_fixture(&f);
		survey(&f, cases[i].wrong);
		break_more(&f, cases[i].wrong);
		if (cases[i].told)
			assert_int_equal(ino_set_add(&f.m.round.blocks_reported, (xino_t){ cases[i].told }), 1);
		assert_int_equal(mend_unowned_is_all_now(&f.m, &all), 0);
		assert_int_equal(all, cases[i].all);
		ino_set_free(&f.m.round.blocks_reported);
		f.m.taken.ranges = NULL;
		close_fixture(&f);
	}
}

/* Nothing is lost then. */
static void where_all_accounts_balance_nothing_is_asked_of_the_survey(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	survey(&f, NOTHING);
	ledger_free(f.rc.ledger);
	f.rc.ledger = ledger_new(&f.rc.geo, 1, &f.rc.run->key);
	assert_non_null(f.rc.ledger);
	for (unsigned ag = 0; ag < AGS; ag++) {
		const struct sink sink = ledger_sink(f.rc.ledger);

		claim(&sink, ag, 0, LEN, 131);
	}
	ledger_close(f.rc.ledger);
	assert_false(mend_unowned_is_all(&f.m));
	close_fixture(&f);
}

static void without_a_survey_nothing_is_known(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	survey(&f, NOTHING);
	assert_true(mend_unowned_is_all(&f.m));
	mend_space_forget_survey(&f.m);
	assert_false(mend_unowned_is_all(&f.m));
	assert_int_equal(mend_unowned_add(&f.m, &f.damage), 0);
	assert_int_equal(f.damage.count, 0);
	close_fixture(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_survey_tells_what_is_lost_unless_more_may_be_wrong),
		cmocka_unit_test(an_inode_is_known_once_its_blocks_have_been_told),
		cmocka_unit_test(where_all_accounts_balance_nothing_is_asked_of_the_survey),
		cmocka_unit_test(without_a_survey_nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

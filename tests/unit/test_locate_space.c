/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/check/locate/locate_space.c against a naive twin that counts for each block how often it is used, free, and
 * allowed to be either: the findings of every block, and how often they are reported.
 */
#include <stdlib.h>
#include <string.h>

#include "../../repair/check/locate/evidence.h"
#include "check/locate/locate.h"
#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "check/walk/walker.h"
#include "reported.h"
#include "in_range.h"

enum { BLOCKS = 120, USES_MAX = 40 };

#define NOTHING FINDING_NR

/* The findings of one block. */
struct said {
	enum finding finding;
	unsigned times;
	uint64_t got, want; /* of a reference count */
	unsigned twice;	    /* reported as claimed twice along with being free */
};

struct fixture {
	struct run run;
	struct repair rc;
	struct traverse traverse;
	struct ag_state ag;
	struct walker walker;
	struct locate locate;
	struct use uses[USES_MAX];
	size_t count;
	struct said said[BLOCKS], twin[BLOCKS];
	bool mixed;	/* two kinds of findings of one block */
	unsigned named; /* how often the second use is named as the other owner */
};

/* A finding's range begins at its place.  Its length is the value found, except for reference counts. */
static void say(void *ctx, const struct problem *p)
{
	struct fixture *f = ctx;
	bool counts = p->finding == F_REFCOUNT_COUNT;
	uint64_t start = f->walker.place.agbno.v, len = counts ? p->index : p->got;

	assert_in_range(start + len, 1, BLOCKS);
	f->named += p->finding == F_SPACE_CLAIMED_TWICE && p->want == 128 + 2;
	for (uint64_t b = start; b < start + len; b++) {
		struct said *said = &f->said[b];

		if (p->finding == F_SPACE_CLAIMED_TWICE && said->finding == F_SPACE_FREE_IN_USE) {
			said->twice++;
			continue;
		}
		f->mixed |= said->times && said->finding != p->finding;
		*said = (struct said){ p->finding, said->times + 1, counts ? p->got : 0, counts ? p->want : 0,
				       said->twice };
	}
}

static void open_fixture(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->rc.run = &f->run;
	f->rc.geo = (struct geometry){ .block_size = 4096,
				       .agcount = 1,
				       .agblocks = BLOCKS,
				       .dblocks = BLOCKS,
				       .crc = true,
				       .rmapbt = true,
				       .reflink = true };
	f->rc.traverse = &f->traverse;
	f->traverse.geo = &f->rc.geo;
	f->traverse.ags = &f->ag;
	f->ag.have_agfl = true;
	f->walker.t = &f->traverse;
	f->walker.check = (struct check){ &f->rc.geo, say, f };
	f->locate.rc = &f->rc;
	f->locate.w = &f->walker;
	for (unsigned b = 0; b < BLOCKS; b++)
		f->said[b].finding = NOTHING;
}

static void use(struct fixture *f, enum use_kind kind, uint64_t start, uint64_t len, uint32_t refcount)
{
	f->count++;
	f->uses[f->count - 1] = (struct use){ .kind = (uint8_t)kind, .start = start, .len = len };
	if (kind == USE_SHARED)
		f->uses[f->count - 1].refcount = refcount;
	else if (kind == USE_CLAIM)
		f->uses[f->count - 1].owner = 128 + f->count;
}

/* Makes the owner of the last use one that can't share blocks. */
static void alone(struct fixture *f)
{
	f->uses[f->count - 1].object = OBJ_INODE;
}

static struct said said_by_twin(int used, int free, int allowed, unsigned claims, bool anybody_alone)
{
	unsigned least = used < 0 ? 0 : (unsigned)used, most = allowed < 0 ? 0 : (unsigned)allowed;

	if (least > 1 && anybody_alone)
		most = 1;
	else if (used + free == allowed)
		return (struct said){ .finding = NOTHING };
	if (least && free)
		return (struct said){ F_SPACE_FREE_IN_USE, claims, 0, 0, least > 1 && most == 1 ? claims : 0 };
	if (least > 1 && most == 1)
		return (struct said){ F_SPACE_CLAIMED_TWICE, claims, 0, 0, 0 };
	if (!least && !free)
		return (struct said){ F_SPACE_LOST, 1, 0, 0, 0 };
	if (free > 1)
		return (struct said){ F_SPACE_FREE_TWICE, 1, 0, 0, 0 };
	return (struct said){ F_REFCOUNT_COUNT, 1, most, least, 0 };
}

static void ask_twin(struct fixture *f)
{
	for (uint64_t b = 0; b < BLOCKS; b++) {
		int used = 0, free = 0, allowed = 1;
		unsigned claims = 0;
		bool anybody_alone = false;

		for (size_t i = 0; i < f->count; i++) {
			const struct use *u = &f->uses[i];

			if (b < u->start || b >= u->start + u->len)
				continue;
			claims += u->kind == USE_CLAIM;
			anybody_alone |= u->kind == USE_CLAIM && u->object;
			used += (u->kind == USE_CLAIM) - (u->kind == USE_UNCLAIM);
			free += u->kind == USE_FREE;
			allowed += u->kind == USE_SHARED ? (int)u->refcount - 1 : 0;
		}
		f->twin[b] = said_by_twin(used, free, allowed, claims, anybody_alone);
	}
}

static void ask(struct fixture *f)
{
	const uint64_t longest = BLOCKS;

	qsort(f->uses, f->count, sizeof(*f->uses), evidence_order(REC_USE, &longest).compare);
	f->locate.records = (struct evidence_records){ .uses = f->uses, .nuses = f->count };
	assert_int_equal(locate_space(&f->locate, (group_t){ 0 }, 0, BLOCKS), 0);
	ask_twin(f);
	assert_false(f->mixed);
	for (unsigned b = 0; b < BLOCKS; b++) {
		assert_int_equal(f->said[b].finding, f->twin[b].finding);
		assert_int_equal(f->said[b].times, f->twin[b].times);
		assert_int_equal(f->said[b].got, f->twin[b].got);
		assert_int_equal(f->said[b].want, f->twin[b].want);
		assert_int_equal(f->said[b].twice, f->twin[b].twice);
	}
}

static void nothing_is_said_where_all_blocks_are_used_once_or_free(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	use(&f, USE_CLAIM, 0, 50, 0);
	use(&f, USE_FREE, 50, 20, 0);
	use(&f, USE_CLAIM, 70, 50, 0);
	use(&f, USE_CLAIM, 80, 5, 0);
	use(&f, USE_SHARED, 80, 5, 2);
	ask(&f);
	for (unsigned b = 0; b < BLOCKS; b++)
		assert_int_equal(f.said[b].finding, NOTHING);
}

static void all_blocks_of_an_empty_group_are_lost(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	ask(&f);
	assert_int_equal(f.said[0].finding, F_SPACE_LOST);
	assert_int_equal(f.said[BLOCKS - 1].finding, F_SPACE_LOST);
}

static void what_one_claim_of_a_whole_group_covers_is_found_within_it(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	use(&f, USE_CLAIM, 0, BLOCKS, 0);
	use(&f, USE_CLAIM, 30, 1, 0);
	use(&f, USE_FREE, BLOCKS - 1, 1, 0);
	ask(&f);
	assert_int_equal(f.said[30].finding, F_SPACE_CLAIMED_TWICE);
	assert_int_equal(f.said[30].times, 2);
	assert_int_equal(f.said[31].finding, NOTHING);
	assert_int_equal(f.said[BLOCKS - 1].finding, F_SPACE_FREE_IN_USE);
}

static void what_counts_as_shared_is_claimed_twice_if_one_may_have_it_alone(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	use(&f, USE_CLAIM, 0, BLOCKS, 0);
	use(&f, USE_CLAIM, 20, 10, 0);
	use(&f, USE_CLAIM, 40, 10, 0);
	alone(&f);
	use(&f, USE_SHARED, 20, 10, 2);
	use(&f, USE_SHARED, 40, 10, 2);
	ask(&f);
	assert_int_equal(f.said[20].finding, NOTHING);
	assert_int_equal(f.said[39].finding, NOTHING);
	assert_int_equal(f.said[40].finding, F_SPACE_CLAIMED_TWICE);
	assert_int_equal(f.said[49].times, 2);
	assert_int_equal(f.said[50].finding, NOTHING);
}

/* Of three owners, the one that can't share is named to the two files, whatever their numbers. */
static void all_give_way_to_the_one_that_may_have_it_alone(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	use(&f, USE_CLAIM, 0, BLOCKS, 0);
	use(&f, USE_CLAIM, 40, 1, 0);
	alone(&f);
	use(&f, USE_CLAIM, 40, 1, 0);
	use(&f, USE_SHARED, 40, 1, 3);
	ask(&f);
	assert_int_equal(f.said[40].times, 3);
	assert_int_equal(f.named, 2);
}

/* Most records are long, so that many are open at a time. */
static void whatever_records_there_are_the_twin_agrees(void **state)
{
	static const enum use_kind kinds[] = { USE_CLAIM, USE_CLAIM, USE_FREE, USE_SHARED, USE_UNCLAIM };

	(void)state;
	srand(7);
	for (int round = 0; round < 2000; round++) {
		unsigned n = 1 + (unsigned)rand() % 15; /* no more owners are named than there are claims */
		struct fixture f;

		open_fixture(&f);
		while (n--) {
			uint64_t start = (uint64_t)rand() % BLOCKS;

			use(&f, kinds[rand() % 5], start, 1 + (uint64_t)rand() % (BLOCKS - start), rand() % 4);
			if (rand() % 8 == 0)
				alone(&f);
		}
		ask(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_said_where_all_blocks_are_used_once_or_free),
		cmocka_unit_test(all_blocks_of_an_empty_group_are_lost),
		cmocka_unit_test(what_one_claim_of_a_whole_group_covers_is_found_within_it),
		cmocka_unit_test(what_counts_as_shared_is_claimed_twice_if_one_may_have_it_alone),
		cmocka_unit_test(all_give_way_to_the_one_that_may_have_it_alone),
		cmocka_unit_test(whatever_records_there_are_the_twin_agrees),
	};

	return cmocka_run_group_tests_name("locate_space", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which superblock is used when several were tried: the results of the trials are given here. */
#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "ag_headers.h"
#include "../../repair/sb/sb_candidates.h"
#include "trials/trial.h"
#include "disk/sb.h"
#include "report.h"

#define ROOM 4

/* Superblocks of AGs, the primary first, and what a trial keeps with each. */
struct fixture {
	struct options options;
	struct run run;
	struct repair rc;
	struct sb_candidates list;
	struct sb_candidate all[ROOM];
	struct kept kept[ROOM];
	unsigned trials;
};

static struct fixture *current;

/* Replaces the real function, which runs a check: returns the results in the order of the list. */
int trial_run(struct repair *rc, struct trial *trial)
{
	(void)rc;
	trial->usable = true;
	trial->kept = current->kept[current->trials++];
	return 0;
}

static void no_weight(void *ctx, struct sb_candidate *candidate)
{
	(void)ctx;
	(void)candidate;
}

static void begin(struct fixture *f)
{
	*f = (struct fixture){ 0 };
	f->run.options = &f->options;
	f->rc.run = &f->run;
	f->rc.report = report_silent(&f->options, stderr);
	assert_non_null(f->rc.report);
	f->list.all = f->all;
	current = f;
}

/* Adds a superblock with these incompatible features toggled, whose trial keeps so much and finds so much wrong. */
static void add(struct fixture *f, uint32_t features, uint64_t things, uint64_t wrong)
{
	static uint8_t bytes[SB_READ_BYTES];
	const size_t n = f->list.count++;

	memset(bytes, 0, sizeof(bytes));
	superblock_fill(bytes);
	put(bytes, offsetof(struct sb_disk, features_incompat), 4,
	    be32_get(((struct sb_disk *)bytes)->features_incompat) ^ features);
	put_crc(bytes, SB_CRC);
	sb_candidate_decode(&f->all[n], bytes, n * AGBLOCKS * UINT64_C(4096));
	assert_true(f->all[n].usable);
	f->kept[n] = (struct kept){ .things = things, .wrong = wrong };
}

/* Returns the AG of the superblock that is used. */
static size_t used(struct fixture *f)
{
	const struct sb_candidate *chosen = sb_vote(&f->list, no_weight, NULL);

	assert_int_equal(sb_try(&f->rc, &f->list, &chosen), 0);
	return (size_t)(chosen - f->all);
}

static void end(struct fixture *f)
{
	report_silent_free(f->rc.report);
}

static void the_one_that_keeps_most_is_used(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	add(&f, 0, 10, 1);
	add(&f, SB_INCOMPAT_BIGTIME, 20, 5);
	assert_int_equal(used(&f), 1);
	end(&f);
}

static void then_the_one_by_which_least_is_wrong(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	add(&f, 0, 10, 5);
	add(&f, SB_INCOMPAT_BIGTIME, 10, 4);
	assert_int_equal(used(&f), 1);
	end(&f);
}

static void then_the_primary(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	add(&f, SB_INCOMPAT_BIGTIME, 10, 5);
	add(&f, 0, 10, 5);
	add(&f, 0, 0, 0);
	assert_int_equal(used(&f), 0);
	assert_int_equal(f.trials, 2);
	end(&f);
}

static void a_primary_by_which_nothing_is_wrong_is_used_at_once(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	add(&f, SB_INCOMPAT_BIGTIME, 10, 0);
	add(&f, 0, 20, 0);
	assert_int_equal(used(&f), 0);
	assert_int_equal(f.trials, 1);
	end(&f);
}

static void an_upgrade_that_was_cut_short_need_not_be_sound(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	add(&f, SB_INCOMPAT_BIGTIME | SB_INCOMPAT_NEEDSREPAIR, 10, 5);
	add(&f, 0, 10, 0);
	assert_int_equal(used(&f), 0);
	end(&f);
}

static void nothing_is_tried_if_all_agree(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	add(&f, 0, 0, 0);
	add(&f, SB_INCOMPAT_NEEDSREPAIR, 0, 0); /* which copies need not have */
	assert_int_equal(used(&f), 0);
	assert_int_equal(f.trials, 0);
	end(&f);
}

static void what_was_decided_holds_in_later_checks(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	add(&f, 0, 10, 1);
	add(&f, SB_INCOMPAT_BIGTIME, 20, 5);
	assert_int_equal(used(&f), 1);
	assert_int_equal(used(&f), 1);
	assert_int_equal(f.trials, 2);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_one_that_keeps_most_is_used),
		cmocka_unit_test(then_the_one_by_which_least_is_wrong),
		cmocka_unit_test(then_the_primary),
		cmocka_unit_test(a_primary_by_which_nothing_is_wrong_is_used_at_once),
		cmocka_unit_test(an_upgrade_that_was_cut_short_need_not_be_sound),
		cmocka_unit_test(nothing_is_tried_if_all_agree),
		cmocka_unit_test(what_was_decided_holds_in_later_checks),
	};

	return cmocka_run_group_tests_name("sb_try", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/blocks/mend_space.c: the order in which free blocks are handed out, by the survey of a check. */
#include <errno.h>
#include <stdlib.h>

#include "nothing_free.h"

#include "../../repair/mend/collect/mend_survey.h"

/* Blocks 100 to 119 of AG 1 and 50 to 54 of AG 0 are free; of these, 103 is claimed, and the rmapbt has some more. */
static void tell(struct nothing_free *f, const struct rmap_record *mapped, size_t count)
{
	const struct blocks more = { group_of_ag((agno_t){ 1 }), { 100 }, 20 };
	const struct blocks less = { group_of_ag((agno_t){ 0 }), { 50 }, 5 };
	const struct claim claim = { .at = { more.group, { 103 }, 1 }, .owner = 131 };
	struct surveying *k = NULL;
	struct sink sink;

	for (unsigned ag = 0; ag < NOTHING_FREE_AGS; ag++) {
		f->ags[ag].have_agf = f->ags[ag].have_agi = f->ags[ag].have_agfl = true;
		f->ags[ag].tree[BT_BNO].blocks = 1;
		f->ags[ag].free_blocks = ag ? more.len : less.len;
	}
	assert_int_equal(surveying_new(&f->rc, NULL, &k), 0);
	sink = surveying_sink(k);
	sink.ops->free_extent(sink.ctx, 0, BT_BNO, &more);
	sink.ops->free_extent(sink.ctx, 0, BT_BNO, &less);
	sink.ops->claim(sink.ctx, 0, &claim);
	for (size_t i = 0; i < count; i++)
		sink.ops->rmap(sink.ctx, 0, more.group, &mapped[i]);
	f->m.survey = calloc(1, sizeof(*f->m.survey));
	assert_non_null(f->m.survey);
	assert_int_equal(surveying_end(k, f->m.survey), 0);
	surveying_free(k);
}

static void take_is(struct nothing_free *f, uint32_t agno, uint32_t agbno, uint32_t len)
{
	nothing_free_assert_take(f, 99, fsbno_of(&f->rc.geo, (agno_t){ agno }, (agbno_t){ agbno }), len);
}

static void the_group_with_most_comes_first_and_nobody_loses_a_block(void **state)
{
	struct nothing_free f;

	(void)state;
	nothing_free_open(&f);
	tell(&f, NULL, 0);
	take_is(&f, 1, 100, 3);
	take_is(&f, 1, 104, 16);
	take_is(&f, 0, 50, 5);
	nothing_free_assert_none_free(&f);
	nothing_free_close(&f);
}

static void what_the_rmapbt_has_as_somebodys_is_given_last(void **state)
{
	static const struct rmap_record mapped[] = {
		{ .start = { 98 }, .len = 7, .owner = 140 },
		{ .start = { 110 }, .len = 2, .owner = 141, .offset = 7 },
	};
	struct nothing_free f;

	(void)state;
	nothing_free_open(&f);
	tell(&f, mapped, 2);
	take_is(&f, 1, 105, 5);
	take_is(&f, 1, 112, 8);
	take_is(&f, 0, 50, 5);
	take_is(&f, 1, 100, 3);
	take_is(&f, 1, 104, 1); /* not 103, which is claimed */
	take_is(&f, 1, 110, 2);
	nothing_free_assert_none_free(&f);
	nothing_free_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_group_with_most_comes_first_and_nobody_loses_a_block),
		cmocka_unit_test(what_the_rmapbt_has_as_somebodys_is_given_last),
	};

	return cmocka_run_group_tests_name("mend_space", tests, NULL, NULL);
}

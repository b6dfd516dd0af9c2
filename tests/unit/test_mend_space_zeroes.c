/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/blocks/mend_space_zeroes.c: which blocks of zeroes are used for a map when no free blocks are known. */
#include <errno.h>

#include "nothing_free.h"
#include "../../repair/mend/collect/mend_survey.h"

#include "../../repair/mend/blocks/mend_space.h"

#define RUN 64u /* blocks that are zeroes together, of which the 32 in the middle are taken */

struct zeroes {
	struct nothing_free nothing;
	struct mend_survey owners;
	struct survey_ag ags[NOTHING_FREE_AGS];
};

/* All blocks of AG 0 and AG 1 are claimed, except [from, to) of AG 1. */
static void open_zeroes(struct zeroes *b, uint32_t from, uint32_t to)
{
	memset(b, 0, sizeof(*b));
	nothing_free_open(&b->nothing);
	b->nothing.m.zeroes.allowed = true;
	b->owners = (struct mend_survey){ .ags = b->ags, .agcount = NOTHING_FREE_AGS };
	for (unsigned ag = 0; ag < NOTHING_FREE_AGS; ag++) {
		assert_int_equal(block_map_new(&b->ags[ag].claimed, 0, NOTHING_FREE_LEN), 0);
		assert_int_equal(block_map_new(&b->ags[ag].mapped, 0, NOTHING_FREE_LEN), 0);
		block_map_set(&b->ags[ag].claimed, 0, NOTHING_FREE_LEN, true);
	}
	block_map_set(&b->ags[1].claimed, from, to - from, false);
}

static void close_zeroes(struct zeroes *b)
{
	for (unsigned ag = 0; ag < NOTHING_FREE_AGS; ag++) {
		block_map_free(&b->ags[ag].claimed);
		block_map_free(&b->ags[ag].mapped);
	}
	nothing_free_close(&b->nothing);
}

static void fill(struct zeroes *b, uint32_t from, uint32_t count, uint8_t byte)
{
	uint8_t block[4096];

	memset(block, byte, sizeof(block));
	for (uint32_t i = from; i < from + count; i++) {
		const fsbno_t at = nothing_free_block(&b->nothing, i);

		assert_int_equal(mend_write(&b->nothing.m, block,
					    bytes_of_daddr(daddr_of_fsbno(&b->nothing.rc.geo, at)), sizeof(block)),
				 0);
	}
}

/* Returns 0 if `need` blocks are found, which must be those of AG 1 from `first` on; -ENOSPC: not so many. */
static int take(struct zeroes *b, uint32_t need, uint32_t first)
{
	fsbno_t blocks[RUN];
	int ret = mend_space_take_zeroes(&b->nothing.m, &b->owners, blocks, need);

	for (uint32_t i = 0; i < need && !ret; i++)
		assert_int_equal(blocks[i].v, nothing_free_block(&b->nothing, first + i).v);
	return ret;
}

static void the_middle_of_zeroes_that_nobody_has_does(void **state)
{
	struct zeroes b;

	(void)state;
	open_zeroes(&b, 100, 100 + RUN);
	fill(&b, 100, RUN, 0);
	assert_int_equal(take(&b, 1, 100 + RUN / 4), 0);
	assert_int_equal(take(&b, RUN / 2, 100 + RUN / 4), 0);
	assert_int_equal(take(&b, RUN / 2 + 1, 0), -ENOSPC);
	close_zeroes(&b);
}

static void nothing_is_taken_before_it_is_the_last_resort(void **state)
{
	struct zeroes b;

	(void)state;
	open_zeroes(&b, 100, 100 + RUN);
	fill(&b, 100, RUN, 0);
	b.nothing.m.zeroes.allowed = false;
	assert_int_equal(take(&b, 1, 0), -ENOSPC);
	assert_true(b.nothing.m.zeroes.wanted);
	close_zeroes(&b);
}

/* One byte at either end or in the middle, or one block that has a claim or an rmap record. */
static void anything_in_a_run_speaks_against_all_of_it(void **state)
{
	const uint32_t places[] = { 100, 100 + RUN - 1, 100 + RUN / 2 };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct zeroes b;

		open_zeroes(&b, 100, 100 + RUN);
		fill(&b, 100, RUN, 0);
		fill(&b, places[i], 1, 1);
		assert_int_equal(take(&b, 1, 0), -ENOSPC);
		fill(&b, places[i], 1, 0);
		block_map_set(&b.ags[1].claimed, places[i], 1, true);
		assert_int_equal(take(&b, 1, 0), -ENOSPC);
		block_map_set(&b.ags[1].claimed, places[i], 1, false);
		block_map_set(&b.ags[1].mapped, places[i], 1, true);
		assert_int_equal(take(&b, 1, 0), -ENOSPC);
		block_map_set(&b.ags[1].mapped, places[i], 1, false);
		assert_int_equal(take(&b, 1, 100 + RUN / 4), 0);
		close_zeroes(&b);
	}
}

static void a_run_that_is_too_short_or_the_last_one_is_told(void **state)
{
	struct zeroes b;

	(void)state;
	open_zeroes(&b, 100, 100 + RUN - 1);
	fill(&b, 100, RUN, 0);
	assert_int_equal(take(&b, 1, 0), -ENOSPC);
	close_zeroes(&b);
	open_zeroes(&b, NOTHING_FREE_LEN - RUN, NOTHING_FREE_LEN); /* to the end of the group */
	fill(&b, NOTHING_FREE_LEN - RUN, RUN, 0);
	assert_int_equal(take(&b, 1, NOTHING_FREE_LEN - RUN + RUN / 4), 0);
	close_zeroes(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_middle_of_zeroes_that_nobody_has_does),
		cmocka_unit_test(nothing_is_taken_before_it_is_the_last_resort),
		cmocka_unit_test(anything_in_a_run_speaks_against_all_of_it),
		cmocka_unit_test(a_run_that_is_too_short_or_the_last_one_is_told),
	};

	return cmocka_run_group_tests_name("mend_space_zeroes", tests, NULL, NULL);
}

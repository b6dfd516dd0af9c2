/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/blocks/mend_fork_blocks.c: where the bmbt of an extent map is put if nothing is free. */
#include <errno.h>

#include "nothing_free.h"

/* Finds so many blocks for the bmbt of a data fork with unchanged extents; these blocks are expected. */
static int blocks_for(struct nothing_free *f, uint32_t need, uint32_t agbnos[8])
{
	const struct mend_fork *fork = &f->inode.fork[DATA_FORK];
	fsbno_t blocks[8] = { { 0 } };
	int ret = mend_fork_blocks(&f->m, &f->inode, DATA_FORK, fork->extents, fork->count, blocks, need);

	for (uint32_t i = 0; i < need && !ret; i++) {
		assert_int_equal(agno_of_fsbno(&f->rc.geo, blocks[i]).v, 1);
		agbnos[i] = agbno_of_fsbno(&f->rc.geo, blocks[i]).v;
	}
	return ret;
}

static void the_old_tree_lends_its_blocks_each_once(void **state)
{
	struct nothing_free f;
	uint32_t agbnos[8] = { 0 };

	(void)state;
	nothing_free_open(&f);
	nothing_free_node(&f, 150, true);
	nothing_free_node(&f, 140, true);
	nothing_free_node(&f, 150, true);
	assert_int_equal(blocks_for(&f, 2, agbnos), 0);
	assert_int_equal(agbnos[0], 140);
	assert_int_equal(agbnos[1], 150);
	assert_true(mend_space_took(&f.m, nothing_free_block(&f, 140), false));
	assert_int_equal(blocks_for(&f, 3, agbnos), -ENOSPC);
	assert_true(f.m.zeroes.wanted);
	nothing_free_close(&f);
}

static void what_is_anothers_or_may_be_is_not_taken(void **state)
{
	struct nothing_free f;
	uint32_t agbnos[8] = { 0 };

	(void)state;
	nothing_free_open(&f);
	nothing_free_extent(&f, 0, 139, 3); /* an extent that stays */
	nothing_free_node(&f, 139, true);
	nothing_free_node(&f, 141, true);
	nothing_free_node(&f, 142, false); /* the pointer to it is out of order */
	nothing_free_node(&f, 143, true);
	nothing_free_node(&f, 144, true);
	nothing_free_lose(&f, 143);
	assert_int_equal(blocks_for(&f, 1, agbnos), 0);
	assert_int_equal(agbnos[0], 144);
	nothing_free_close(&f);
}

static void too_few_blocks_are_none(void **state)
{
	struct nothing_free f;
	uint32_t agbnos[8] = { 0 };

	(void)state;
	nothing_free_open(&f);
	assert_int_equal(blocks_for(&f, 1, agbnos), -ENOSPC);
	nothing_free_node(&f, 144, true);
	assert_int_equal(blocks_for(&f, 2, agbnos), -ENOSPC);
	assert_false(mend_space_took(&f.m, nothing_free_block(&f, 144), false));
	assert_int_equal(blocks_for(&f, 1, agbnos), 0);
	nothing_free_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_old_tree_lends_its_blocks_each_once),
		cmocka_unit_test(what_is_anothers_or_may_be_is_not_taken),
		cmocka_unit_test(too_few_blocks_are_none),
	};

	return cmocka_run_group_tests_name("mend_fork_blocks", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/collect/mend_object.c: which blocks are btree blocks of their group, judged by their contents. */
#include "../../repair/mend/collect/mend_object.h"
#include "nothing_free.h"

enum { BLOCK = 100, RECORDS = 90 };

/* Stages, at block `agbno` of AG 1, a leaf of an rmapbt with siblings and the address of BLOCK in its header. */
static void stage_leaf(struct nothing_free *f, uint32_t agbno)
{
	static struct btrees b;

	start(&b, BT_RMAP, 0);
	put32(b.block + 8, 98);
	put_right(&b, 99);
	put64(b.block + 16, daddr_of_fsbno(&f->rc.geo, nothing_free_block(f, BLOCK)).v);
	put32(b.block + 48, 1);
	for (uint32_t i = 0; i < RECORDS; i++) {
		uint8_t *p = put_record(&b, 24);

		put32(p, 10 + i);
		put32(p + 4, 1);
		put64(p + 8, 131 + i);
	}
	crc_store(b.block, sizeof(b.block), 52);
	assert_int_equal(mend_write(&f->m, b.block,
				    bytes_of_daddr(daddr_of_fsbno(&f->rc.geo, nothing_free_block(f, agbno))),
				    sizeof(b.block)),
			 0);
}

static void a_leaf_in_the_middle_of_a_tree_is_the_groups(void **state)
{
	struct nothing_free f;

	(void)state;
	nothing_free_open(&f);
	stage_leaf(&f, BLOCK);
	assert_true(mend_is_tree_block(&f.m, nothing_free_block(&f, BLOCK)));
	nothing_free_close(&f);
}

static void a_block_that_belongs_elsewhere_or_is_nothing_is_not(void **state)
{
	struct nothing_free f;

	(void)state;
	nothing_free_open(&f);
	stage_leaf(&f, BLOCK + 1);
	assert_false(mend_is_tree_block(&f.m, nothing_free_block(&f, BLOCK + 1)));
	assert_false(mend_is_tree_block(&f.m, nothing_free_block(&f, BLOCK + 2)));
	nothing_free_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_leaf_in_the_middle_of_a_tree_is_the_groups),
		cmocka_unit_test(a_block_that_belongs_elsewhere_or_is_nothing_is_not),
	};

	return cmocka_run_group_tests_name("mend_object", tests, NULL, NULL);
}

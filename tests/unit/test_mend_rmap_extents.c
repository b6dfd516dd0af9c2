/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/collect/mend_claims.c: which records of an rmapbt can be part of an extent map. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "btrees.h"
#include "../../repair/mend/collect/mend_claims.h"

/* Returns how many of these records, of inode 131, become extents. */
static size_t extents_of(struct ino_fact *facts, size_t count, enum fork fork)
{
	const struct geometry geo = btrees_geometry();
	const struct mend_facts all = { .v = facts, .count = count };
	struct mend_map map = { 0 };
	size_t n;

	for (size_t i = 0; i < count; i++) {
		facts[i].ino.v = 131;
		facts[i].kind = FACT_RMAP;
	}
	assert_int_equal(mend_rmap_extents(&geo, &all, (xino_t){ 131 }, fork, FACT_RMAP, &map), 0);
	n = map.count;
	free(map.v);
	return n;
}

static void records_of_the_fork_become_extents(void **state)
{
	struct ino_fact facts[] = {
		{ .off = { 0 }, .value = 100, .len = 3 },
		{ .off = { 5 }, .value = 200, .len = 1, .flags = RMAP_BMBT },
		{ .off = { 7 }, .value = 300, .len = 1 },
	};

	(void)state;
	assert_int_equal(extents_of(facts, 3, DATA_FORK), 2);
	assert_int_equal(extents_of(facts, 3, ATTR_FORK), 0);
}

/* An rmap record can be there, an extent can't: it would be beyond the largest file (ondisk 05). */
static void what_lies_behind_the_end_of_any_file_does_not(void **state)
{
	const struct geometry geo = btrees_geometry();

	(void)state;
	for (uint64_t past = 0; past < 2; past++) {
		struct ino_fact data[] = {
			{ .off = { 0 }, .value = 100, .len = 3 },
			{ .off = { (1ull << (63 - geo.block_log)) - 2 + past }, .value = 200, .len = 2 },
		};
		struct ino_fact attr[] = {
			{ .off = { (1ull << 32) - 2 + past }, .value = 100, .len = 2, .flags = RMAP_ATTR }
		};

		assert_int_equal(extents_of(data, 2, DATA_FORK), 2 - past);
		assert_int_equal(extents_of(attr, 1, ATTR_FORK), 1 - past);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_of_the_fork_become_extents),
		cmocka_unit_test(what_lies_behind_the_end_of_any_file_does_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

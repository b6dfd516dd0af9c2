/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of usage by id. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ask/usage/usage.h"

#define IDS   1000u
#define TIMES 50u

static void each_id_is_there_once(void **state)
{
	struct usage_table table = { 0 };

	(void)state;
	for (uint64_t i = 0; i < IDS * TIMES; i++) {
		const uint32_t id = UINT32_MAX - (uint32_t)(i * 7 % IDS);

		assert_int_equal(usage_table_add(&table, id, &(struct usage){ 1, i, 2 }), 0);
	}
	assert_true(table.room <= 16384); /* entries are merged along the way */
	usage_table_settle(&table);
	assert_int_equal(table.count, IDS);
	for (size_t i = 0; i < IDS; i++) {
		assert_int_equal(table.v[i].id, UINT32_MAX - IDS + 1 + i);
		assert_int_equal(table.v[i].usage.files, TIMES);
		assert_int_equal(table.v[i].usage.used, 2 * TIMES);
	}
	usage_table_free(&table);
}

static void nobody_has_anything(void **state)
{
	struct usage_table table = { 0 };

	(void)state;
	usage_table_settle(&table);
	assert_int_equal(table.count, 0);
	usage_table_free(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_id_is_there_once),
		cmocka_unit_test(nobody_has_anything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

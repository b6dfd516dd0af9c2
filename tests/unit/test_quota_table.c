/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/check/walk/quota_table.c against a plain array, and ids that a crafted file system could choose to slow it. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "check/walk/quota_table.h"

static const struct hash_key key = { { 0x1234567890abcdef, 0xfedcba0987654321, 0x0f1e2d3c4b5a6978,
				       0x1122334455667789 } };

static void tallies_are_those_of_a_plain_array(void **state)
{
	enum { IDS = 3000, STEPS = 50000 };
	struct quota_table parts[2] = { 0 };
	uint64_t *naive = calloc(IDS, sizeof(*naive));
	size_t distinct = 0;

	(void)state;
	assert_non_null(naive);
	srand(1);
	for (unsigned i = 0; i < STEPS; i++) {
		uint32_t id = (uint32_t)rand() % IDS, blocks = (uint32_t)rand() % 1000 + 1;
		struct quota_tally *tally = quota_table_get(&parts[i % 2], &key, id << 16);

		assert_non_null(tally);
		assert_int_equal(tally->id, id << 16);
		tally->used[QUOTA_BLOCKS] += blocks;
		tally->recorded[QUOTA_INODES]++;
		distinct += naive[id] == 0;
		naive[id] += blocks;
	}
	assert_int_equal(quota_table_merge(&parts[0], &parts[1], &key), 0);
	assert_int_equal(parts[0].count, distinct);
	for (uint32_t id = 0; id < IDS; id++) {
		const struct quota_tally *tally = quota_table_find(&parts[0], &key, id << 16);

		assert_true(naive[id] ? tally && tally->used[QUOTA_BLOCKS] == naive[id] : !tally);
	}
	for (unsigned i = 0; i < 2; i++)
		quota_table_free(&parts[i]);
	free(naive);
}

static void every_id_can_be_asked_for(void **state)
{
	struct quota_table table = { 0 };

	(void)state;
	assert_null(quota_table_find(&table, &key, 0));
	assert_non_null(quota_table_get(&table, &key, UINT32_MAX));
	assert_null(quota_table_find(&table, &key, 0));
	assert_non_null(quota_table_get(&table, &key, 0));
	assert_non_null(quota_table_find(&table, &key, 0));
	assert_non_null(quota_table_find(&table, &key, UINT32_MAX));
	assert_int_equal(table.count, 2);
	quota_table_free(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tallies_are_those_of_a_plain_array),
		cmocka_unit_test(every_id_can_be_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

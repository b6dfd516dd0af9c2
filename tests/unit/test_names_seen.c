/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that are kept are returned as they were, or some are reported as missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../repair/names/names_seen.h"
#include "base/sink.h"
#include "in_range.h"

#define COUNT 30000u

/* Makes entry number i in a directory of so many. */
static struct entry_fact entry_number(uint64_t i, char *room)
{
	const int len = snprintf(room, 256, "%0*llu", (int)(i % 255) + 1, (unsigned long long)i);

	return (struct entry_fact){ .directory = { 1000 + i / 7 % 3 },
				    .target = { i * 3 },
				    .ftype = (uint8_t)(i % 5),
				    .name = (const uint8_t *)room,
				    .namelen = (uint8_t)(len < 255 ? len : 255) };
}

struct told {
	uint64_t count[2]; /* by worker: even numbers were added in the first */
	uint64_t wrong;
};

static void told_entry(void *ctx, unsigned worker, const struct entry_fact *e)
{
	struct told *told = ctx;
	const uint64_t i = e->target.v / 3;
	char room[256];
	const struct entry_fact was = entry_number(i, room);

	told->count[i & 1]++;
	if (worker || e->directory.v != was.directory.v || e->target.v != was.target.v || e->ftype != was.ftype ||
	    e->namelen != was.namelen || memcmp(e->name, was.name, was.namelen) != 0 || e->dot || e->dotdot)
		told->wrong++;
}

static struct names_seen *filled(size_t limit)
{
	struct names_seen *seen = names_seen_new(2, limit);

	assert_non_null(seen);
	for (uint64_t i = 0; i < COUNT; i++) {
		char room[256];
		const struct entry_fact entry = entry_number(i, room);

		names_seen_add(seen, i & 1, &entry);
		names_seen_add(seen, i & 1,
			       &(struct entry_fact){ .dot = true, .name = (const uint8_t *)".", .namelen = 1 });
		names_seen_add(seen, i & 1, &(struct entry_fact){ .target = { 5 } }); /* damaged: without a name */
	}
	return seen;
}

static void all_are_told(void **state)
{
	const struct sink_ops ops = { .entry = told_entry };
	struct told told = { 0 };
	struct names_seen *seen = filled(64u << 20);

	(void)state;
	assert_true(names_seen_whole(seen));
	names_seen_tell(seen, &(struct sink){ &ops, &told, NULL });
	assert_int_equal(told.count[0], COUNT / 2);
	assert_int_equal(told.count[1], COUNT / 2);
	assert_int_equal(told.wrong, 0);
	names_seen_free(seen);
	names_seen_free(NULL);
}

static void too_many_are_noticed(void **state)
{
	const struct sink_ops ops = { .entry = told_entry };
	struct told told = { 0 };
	struct names_seen *seen = filled(2u << 20);

	(void)state;
	assert_false(names_seen_whole(seen));
	names_seen_tell(seen, &(struct sink){ &ops, &told, NULL });
	assert_in_range(told.count[0], 1, COUNT / 2 - 1);
	assert_int_equal(told.wrong, 0);
	names_seen_free(seen);
	seen = names_seen_new(2, 0);
	assert_true(names_seen_whole(seen));
	names_seen_free(seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_are_told),
		cmocka_unit_test(too_many_are_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

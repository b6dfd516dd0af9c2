/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a table of directories from an array, the way a check does. */
#ifndef XFSCK_TESTS_DIR_TABLE_MADE_H
#define XFSCK_TESTS_DIR_TABLE_MADE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../repair/names/dir_runs.h"

/* limit: bytes of memory for what is collected, and for the table */
static inline void dir_table_made(struct dir_table *table, const struct dir_parent *dirs, size_t count, size_t limit)
{
	struct dir_runs *runs = dir_runs_new(2);

	assert_non_null(runs);
	dir_runs_limit(runs, limit);
	for (size_t i = 0; i < count; i++)
		dir_runs_add(runs, i % 2, dirs[i]);
	assert_int_equal(dir_runs_settle(runs), 0);
	*table = (struct dir_table){ 0 };
	assert_int_equal(dir_table_make(table, runs, limit), 0);
	assert_int_equal(table->count, count);
}

#endif

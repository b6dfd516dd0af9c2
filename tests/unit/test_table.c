/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ask/table.h"

static void columns_are_as_wide_as_their_widest_cell(void **state)
{
	struct table *table = table_new("<what|+number|size|<name");
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	table_text(table, "%s", "a");
	table_number(table, 1234567);
	table_bytes(table, 512);
	table_name(table, (const uint8_t *)"x\033\xc3\xa4", 4);
	table_text(table, "%s", "much longer");
	table_number(table, 0);
	table_bytes(table, 1536);
	table_name(table, NULL, 0);
	assert_int_equal(table_end(table, &(struct answer){ .text = out }), 0);
	fclose(out);
	assert_string_equal(text, "what            number     size  name\n"
				  "a            1,234,567    512 B  x\\x1bä\n"
				  "much longer          0  1.5 KiB  -\n");
	free(text);
}

static void nothing_is_printed_without_rows(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_int_equal(table_end(table_new("a|b"), &(struct answer){ .text = out }), 0);
	fclose(out);
	assert_string_equal(text, "");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_as_wide_as_their_widest_cell),
		cmocka_unit_test(nothing_is_printed_without_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

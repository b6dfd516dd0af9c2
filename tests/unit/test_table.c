/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables that answers are printed in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ask/table.h"
#include "report/json_out.h"

static void fill(struct table *table)
{
	table_text(table, "%s", "a");
	table_number(table, 1234567);
	table_id(table, 7);
	table_bytes(table, 512);
	table_name(table, (const uint8_t *)"x\033\xc3\xa4", 4);
	table_text(table, "%s", "much, much longer");
	table_number(table, 1);
	table_id(table, 8);
	table_bytes(table, 0);
	table_name(table, (const uint8_t *)"b", 1);
	table_hide(table);
	table_text(table, "%s", "longer");
	table_real(table, 0.25, "%.0f%%", 25.0);
	table_id(table, 9);
	table_bytes(table, 1536);
	table_name(table, NULL, 0);
}

#define COLUMNS "<what=kind|+number=n|=id|size|<name=name"

/* Fails unless the table with at most so many rows is this text. */
static void assert_text(size_t most, const char *wanted)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const struct answer to = { .text = out };
	struct table *table = table_new(&to, COLUMNS, most);

	fill(table);
	assert_int_equal(table_end(table, &to, NULL, NULL), 0);
	fclose(out);
	assert_string_equal(text, wanted);
	free(text);
}

static void columns_are_as_wide_as_their_widest_cell(void **state)
{
	(void)state;
	assert_text(SIZE_MAX, "what       number     size  name\n"
			      "a       1,234,567    512 B  x\\x1bä\n"
			      "longer        25%  1.5 KiB  -\n");
}

static void the_text_has_so_many_rows(void **state)
{
	(void)state;
	assert_text(1, "what     number   size  name\n"
		       "a     1,234,567  512 B  x\\x1bä\n"
		       "... and 1 more\n");
}

static void json_has_all_rows_and_the_columns_with_keys(void **state)
{
	char *text = NULL;
	size_t size;
	struct report_json json = { .out = open_memstream(&text, &size) };
	const struct answer to = { .json = &json };
	json_t *object = json_object();
	struct table *table = table_new(&to, COLUMNS, 1);

	(void)state;
	fill(table);
	assert_int_equal(table_end(table, &to, object, "rows"), 0);
	json_out_put(&json, object);
	table = table_new(&to, "a|=b", SIZE_MAX);
	table_number(table, 1);
	table_number(table, 2);
	assert_int_equal(table_end_lines(table, &to, "row"), 0);
	fclose(json.out);
	assert_int_equal(json.error, 0);
	assert_string_equal(text, "{\"rows\":[{\"kind\":\"a\",\"n\":1234567,\"id\":7,\"name\":\"x\\u001B\\u00E4\"},"
				  "{\"kind\":\"much, much longer\",\"n\":1,\"id\":8,\"name\":\"b\"},"
				  "{\"kind\":\"longer\",\"n\":0.25,\"id\":9,\"name\":null}]}\n"
				  "{\"type\":\"row\",\"b\":2}\n");
	free(text);
}

static void nothing_is_printed_without_rows(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const struct answer to = { .text = out };

	(void)state;
	assert_int_equal(table_end(table_new(&to, "a|b", SIZE_MAX), &to, NULL, NULL), 0);
	fclose(out);
	assert_string_equal(text, "");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_as_wide_as_their_widest_cell),
		cmocka_unit_test(the_text_has_so_many_rows),
		cmocka_unit_test(json_has_all_rows_and_the_columns_with_keys),
		cmocka_unit_test(nothing_is_printed_without_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

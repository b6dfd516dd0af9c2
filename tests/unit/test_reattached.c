/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of inodes that got a name again: each inode once, with the right reason. */
#include <stdlib.h>
#include <string.h>

#include "../../repair/report/report_text.h"
#include "reported.h"

static void inodes_are_listed_once_and_by_number(void **state)
{
	static const struct reattached in[] = { { { 500 }, BY_LOG, { 0 } },
						{ { 7 }, BY_NOBODY, { 0 } },
						{ { 500 }, BY_PARENT_POINTER, { 0 } },
						{ { 7 }, BY_NOBODY, { 0 } } };
	struct reattachments list = { 0 };

	(void)state;
	reattached_settle(&list);
	assert_int_equal(list.count, 0);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(reattached_add(&list, &in[i]), 0);
	reattached_settle(&list);
	assert_int_equal(list.count, 2);
	assert_int_equal(list.all[0].ino.v, 7);
	assert_int_equal(list.all[0].by, BY_NOBODY);
	assert_int_equal(list.all[1].ino.v, 500);
	assert_int_equal(list.all[1].by, BY_PARENT_POINTER);
	reattached_free(&list);
	assert_int_equal(list.count, 0);
}

static void reasons_depend_on_what_was_known(void **state)
{
	const struct reattached home = { { 1 }, BY_PARENT_POINTER, { 0 } }, logged = { { 3 }, BY_LOG, { 0 } },
				unknown = { { 2 }, BY_NOBODY, { 0 } };
	const struct path former = { .kind = PATH_FORMER }, none = { .kind = PATH_NONE };

	(void)state;
	assert_string_equal(reattached_why(&home, &former), "from its parent pointer");
	assert_string_equal(reattached_why(&home, &none), "from its parent pointer");
	assert_string_equal(reattached_why(&logged, &none), "from the log");
	assert_string_equal(reattached_why(&unknown, &former), "its directory is gone or full");
	assert_string_equal(reattached_why(&unknown, &none), "original location unknown");
}

static void the_table_has_a_line_for_each(void **state)
{
	struct reattached all[] = { { { 131 }, BY_NOBODY, { 0 } }, { { 786560 }, BY_PARENT_POINTER, { 0 } } };
	const struct reattachments list = { all, 2, 2 };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	report_text_reattached(out, &list, NULL, NULL);
	fclose(out);
	assert_string_equal(text, "Reconnected:\n"
				  "                 inode  it was -> it is now: why\n"
				  "                   131  - -> -: original location unknown\n"
				  "                786560  - -> -: from its parent pointer\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inodes_are_listed_once_and_by_number),
		cmocka_unit_test(reasons_depend_on_what_was_known),
		cmocka_unit_test(the_table_has_a_line_for_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

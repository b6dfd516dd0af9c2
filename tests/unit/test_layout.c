/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines wrap at words, in columns and not in bytes, and are tinted as a whole. */
#include <stdlib.h>
#include <string.h>

#include "../../repair/report/layout.h"
#include "reported.h"

static char *laid_out(struct layout layout, const char *text, unsigned indent, unsigned hang, enum tint tint)
{
	char *result;
	size_t size;

	layout.out = open_memstream(&result, &size);
	assert_non_null(layout.out);
	fputs(text, layout_line(&layout));
	layout_end(&layout, indent, hang, tint);
	fclose(layout.out);
	return result;
}

static void expect(struct layout layout, const char *text, unsigned indent, unsigned hang, const char *expected)
{
	char *result = laid_out(layout, text, indent, hang, TINT_NONE);

	assert_string_equal(result, expected);
	free(result);
}

static void without_a_width_a_line_stays_whole(void **state)
{
	(void)state;
	expect((struct layout){ 0 }, "one two  three", 0, 4, "one two  three\n");
	expect((struct layout){ 0 }, "", 3, 4, "   \n");
}

static void words_that_do_not_fit_go_to_the_next_line(void **state)
{
	const struct layout narrow = { .width = 12 };

	(void)state;
	expect(narrow, "one two three four", 0, 2, "one two\n  three four\n");
	expect(narrow, "one two three four", 3, 2, "   one two\n     three\n     four\n");
}

static void a_long_word_stays_whole(void **state)
{
	(void)state;
	expect((struct layout){ .width = 12 }, "a /one/two/three/four b", 0, 2, "a\n  /one/two/three/four\n  b\n");
}

static void characters_of_several_bytes_take_one_column(void **state)
{
	(void)state;
	expect((struct layout){ .width = 12 },
	       "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 0, 2,
	       "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\n");
}

static void only_colour_tints(void **state)
{
	char *plain = laid_out((struct layout){ 0 }, "text", 0, 0, TINT_BAD);
	char *tinted = laid_out((struct layout){ .colour = true }, "text", 0, 0, TINT_BAD);

	(void)state;
	assert_string_equal(plain, "text\n");
	assert_string_equal(tinted, "\033[31mtext\033[0m\n");
	free(plain);
	free(tinted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_width_a_line_stays_whole),
		cmocka_unit_test(words_that_do_not_fit_go_to_the_next_line),
		cmocka_unit_test(a_long_word_stays_whole),
		cmocka_unit_test(characters_of_several_bytes_take_one_column),
		cmocka_unit_test(only_colour_tints),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

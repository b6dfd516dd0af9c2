/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names from the disk: printable characters are kept, nothing else reaches a terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../repair/report/quote.h"
#include "reported.h"

static void assert_quoted(const char *bytes, size_t length, const char *expected)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	quote_print(out, (const uint8_t *)bytes, length);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

#define assert_quoted_as(bytes, expected) assert_quoted(bytes, sizeof(bytes) - 1, expected)

static void plain_names_stay_as_they_are(void **state)
{
	(void)state;
	assert_quoted_as("", "");
	assert_quoted_as("a file, with spaces & $(x) ~!", "a file, with spaces & $(x) ~!");
	assert_quoted_as("gr\xc3\xbc\xc3\x9f"
			 "e \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x98\x80",
			 "gr\xc3\xbc\xc3\x9f"
			 "e \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x98\x80");
}

static void quotation_marks_and_backslashes_get_a_backslash(void **state)
{
	(void)state;
	assert_quoted_as("a\"b\\c'", "a\\\"b\\\\c'");
	assert_quoted_as("\\x41", "\\\\x41"); /* not to be taken for an A */
}

static void control_characters_are_numbers(void **state)
{
	(void)state;
	assert_quoted_as("a\nb\tc\x1b[31m\x7f\0z", "a\\x0ab\\x09c\\x1b[31m\\x7f\\x00z");
	assert_quoted_as("\xc2\x9b"
			 "31m",
			 "\\xc2\\x9b31m");	  /* CSI in one character */
	assert_quoted_as("\xc2\xa0", "\xc2\xa0"); /* the first after them */
}

static void what_turns_or_hides_other_characters_is_numbers(void **state)
{
	(void)state;
	assert_quoted_as("\xe2\x80\xa8|\xe2\x80\xa9", "\\xe2\\x80\\xa8|\\xe2\\x80\\xa9"); /* U+2028, 2029 */
	assert_quoted_as("\xe2\x80\xaa|\xe2\x80\xae", "\\xe2\\x80\\xaa|\\xe2\\x80\\xae"); /* U+202A, 202E */
	assert_quoted_as("\xe2\x81\xa6|\xe2\x81\xa9", "\\xe2\\x81\\xa6|\\xe2\\x81\\xa9"); /* U+2066, 2069 */
	assert_quoted_as("\xe2\x80\x8f\xd8\x9c", "\\xe2\\x80\\x8f\\xd8\\x9c");		  /* U+200F, 061C */
	assert_quoted_as("\xef\xbb\xbf", "\\xef\\xbb\\xbf");				  /* U+FEFF */
	assert_quoted_as("\xe2\x80\xa7\xe2\x80\xaf", "\xe2\x80\xa7\xe2\x80\xaf");	  /* U+2027 and 202F show */
}

static void bytes_that_are_not_utf8_are_numbers(void **state)
{
	(void)state;
	assert_quoted_as("\xff|\x80|\xc3", "\\xff|\\x80|\\xc3");
	assert_quoted_as("\xc0\x80", "\\xc0\\x80"); /* longer than need be */
	assert_quoted_as("\xe0\x9f\xbf", "\\xe0\\x9f\\xbf");
	assert_quoted_as("\xed\xa0\x80", "\\xed\\xa0\\x80");	      /* surrogate */
	assert_quoted_as("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"); /* beyond U+10FFFF */
	assert_quoted_as("\xe6\x97", "\\xe6\\x97");		      /* ends too early */
	assert_quoted_as("\xe6\x97"
			 "a",
			 "\\xe6\\x97"
			 "a");
}

/* Every code point, encoded by hand, is decoded with its length. */
static void every_character_is_decoded(void **state)
{
	(void)state;
	for (uint32_t code = 0; code <= 0x10ffff; code++) {
		uint8_t b[4];
		uint32_t got = UINT32_MAX;
		size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

		if (n == 1)
			b[0] = (uint8_t)code;
		else
			b[0] = (uint8_t)(0xf00u >> n | code >> 6 * (n - 1));
		for (size_t i = 1; i < n; i++)
			b[i] = (uint8_t)(0x80 | (code >> 6 * (n - 1 - i) & 0x3f));
		if (code >= 0xd800 && code <= 0xdfff) {
			assert_int_equal(quote_character(b, n, &got), 0);
			continue;
		}
		assert_int_equal(quote_character(b, n, &got), n);
		assert_int_equal(got, code);
		if (n > 1)
			assert_int_equal(quote_character(b, n - 1, &got), 0);
	}
}

static void names_that_show_as_they_are_are_text(void **state)
{
	static const uint8_t sound[] = "na\xc3\xafve \\\"name\"", cut[] = "na\xc3", control[] = "a\nb",
			     high[] = "\xff"
				      "a";

	(void)state;
	assert_true(quote_all_show(sound, sizeof(sound) - 1));
	assert_false(quote_all_show(cut, sizeof(cut) - 1));
	assert_false(quote_all_show(control, sizeof(control) - 1));
	assert_false(quote_all_show(high, sizeof(high) - 1));
}

static void assert_printed(void (*print)(FILE *out, const char *text), const char *text, const char *expected)
{
	size_t size;
	char *printed;
	FILE *out = open_memstream(&printed, &size);

	print(out, text);
	fclose(out);
	assert_string_equal(printed, expected);
	free(printed);
}

static void sentences_have_what_shows(void **state)
{
	(void)state;
	assert_printed(quote_sentence, "gr\xc3\xbc\xc3\x9f, \"a\\b\"", "gr\xc3\xbc\xc3\x9f, \"a\\b\"");
	assert_printed(quote_sentence, "a\x1b[31m\n\x7f|\xc2\x9b", "a?[31m??|?");
	assert_printed(quote_sentence,
		       "\x9b"
		       "31m\xe2\x80\xaex\xc3",
		       "?31m?x?");
}

static void words_for_a_shell(void **state)
{
	(void)state;
	assert_printed(quote_shell, "/dev/sda1", "/dev/sda1");
	assert_printed(quote_shell, "", "''");
	assert_printed(quote_shell, "it's a gr\xc3\xbc\xc3\x9f", "'it'\\''s a gr\xc3\xbc\xc3\x9f'");
	assert_printed(quote_shell, "a\x1b[31m 'b\\\xc2\x9b\x9b", "$'a\\x1b[31m \\'b\\\\\\xc2\\x9b\\x9b'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_names_stay_as_they_are),
		cmocka_unit_test(quotation_marks_and_backslashes_get_a_backslash),
		cmocka_unit_test(control_characters_are_numbers),
		cmocka_unit_test(what_turns_or_hides_other_characters_is_numbers),
		cmocka_unit_test(bytes_that_are_not_utf8_are_numbers),
		cmocka_unit_test(every_character_is_decoded),
		cmocka_unit_test(names_that_show_as_they_are_are_text),
		cmocka_unit_test(sentences_have_what_shows),
		cmocka_unit_test(words_for_a_shell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

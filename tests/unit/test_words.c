/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words and numbers in messages. */
#include <string.h>

#include "../../repair/report/words.h"
#include "reported.h"

static void numbers_have_separators(void **state)
{
	struct words w = { 0 };

	(void)state;
	words_add_number(&w, 0);
	words_add(&w, " ");
	words_add_number(&w, 999);
	words_add(&w, " ");
	words_add_number(&w, 1000);
	words_add(&w, " ");
	words_add_number(&w, 1002003);
	words_add(&w, " ");
	words_add_number(&w, UINT64_MAX);
	assert_string_equal(w.text, "0 999 1,000 1,002,003 18,446,744,073,709,551,615");
}

static void one_thing_is_singular(void **state)
{
	struct words w = { 0 };

	(void)state;
	words_add_count(&w, 0, "inode", "inodes");
	words_add_count(&w, 1, "inode", "inodes");
	words_add_count(&w, 2000, "inode", "inodes");
	assert_string_equal(w.text, "0 inodes1 inode2,000 inodes");
}

static void durations_change_their_unit(void **state)
{
	struct words w = { 0 };

	(void)state;
	words_add_duration(&w, 59);
	words_add(&w, "|");
	words_add_duration(&w, 60);
	words_add(&w, "|");
	words_add_duration(&w, 3599);
	words_add(&w, "|");
	words_add_duration(&w, 3600);
	words_add(&w, "|");
	words_add_duration(&w, 100 * 3600 + 5 * 60 + 59);
	assert_string_equal(w.text, "59 s|1 min 00 s|59 min 59 s|1 h 00 min|100 h 05 min");
}

static void bytes_have_three_digits(void **state)
{
	struct words w = { 0 };
	static const uint64_t bytes[] = {
		0, 512, 1023, 1024, 10188, 10240, 1023 * 1024, UINT64_C(5) << 40, UINT64_MAX
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
		words_add_bytes(&w, bytes[i]);
		words_add(&w, "|");
	}
	assert_string_equal(w.text, "0 B|512 B|1.0 KiB|1.0 KiB|9.9 KiB|10 KiB|1.0 MiB|5.0 TiB|16 EiB|");
}

static void what_does_not_fit_is_cut_off(void **state)
{
	struct words w = { 0 };

	(void)state;
	for (unsigned i = 0; i < 100; i++)
		words_add(&w, "0123456789");
	assert_int_equal(w.length, sizeof(w.text) - 1);
	assert_int_equal(strlen(w.text), w.length);
	assert_int_equal(w.text[w.length - 1], '0');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_separators),	cmocka_unit_test(one_thing_is_singular),
		cmocka_unit_test(durations_change_their_unit),	cmocka_unit_test(bytes_have_three_digits),
		cmocka_unit_test(what_does_not_fit_is_cut_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

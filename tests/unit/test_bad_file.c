/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of bad places of a device: the three formats, and files in none of them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ask/places/bad_file.h"
#include "../../repair/report/words.h"
#include "reported.h"

static struct bad_file file;
static struct words why;

static int read_bytes(const char *text, size_t length, uint64_t block_size)
{
	FILE *in = fmemopen((void *)text, length, "r");
	int ret;

	assert_non_null(in);
	bad_file_free(&file);
	why = (struct words){ 0 };
	ret = bad_file_read(in, block_size, &file, &why);
	fclose(in);
	return ret;
}

static int read_text(const char *text)
{
	return read_bytes(text, strlen(text), 1024);
}

static void assert_span(enum bad_state state, size_t i, uint64_t start, uint64_t end)
{
	assert_true(i < file.of[state].count);
	assert_true(file.of[state].v[i].start == start && file.of[state].v[i].end == end);
}

static void a_mapfile_tells_states_apart(void **state)
{
	(void)state;
	assert_int_equal(read_text("# Mapfile\n0x00100000     ?               1\n#  pos  size  status\n"
				   "0x00000000  0x00001000  +\n0x00001000  0x00000200  -\n0x00001200  0x00000200  *\n"
				   "0x00001400  0x00000200  /\n0x00001600  0x00000A00  ?\n4096000 512 -\n"),
			 0);
	assert_int_equal(file.kind, BAD_DDRESCUE);
	assert_int_equal(file.of[BAD_SURE].count, 2);
	assert_span(BAD_SURE, 0, 0x1000, 0x1600);
	assert_span(BAD_SURE, 1, 4096000, 4096512);
	assert_int_equal(file.of[BAD_UNTRIED].count, 1);
	assert_span(BAD_UNTRIED, 0, 0x1600, 0x2000);
}

static void what_is_known_to_be_bad_was_tried(void **state)
{
	(void)state;
	assert_int_equal(
		read_text("0x0 +\n0x0 0x1000 ?\n0x200 0x200 -\n0x800 0x100 -\n0xf00 0x1000 -\n0x3000 0x200 ?\n"), 0);
	assert_int_equal(file.of[BAD_SURE].count, 3);
	assert_int_equal(file.of[BAD_UNTRIED].count, 4);
	assert_span(BAD_UNTRIED, 0, 0, 0x200);
	assert_span(BAD_UNTRIED, 1, 0x400, 0x800);
	assert_span(BAD_UNTRIED, 2, 0x900, 0xf00);
	assert_span(BAD_UNTRIED, 3, 0x3000, 0x3200);
}

static void badblocks_are_of_any_size_in_any_order(void **state)
{
	(void)state;
	assert_int_equal(read_bytes("7\n3\n\n8\n3\n", 9, 4096), 0);
	assert_int_equal(file.kind, BAD_BLOCKS);
	assert_int_equal(file.of[BAD_SURE].count, 2);
	assert_span(BAD_SURE, 0, 3 * 4096, 4 * 4096);
	assert_span(BAD_SURE, 1, 7 * 4096, 9 * 4096);
}

static void sectors_may_be_ranges(void **state)
{
	(void)state;
	assert_int_equal(read_text("9s\n1-3s # three\n0x20s-0x21s\n"), 0);
	assert_int_equal(file.kind, BAD_SECTORS);
	assert_int_equal(file.of[BAD_SURE].count, 3);
	assert_span(BAD_SURE, 0, 512, 2048);
	assert_span(BAD_SURE, 1, 9 * 512, 10 * 512);
	assert_span(BAD_SURE, 2, 32 * 512, 34 * 512);
}

static void nothing_is_not_refused(void **state)
{
	(void)state;
	assert_int_equal(read_text("\n"), 0);
	assert_int_equal(file.kind, BAD_EMPTY);
	assert_int_equal(read_text("# nothing\n"), 0);
	assert_int_equal(read_text("0x0 +\n0x0 0x1000 +\n0x0 0x0 -\n"), 0);
	assert_int_equal(file.of[BAD_SURE].count, 0);
}

static void garbage_is_refused_with_its_line(void **state)
{
	static const char *const bad[] = {
		"hello\n",
		"-1\n",
		"1 2\n",
		"1 2 3\n",
		"0x\n",
		"s\n",
		"-s\n",
		"-5s\n",
		"5-s\n",
		"5s-\n",
		"5--6s\n",
		"9-3s\n",
		"0-18446744073709551615s\n",
		"18446744073709551615s\n",
		"9223372036854775807\n",
		"18446744073709551616\n",
		"\x01\x02\x03\n",
		"1s 2s\n",
	};
	static const char *const second[] = {
		"1\n2s\n",
		"1s\n2\n",
		"0x0 +\n0x0 0x1\n",
		"0x0 +\n0x0 0x1 --\n",
		"0x0 +\n0x0 0x1 x\n",
		"0x0 +\n0x0 0x1 - 4\n",
		"0x0 +\n0xffffffffffffffff 0x2 -\n",
		"0x0 +\n0x7fffffffffffffff 0x1 -\n",
		"0x0 +\n0x0 0x8000000000000000 -\n",
		"0x0 +\n-1 1 -\n",
	};
	char longest[2000];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(read_text(bad[i]), -EINVAL);
		assert_non_null(strstr(why.text, "line 1 "));
	}
	for (size_t i = 0; i < sizeof(second) / sizeof(second[0]); i++) {
		assert_int_equal(read_text(second[i]), -EINVAL);
		assert_non_null(strstr(why.text, "line 2 "));
	}
	memset(longest, '0', sizeof(longest));
	assert_int_equal(read_bytes(longest, sizeof(longest), 1024), -EINVAL);
	memset(longest, ' ', sizeof(longest));
	assert_int_equal(read_bytes(longest, sizeof(longest), 1024), 0);
	memset(longest, 0, sizeof(longest));
	assert_int_equal(read_bytes(longest, sizeof(longest), 1024), 0);
	bad_file_free(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mapfile_tells_states_apart),
		cmocka_unit_test(what_is_known_to_be_bad_was_tried),
		cmocka_unit_test(badblocks_are_of_any_size_in_any_order),
		cmocka_unit_test(sectors_may_be_ranges),
		cmocka_unit_test(nothing_is_not_refused),
		cmocka_unit_test(garbage_is_refused_with_its_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

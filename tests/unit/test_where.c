/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parsing of places that users give, hostile ones included. */
#include <errno.h>
#include <string.h>

#include "ask/places/where.h"
#include "../../repair/report/words.h"
#include "reported.h"

static bool parse(const char *text, struct where *ret)
{
	return where_parse(text, strlen(text), ret);
}

static void assert_place(const char *text, enum device_role device, enum where_unit unit, uint64_t number)
{
	struct where where;

	assert_true(parse(text, &where));
	assert_int_equal(where.device, device);
	assert_int_equal(where.unit, unit);
	assert_true(where.number == number);
}

static void each_form_is_understood(void **state)
{
	struct where where;

	(void)state;
	assert_place("0s", ROLE_DATA, WHERE_SECTOR, 0);
	assert_place("123s", ROLE_DATA, WHERE_SECTOR, 123);
	assert_place("503808b", ROLE_DATA, WHERE_BYTE, 503808);
	assert_place("0x7b000b", ROLE_DATA, WHERE_BYTE, 0x7b000);
	assert_place("0xbb", ROLE_DATA, WHERE_BYTE, 0xb);
	assert_place("0xff", ROLE_DATA, WHERE_FSBLOCK, 0xf);
	assert_place("0XAbCs", ROLE_DATA, WHERE_SECTOR, 0xabc);
	assert_place("010f", ROLE_DATA, WHERE_FSBLOCK, 10);
	assert_place("rt:9f", ROLE_REALTIME, WHERE_FSBLOCK, 9);
	assert_place("log:7s", ROLE_LOG, WHERE_SECTOR, 7);
	assert_place("18446744073709551615b", ROLE_DATA, WHERE_BYTE, UINT64_MAX);
	assert_place("0xffffffffffffffffb", ROLE_DATA, WHERE_BYTE, UINT64_MAX);
	assert_true(parse("4294967295:18446744073709551615", &where));
	assert_int_equal(where.unit, WHERE_GROUP_BLOCK);
	assert_true(where.group == UINT32_MAX && where.number == UINT64_MAX);
	assert_true(parse("rt:0x2:0x10", &where));
	assert_true(where.device == ROLE_REALTIME && where.group == 2 && where.number == 16);
}

static void what_has_no_form_is_refused(void **state)
{
	static const char *const bad[] = { "",
					   "s",
					   "1",
					   "0x",
					   "0xs",
					   "1x",
					   "-1s",
					   "+1s",
					   " 1s",
					   "1s ",
					   "1.5s",
					   "1e3s",
					   "18446744073709551616s",
					   "0x10000000000000000b",
					   "99999999999999999999999999999999999999s",
					   ":",
					   "1:",
					   ":1",
					   "1:2:3",
					   "1:2s",
					   "4294967296:0",
					   "log:1:2",
					   "log:1f",
					   "rt:",
					   "rt:rt:1s",
					   "log:",
					   "data:1s",
					   "1\ns",
					   "abs",
					   "s1" };
	struct where where;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(parse(bad[i], &where));
	assert_false(where_parse("1\0s", 3, &where));
}

static void lists_keep_their_order(void **state)
{
	struct where_list list = { 0 };
	struct words why = { 0 };

	(void)state;
	assert_int_equal(where_list_parse(&list, "3s,1:2,3s", &why), 0);
	assert_int_equal(list.count, 3);
	assert_true(list.v[0].number == 3 && list.v[1].group == 1 && list.v[2].number == 3);
	assert_int_equal(where_list_parse(&list, "1s,,2s", &why), -EINVAL);
	assert_non_null(strstr(why.text, "123s"));
	where_list_free(&list);
	assert_int_equal(where_list_parse(&list, "1s,\x1b[31m", &why), -EINVAL);
	assert_null(strchr(why.text, '\x1b'));
	where_list_free(&list);
}

static int read_text(const char *text, size_t length, struct where_list *list, struct words *why)
{
	FILE *in = fmemopen((void *)text, length, "r");
	int ret;

	assert_non_null(in);
	*list = (struct where_list){ 0 };
	*why = (struct words){ 0 };
	ret = where_list_read(list, in, why);
	fclose(in);
	return ret;
}

static void files_have_a_place_a_line(void **state)
{
	static const char good[] = "# head\n1s\n\n \t2s # two\r\n0:3#three\n4b";
	char longest[1000];
	struct where_list list;
	struct words why;

	(void)state;
	assert_int_equal(read_text(good, strlen(good), &list, &why), 0);
	assert_int_equal(list.count, 4);
	assert_int_equal(list.v[3].unit, WHERE_BYTE);
	where_list_free(&list);
	assert_int_equal(read_text("1s\n2s 3s\n", 9, &list, &why), -EINVAL);
	assert_non_null(strstr(why.text, "line 2: "));
	where_list_free(&list);
	assert_int_equal(read_text("1s\n\0\n", 5, &list, &why), -EINVAL);
	where_list_free(&list);
	memset(longest, '1', sizeof(longest));
	assert_int_equal(read_text(longest, sizeof(longest), &list, &why), -EINVAL);
	where_list_free(&list);
	longest[0] = '#';
	memcpy(longest + 990, "\n77s\n", 5);
	assert_int_equal(read_text(longest, 995, &list, &why), 0);
	assert_int_equal(list.count, 1);
	where_list_free(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_form_is_understood),
		cmocka_unit_test(what_has_no_form_is_refused),
		cmocka_unit_test(lists_keep_their_order),
		cmocka_unit_test(files_have_a_place_a_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

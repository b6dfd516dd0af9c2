/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans with any edits: which fixes are left, and what is not a plan. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../repair/mend/base/fix_plan.h"
#include "options.h"

#define HEAD(fixes)                                                                                                    \
	"{\"type\":\"plan\",\"format\":1,\"xfsck\":\"" XFSCK_VERSION                                                   \
	"\",\"uuid\":\"f0e1d2c3-b4a5-4697-8877-00000000000f\",\"found\":\"00000000000000ff\",\"proven\":true,"         \
	"\"fixes\":" fixes "}\n"
#define ID_1	  "0000000000000001"
#define ID_2	  "fedcba9876543210"
#define IDS(list) "{\"type\":\"ids\",\"ids\":[" list "]}\n"
#define BOTH_IDS  IDS("\"" ID_1 "\",\"" ID_2 "\"")
#define FIX(id)	  "{\"type\":\"fix\",\"fix\":\"" id "\"}\n"

static bool reads(const char *text, size_t len, struct plan_ids *ids)
{
	struct json_in json = { .in = fmemopen((void *)text, len, "r") };
	bool good;

	assert_non_null(json.in);
	*ids = (struct plan_ids){ 0 };
	good = plan_read(&json, ids);
	json_in_free(&json);
	fclose(json.in);
	return good;
}

static bool is_plan(const char *text)
{
	struct plan_ids ids;
	const bool good = reads(text, strlen(text), &ids);

	plan_ids_free(&ids);
	return good;
}

static void fixes_that_are_left_are_known(void **state)
{
	static const char text[] = HEAD("2") BOTH_IDS "\n" FIX(ID_2);
	struct plan_ids ids;

	(void)state;
	assert_true(reads(text, strlen(text), &ids));
	assert_int_equal(ids.of.found, 255);
	assert_int_equal(ids.of.uuid[15], 15);
	assert_int_equal(ids.all.count, 2);
	assert_true(number_set_has(&ids.all, 1));
	assert_false(number_set_has(&ids.wanted, 1));
	assert_true(number_set_has(&ids.wanted, 0xfedcba9876543210));
	plan_ids_free(&ids);
}

static void lines_may_be_in_any_order_or_gone(void **state)
{
	(void)state;
	assert_true(is_plan(HEAD("2") BOTH_IDS FIX(ID_2) FIX(ID_1)));
	assert_true(is_plan(HEAD("2") IDS("\"" ID_1 "\"") IDS("\"" ID_2 "\"")));
	assert_true(is_plan(HEAD("2") BOTH_IDS FIX(ID_1) FIX(ID_1)));
	assert_true(is_plan(HEAD("0")));
}

static void what_is_no_plan(void **state)
{
	static const char *const texts[] = {
		"",
		"\n",
		"{}\n",
		"[]\n",
		"no JSON\n",
		"{\"type\":\"plan\"}\n",
		BOTH_IDS HEAD("2"),
		HEAD("-1"),
		HEAD("1.5"),
		HEAD("null"),
		HEAD("\"x\""),
		HEAD("18446744073709551616"),
		HEAD("2"),
		HEAD("2") FIX(ID_1),
		HEAD("2") IDS("\"" ID_1 "\""),
		HEAD("2") IDS("\"" ID_1 "\",\"" ID_1 "\""),
		HEAD("2") IDS("1,2"),
		HEAD("2") IDS("\"1\",\"2\""),
		HEAD("1") IDS("\"000000000000000G\""),
		HEAD("1") IDS("\"0000000000000001 \""),
		HEAD("1") BOTH_IDS,
		HEAD("2") "{\"type\":\"ids\",\"ids\":{}}\n",
		HEAD("2") "{\"type\":\"ids\",\"ids\":[]}\n{\"type\":\"ids\"}\n",
		HEAD("2") BOTH_IDS "{\"type\":\"fix\"}\n",
		HEAD("2") BOTH_IDS FIX("0000000000000002"),
		HEAD("2") BOTH_IDS "{\"type\":\"note\",\"fix\":\"" ID_1 "\"}\n",
		HEAD("2") BOTH_IDS "{\"type\":\"fix\",\"type\":\"fix\",\"fix\":\"" ID_1 "\"}\n",
		HEAD("2") BOTH_IDS FIX(ID_1) "{",
		HEAD("2") BOTH_IDS BOTH_IDS,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct plan_ids ids = { 0 };

		if (texts[i][0] && is_plan(texts[i]))
			fail_msg("%s", texts[i]);
		plan_ids_free(&ids);
	}
}

static void endless_lines_take_no_memory(void **state)
{
	const size_t len = 3 * (size_t)JSON_IN_LINE;
	char *text = malloc(len);
	struct plan_ids ids;

	(void)state;
	assert_non_null(text);
	memset(text, '[', len);
	assert_false(reads(text, len, &ids));
	plan_ids_free(&ids);
	memset(text, 0, len);
	assert_false(reads(text, len, &ids));
	plan_ids_free(&ids);
	free(text);
}

static void every_prefix_is_read_without_harm(void **state)
{
	static const char text[] = HEAD("2") BOTH_IDS FIX(ID_1) FIX(ID_2);

	(void)state;
	for (size_t len = 1; len < strlen(text); len++) {
		struct plan_ids ids;
		char *copy = malloc(len);

		assert_non_null(copy);
		memcpy(copy, text, len);
		/* a truncated plan is valid only at the end of a line, with all required lines */
		if (reads(copy, len, &ids))
			assert_true(ids.all.count == 2);
		plan_ids_free(&ids);
		free(copy);
	}
}

static void deep_nesting_is_refused(void **state)
{
	const size_t depth = 100000;
	char *text = malloc(depth + 10);
	struct plan_ids ids;

	(void)state;
	assert_non_null(text);
	memcpy(text, "{\"a\":", 5);
	memset(text + 5, '[', depth);
	assert_false(reads(text, depth + 5, &ids));
	plan_ids_free(&ids);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixes_that_are_left_are_known),
		cmocka_unit_test(lines_may_be_in_any_order_or_gone),
		cmocka_unit_test(what_is_no_plan),
		cmocka_unit_test(endless_lines_take_no_memory),
		cmocka_unit_test(every_prefix_is_read_without_harm),
		cmocka_unit_test(deep_nesting_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports about several images: areas, escapes, and results from lines of JSON, also from truncated ones. */
#include <stdlib.h>
#include <string.h>

#include "front/several/escape.h"
#include "front/several/image_reports.h"
#include "report.h"
#include "reported.h"

static void each_finding_belongs_to_an_area(void **state)
{
	bool used[AREA_NR] = { false };

	(void)state;
	for (enum finding i = 0; i < FINDING_NR; i++) {
		if (area_of(i) == AREA_NR)
			fail_msg("%s is in no area", finding_id(i));
		used[area_of(i)] = true;
	}
	for (enum area area = 0; area < AREA_NR; area++)
		assert_true(used[area]);
	assert_int_equal(area_of(F_AGF_FREEBLKS_COUNT), AREA_GROUPS);
	assert_int_equal(area_of(F_INODE_NLINK_COUNT), AREA_INODES);
}

static char *escaped(const char *text, enum escape how, bool all)
{
	size_t size;
	char *result;
	FILE *out = open_memstream(&result, &size);

	if (all)
		escape_text(out, text, how);
	else
		escape_line(out, text, how);
	fclose(out);
	return result;
}

static void assert_escaped(const char *text, enum escape how, const char *expected)
{
	char *result = escaped(text, how, false);

	assert_string_equal(result, expected);
	free(result);
}

static void what_means_something_is_escaped(void **state)
{
	char *all = escaped("a\n<b>\n", ESCAPE_XML, true);
	size_t size;
	FILE *out;

	(void)state;
	assert_string_equal(all, "a\n&lt;b&gt;\n");
	free(all);
	size = 0;
	out = open_memstream(&all, &size);
	escape_name(out, "a\n<b>", ESCAPE_XML);
	fclose(out);
	assert_string_equal(all, "a\\x0a&lt;b&gt;");
	free(all);
	assert_escaped("a<b>&\"c\"]]>'\\", ESCAPE_XML, "a&lt;b&gt;&amp;&quot;c&quot;]]&gt;'\\");
	assert_escaped("a # SKIP \\", ESCAPE_TAP, "a \\# SKIP \\\\");
	assert_escaped("\"a\\", ESCAPE_YAML, "\\\"a\\\\");
	assert_escaped("<\"#\\", ESCAPE_NONE, "<\"#\\");
	assert_escaped("first\nsecond", ESCAPE_YAML, "first");
	assert_escaped("\x01\x7f\xff", ESCAPE_XML, "\\x01\\x7f\\xff");
	assert_escaped("\t", ESCAPE_YAML, "\\\\x09");
	assert_escaped("\xef\xbf\xbe\xed\xa0\x80", ESCAPE_XML, "\\xef\\xbf\\xbe\\xed\\xa0\\x80"); /* U+FFFE, D800 */
	assert_escaped("gr\xc3\xbc", ESCAPE_XML, "gr\xc3\xbc");
}

/* True if all bytes are UTF-8 of characters that XML 1.0 (production 2) allows, none of which begins markup. */
static bool is_xml_text(const char *text)
{
	for (const uint8_t *at = (const uint8_t *)text; *at;) {
		const unsigned extra = *at < 0x80 ? 0 : *at < 0xe0 ? 1 : *at < 0xf0 ? 2 : 3;
		uint32_t code = extra ? *at & (0x3fu >> extra) : *at;

		if (*at >= 0x80 && *at < 0xc2)
			return false;
		for (unsigned i = 1; i <= extra; i++) {
			if ((at[i] & 0xc0) != 0x80)
				return false;
			code = code << 6 | (at[i] & 0x3f);
		}
		if ((code < 0x20 && code != '\n' && code != '\t') || (code >= 0xd800 && code < 0xe000) ||
		    code == 0xfffe || code == 0xffff || code > 0x10ffff || code == '<' || code == '"')
			return false;
		at += extra + 1;
	}
	return true;
}

static void any_bytes_become_text_of_xml(void **state)
{
	static const char *const pieces[] = { "\xed\xa0\x80", "\xef\xbf\xbf", "\xf4\x90\x80\x80", "\xc0\x80",
					      "&#0;",	      "]]>",	      "\xf0\x9f\x98\x80" };
	uint32_t random = 1;

	(void)state;
	for (unsigned round = 0; round < 20000; round++) {
		char text[24] = "";
		char *result;
		size_t length = 0;

		while (length < 16) {
			random = random * 1664525 + 1013904223;
			if (random >> 30) {
				text[length++] = (char)((random >> 8 & 0xff) ? random >> 8 : 1);
				continue;
			}
			length +=
				(size_t)snprintf(text + length, sizeof(text) - length, "%s", pieces[(random >> 8) % 7]);
		}
		text[length] = 0;
		result = escaped(text, ESCAPE_XML, true);
		if (!is_xml_text(result))
			fail_msg("round %u: %s", round, result);
		free(result);
	}
}

/* Returns the result of an image from its lines of JSON. */
static struct image_result result_of(const char *const *lines, int exit_status)
{
	struct image_result r;

	image_result_begin(&r, "an.img");
	for (; *lines; lines++) {
		json_t *line = json_loads(*lines, 0, NULL);

		assert_non_null(line);
		image_result_take(&r, line);
		json_decref(line);
	}
	r.exit_status = exit_status;
	image_result_settle(&r);
	return r;
}

#define FOUND(id)   "{\"type\":\"finding\",\"id\":\"" id "\",\"where\":\"AG 1\",\"message\":\"it is <so>\"}"
#define SUMMARY	    "{\"type\":\"summary\",\"complete\":true,\"log\":\"clean\",\"seconds\":1.5}"
#define SUMMARY_LOG "{\"type\":\"summary\",\"complete\":true,\"log\":\"dirty\",\"seconds\":1.5}"

static char *junit_of(const struct image_result *r)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	report_junit.image(out, r, 0);
	fclose(out);
	return text;
}

static void assert_tests(const struct image_result *r, enum verdict verdict, unsigned failed, unsigned errors,
			 unsigned skipped)
{
	const struct image_tests tests = image_tests(r);
	char *junit = junit_of(r), expected[128];

	assert_int_equal(image_result_verdict(r), verdict);
	assert_int_equal(tests.failed, failed);
	assert_int_equal(tests.errors, errors);
	assert_int_equal(tests.skipped, skipped);
	snprintf(expected, sizeof(expected), " tests=\"%d\" failures=\"%u\" errors=\"%u\" skipped=\"%u\"", AREA_NR + 1,
		 failed, errors, skipped);
	assert_non_null(strstr(junit, expected));
	free(junit);
}

static void a_clean_image_passes_all_tests(void **state)
{
	struct image_result r = result_of((const char *const[]){ FOUND("sb.features2.copy"), SUMMARY, NULL }, 0);

	(void)state;
	assert_tests(&r, VERDICT_CLEAN, 0, 0, 0);
	image_result_free(&r);
}

static void harm_fails_the_test_of_its_area(void **state)
{
	struct image_result r =
		result_of((const char *const[]){ FOUND("agf.freeblks.count"), FOUND("agf.longest"), FOUND("no.such.id"),
						 "{\"type\":\"more\",\"id\":\"dir.entry.dangling\",\"count\":1234}",
						 SUMMARY, NULL },
			  1);
	struct image_row row = image_row(&r);
	char *junit = junit_of(&r);

	(void)state;
	assert_tests(&r, VERDICT_DAMAGED, 2, 0, 0);
	assert_int_equal(image_result_harm(&r, AREA_GROUPS), 2);
	assert_int_equal(image_result_harm(&r, AREA_DIRECTORIES), 1234);
	assert_non_null(strstr(row.words.text, "dir.entry.dangling 1,234"));
	assert_non_null(strstr(junit, "agf.longest: AG 1: it is &lt;so&gt;\n"));
	assert_non_null(strstr(junit, "classname=\"xfsck.an_img\" name=\"allocation groups\""));
	free(junit);
	image_result_free(&r);
}

static void a_check_that_does_not_come_to_everything_is_an_error(void **state)
{
	const struct {
		const char *lines[4];
		int exit_status;
		unsigned failed;
		const char *why;
	} cases[] = {
		{ { NULL }, 1, 0, "was not completed" },
		{ { FOUND("agf.longest"), NULL }, 1, 1, "was not completed" },
		{ { FOUND("sb.none"), SUMMARY, NULL }, 1, 1, "sb.none: AG 1" },
		{ { SUMMARY_LOG, NULL }, 2, 0, "the log is dirty" },
		{ { "{\"type\":\"trouble\",\"message\":\"it is gone\"}", "{\"type\":\"summary\",\"complete\":false}",
		    NULL },
		  1,
		  0,
		  "it is gone" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct image_result r = result_of(cases[i].lines, cases[i].exit_status);

		assert_tests(&r, VERDICT_UNCHECKED, cases[i].failed, 1, AREA_NR - cases[i].failed);
		assert_non_null(strstr(image_result_why(&r), cases[i].why));
		image_result_free(&r);
	}
}

static void a_status_without_a_finding_is_told(void **state)
{
	struct image_result r = result_of((const char *const[]){ SUMMARY, NULL }, 1);

	(void)state;
	assert_tests(&r, VERDICT_DAMAGED, 1, 0, 0);
	image_result_free(&r);
}

static void of_many_lines_the_first_are_kept(void **state)
{
	struct image_result r;
	json_t *line = json_loads(FOUND("block.crc"), 0, NULL);
	char *junit;

	(void)state;
	image_result_begin(&r, "an.img");
	for (unsigned i = 0; i < LINES_MOST + 1000; i++)
		image_result_take(&r, line);
	json_decref(line);
	image_result_settle(&r);
	junit = junit_of(&r);
	assert_int_equal(image_result_harm(&r, AREA_BLOCKS), LINES_MOST + 1000);
	assert_non_null(strstr(junit, "and 1,000 more"));
	free(junit);
	image_result_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_finding_belongs_to_an_area),
		cmocka_unit_test(what_means_something_is_escaped),
		cmocka_unit_test(any_bytes_become_text_of_xml),
		cmocka_unit_test(a_clean_image_passes_all_tests),
		cmocka_unit_test(harm_fails_the_test_of_its_area),
		cmocka_unit_test(a_check_that_does_not_come_to_everything_is_an_error),
		cmocka_unit_test(a_status_without_a_finding_is_told),
		cmocka_unit_test(of_many_lines_the_first_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

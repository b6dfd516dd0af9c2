/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page: whatever is written to it is text, except for its own tags, and stands in a section that exists once. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../repair/report/html_out.h"
#include "reported.h"

/* Opens a page in a file of its own, whose name is stored in path. */
static struct html *begin(char *path, const char *device, struct options *options)
{
	static const char name[] = "/tmp/test_html.XXXXXX";
	struct html *html = NULL;

	memcpy(path, name, sizeof(name));
	assert_int_equal(close(mkstemp(path)), 0);
	*options = (struct options){ .program = "xfsck", .device = device, .html = path };
	assert_int_equal(html_open(options, stderr, &html), 0);
	assert_non_null(html);
	return html;
}

/* Closes it.  Returns its contents, which the caller frees. */
static char *end(struct html *html, const char *path)
{
	char *text = calloc(1, 1 << 17);
	FILE *file;

	assert_int_equal(html_close(html), 0);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_true(fread(text, 1, (1 << 17) - 1, file) > 0);
	fclose(file);
	unlink(path);
	return text;
}

static void a_text_can_not_become_a_tag(void **state)
{
	char path[32];
	struct options options;
	struct html *html = begin(path, "/dev/\"a'&<b>", &options);
	char *text;

	(void)state;
	html_note(html, "<script>\x01 \xff & caf\xc3\xa9");
	text = end(html, path);
	assert_non_null(strstr(text, "<title>xfsck: /dev/&quot;a&#39;&amp;&lt;b&gt;</title>"));
	assert_non_null(strstr(text, "<p>&lt;script&gt;&#xfffd; &#xfffd; &amp; caf\xc3\xa9</p>"));
	free(text);
}

static void a_section_that_is_gone_on_with_has_one_heading(void **state)
{
	char path[32];
	struct options options;
	struct html *html = begin(path, "d", &options);
	const char *first;
	char *text;

	(void)state;
	html_excess(html, F_AGF_LENGTH, 1234567);
	html_note(html, "between");
	html_excess(html, F_AGF_LENGTH, 8);
	text = end(html, path);
	assert_non_null(strstr(text, "<li>and 1,234,567 more: "));
	assert_non_null(strstr(text, "<li>and 8 more: "));
	first = strstr(text, "<section id=\"wrong\"");
	assert_non_null(first);
	assert_null(strstr(first + 1, "<section id=\"wrong\""));
	assert_non_null(strstr(first, "<section class=\"wrong\">"));
	free(text);
}

/* The stream has no memory before its first line, and moves it after a line longer than all before. */
static void a_line_is_there_wherever_its_memory_goes(void **state)
{
	char path[32];
	struct options options;
	struct html *html = begin(path, "d", &options);
	char *text, longer[20001] = "";

	(void)state;
	memset(longer, 'x', sizeof(longer) - 1);
	html_enter(html, HTML_NOTES);
	fputs("first", html_line(html));
	html_line_end(html);
	fputs(longer, html_line(html));
	html_line_end(html);
	text = end(html, path);
	assert_non_null(strstr(text, "first"));
	assert_non_null(strstr(text, longer));
	free(text);
}

static void a_short_text_has_nothing_of_a_longer_one_before(void **state)
{
	char path[32];
	struct options options;
	struct html *html = begin(path, "d", &options);
	char *text;

	(void)state;
	html_enter(html, HTML_NOTES);
	fputs("  a long line\n  and another", html_line(html));
	html_lines_end(html, "<p>", "</p>");
	fputs("short", html_line(html));
	html_line_end(html);
	html_lines_end(html, "<p>", "</p>");
	text = end(html, path);
	assert_non_null(strstr(text, "<p>a long line</p><p>and another</p>short<p>short</p></section>"));
	free(text);
}

static void no_page_is_asked_for_and_none_is_made(void **state)
{
	const struct options options = { .program = "xfsck", .device = "d" };
	struct html *html = NULL;

	(void)state;
	assert_int_equal(html_open(&options, stderr, &html), 0);
	assert_null(html);
	html_note(html, "to nobody");
	assert_null(html_map(html));
	assert_int_equal(html_close(html), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_can_not_become_a_tag),
		cmocka_unit_test(a_section_that_is_gone_on_with_has_one_heading),
		cmocka_unit_test(a_line_is_there_wherever_its_memory_goes),
		cmocka_unit_test(a_short_text_has_nothing_of_a_longer_one_before),
		cmocka_unit_test(no_page_is_asked_for_and_none_is_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --report=tap: TAP version 13, which readers of version 14 accept. The tests are those of --report=junit, named with
 * the image in front. A YAML block after a failed test lists the findings.
 */
#include <string.h>

#include "escape.h"
#include "image_reports.h"

static void begin(FILE *out, unsigned images)
{
	fprintf(out, "TAP version 13\n1..%u\n", images * (AREA_NR + 1));
}

/* "ok 3 - a.img: log" */
static void put_test(FILE *out, const struct image_result *r, unsigned number, bool passed, const char *name)
{
	fprintf(out, "%s %u - ", passed ? "ok" : "not ok", number);
	escape_name(out, r->device, ESCAPE_TAP);
	fprintf(out, ": %s", name);
}

/* "  message: "..."" */
static void put_string(FILE *out, const char *key, const char *value)
{
	fprintf(out, "  %s: \"", key);
	escape_line(out, value, ESCAPE_YAML);
	fputs("\"\n", out);
}

/*
 * Writes lines as a literal block, which needs no escapes. A list of strings would be easier to read, but perl's
 * TAP::Parser takes "a: b" in one for a mapping, even in quotation marks.
 */
static void put_lines(FILE *out, const char *key, const struct few_lines *lines)
{
	const char *end;

	if (!lines->text)
		return;
	fprintf(out, "  %s: |\n", key);
	for (const char *at = lines->text; *at; at = end + (*end == '\n')) {
		end = at + strcspn(at, "\n");
		if (end == at)
			continue;
		fputs("    ", out);
		escape_line(out, at, ESCAPE_NONE);
		fputc('\n', out);
	}
	if (lines->count > LINES_MOST) {
		fputs("    ", out);
		few_lines_rest(lines, out);
	}
}

static void put_why(FILE *out, const struct image_result *r, const char *message, const char *severity, const char *key,
		    const struct few_lines *lines)
{
	fputs("\n  ---\n", out);
	put_string(out, "message", message);
	put_string(out, "severity", severity);
	fputs("  image: \"", out);
	escape_name(out, r->device, ESCAPE_YAML);
	fputs("\"\n", out);
	if (lines)
		put_lines(out, key, lines);
	fputs("  ...\n", out);
}

static void put_whole(FILE *out, const struct image_result *r, unsigned number)
{
	const char *why = image_result_why(r);
	const bool error = image_result_verdict(r) == VERDICT_UNCHECKED;

	put_test(out, r, number, !why, IMAGE_WHOLE);
	if (why)
		put_why(out, r, why, error ? "error" : "fail", "troubles", error ? &r->troubles : NULL);
	else
		fputc('\n', out);
}

static void put_area(FILE *out, const struct image_result *r, unsigned number, enum area area)
{
	const bool passed = !image_result_harm(r, area);
	struct words message = { 0 };

	put_test(out, r, number, passed, area_name(area));
	if (!passed) {
		image_result_add_ids(r, area, &message);
		put_why(out, r, message.text, "fail", "findings", &r->areas[area]);
	} else {
		fputs(image_result_skipped(r, area) ? " # SKIP " IMAGE_SKIPPED "\n" : "\n", out);
	}
}

static void put_image(FILE *out, const struct image_result *r, unsigned number)
{
	unsigned test = number * (AREA_NR + 1);

	put_whole(out, r, ++test);
	for (enum area area = 0; area < AREA_NR; area++)
		put_area(out, r, ++test, area);
}

const struct image_form report_tap = { .begin = begin, .image = put_image };

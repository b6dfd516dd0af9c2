/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --report=junit: an image is a test suite, and each area of it a test. There is no standard; this is what both common
 * schemas allow, that of Ant's JUnit task (windyroad's JUnit.xsd) and that of Jenkins' xUnit plugin (junit-10.xsd).
 * Hence <testsuites> has no attributes, times have no zone, and a test has no output of its own.
 */
#define _GNU_SOURCE 1

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "escape.h"
#include "image_reports.h"

/* " name="value"" */
static void put_attribute(FILE *out, const char *name, const char *value)
{
	fprintf(out, " %s=\"", name);
	escape_name(out, value, ESCAPE_XML);
	fputc('"', out);
}

static void put_number(FILE *out, const char *name, uint64_t number)
{
	fprintf(out, " %s=\"%" PRIu64 "\"", name, number);
}

static void put_host(FILE *out, const struct image_result *r)
{
	char host[256] = "";

	if (r->host[0])
		strcpy(host, r->host);
	else if (gethostname(host, sizeof(host) - 1) || !host[0])
		strcpy(host, "localhost");
	put_attribute(out, "hostname", host);
}

static void begin(FILE *out, unsigned images)
{
	(void)images;
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", out);
}

static void end(FILE *out, const struct image_row *rows, unsigned count)
{
	(void)rows;
	(void)count;
	fputs("</testsuites>\n", out);
}

static void put_property(FILE *out, const char *name, const char *value)
{
	fprintf(out, "      <property name=\"%s\"", name);
	put_attribute(out, "value", value);
	fputs("/>\n", out);
}

static void put_properties(FILE *out, const struct image_result *r)
{
	char number[24];

	fputs("    <properties>\n", out);
	put_property(out, "xfsck", XFSCK_VERSION);
	snprintf(number, sizeof(number), "%d", r->exit_status);
	put_property(out, "exit_status", number);
	if (r->device_bytes) {
		snprintf(number, sizeof(number), "%" PRIu64, r->device_bytes);
		put_property(out, "device_bytes", number);
	}
	if (r->uuid[0])
		put_property(out, "uuid", r->uuid);
	fputs("    </properties>\n", out);
}

/*
 * Writes the beginning of a test. Servers split its class at the last dot into a package and a class, so dots in file
 * names become underscores.
 */
static void begin_case(FILE *out, const struct image_result *r, const char *name, double seconds)
{
	char *class;

	if (asprintf(&class, "%s%s%s", r->host, r->host[0] ? ":" : "", r->device) < 0)
		class = NULL;
	fputs("    <testcase classname=\"xfsck.", out);
	for (char *dot = class ? strchr(class, '.') : NULL; dot; dot = strchr(dot, '.'))
		*dot = '_';
	escape_name(out, class ? class : "", ESCAPE_XML);
	free(class);
	fputc('"', out);
	put_attribute(out, "name", name);
	fprintf(out, " time=\"%.3f\"", seconds);
}

/* Writes the rest of a test that did not pass. */
static void put_outcome(FILE *out, const char *element, const char *type, const char *message,
			const struct few_lines *lines)
{
	fprintf(out, ">\n      <%s", element);
	put_attribute(out, "type", type);
	fputs(" message=\"", out);
	escape_line(out, message, ESCAPE_XML);
	fputs("\">", out);
	if (lines && lines->text)
		escape_text(out, lines->text, ESCAPE_XML);
	if (lines)
		few_lines_rest(lines, out);
	fprintf(out, "</%s>\n    </testcase>\n", element);
}

static void put_whole(FILE *out, const struct image_result *r)
{
	const char *why = image_result_why(r);
	const bool error = image_result_verdict(r) == VERDICT_UNCHECKED;

	begin_case(out, r, IMAGE_WHOLE, r->seconds);
	if (why)
		put_outcome(out, error ? "error" : "failure", error ? "unchecked" : "damage", why,
			    error ? &r->troubles : NULL);
	else
		fputs("/>\n", out);
}

static void put_area(FILE *out, const struct image_result *r, enum area area)
{
	struct words message = { 0 };
	char type[64];

	begin_case(out, r, area_name(area), 0);
	if (image_result_harm(r, area)) {
		image_result_add_ids(r, area, &message);
		snprintf(type, sizeof(type), "%.*s", (int)strcspn(message.text, " "), message.text);
		put_outcome(out, "failure", type, message.text, &r->areas[area]);
	} else if (image_result_skipped(r, area)) {
		fputs("><skipped message=\"" IMAGE_SKIPPED "\"/></testcase>\n", out);
	} else {
		fputs("/>\n", out);
	}
}

static void put_output(FILE *out, const char *element, const struct few_lines *lines)
{
	fprintf(out, "    <%s>", element);
	if (lines->text)
		escape_text(out, lines->text, ESCAPE_XML);
	few_lines_rest(lines, out);
	fprintf(out, "</%s>\n", element);
}

static void put_image(FILE *out, const struct image_result *r, unsigned number)
{
	const struct image_tests tests = image_tests(r);

	fputs("  <testsuite", out);
	put_attribute(out, "name", r->device);
	put_attribute(out, "package", "xfsck");
	put_number(out, "id", number);
	put_host(out, r);
	fprintf(out, " timestamp=\"%.19s\"", r->start);
	put_number(out, "tests", AREA_NR + 1);
	put_number(out, "failures", tests.failed);
	put_number(out, "errors", tests.errors);
	put_number(out, "skipped", tests.skipped);
	fprintf(out, " time=\"%.3f\">\n", r->seconds);
	put_properties(out, r);
	put_whole(out, r);
	for (enum area area = 0; area < AREA_NR; area++)
		put_area(out, r, area);
	put_output(out, "system-out", &r->notes);
	put_output(out, "system-err", &r->troubles);
	fputs("  </testsuite>\n", out);
}

const struct image_form report_junit = { .begin = begin, .image = put_image, .end = end };

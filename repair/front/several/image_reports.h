/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is made of the results of images: reports for servers that show tests, and for people. */
#ifndef XFSCK_REPAIR_IMAGE_REPORTS_H
#define XFSCK_REPAIR_IMAGE_REPORTS_H

#include "image_result.h"
#include "options.h"
#include "report/json_out.h"

/* The name of the test that stands for the check as a whole, which is the first of an image. */
#define IMAGE_WHOLE "check"
/* Why the test of an area says nothing. */
#define IMAGE_SKIPPED "the check did not come to it"

/* How many of the AREA_NR + 1 tests of an image did not pass. */
struct image_tests {
	unsigned failed, errors, skipped;
};
struct image_tests image_tests(const struct image_result *result);

/* Write how many lines were left out, if any. */
void few_lines_rest(const struct few_lines *lines, FILE *out);

/* What is kept of each image until the end. */
struct image_row {
	const char *device;
	char host[IMAGE_HOST]; /* as in struct image_result */
	enum verdict verdict;
	int exit_status;
	uint64_t findings;		   /* that are harmful */
	uint64_t severities[SEV_NOTE + 1]; /* of all */
	uint64_t device_bytes;
	double seconds;
	char start[RUN_CLOCK_TEXT];
	char uuid[40];	    /* "": not known */
	struct words words; /* what is wrong; "": nothing is */
};
struct image_row image_row(const struct image_result *result);

/* A report for programs, by its format. */
struct image_form {
	void (*begin)(FILE *out, unsigned images); /* NULL: nothing is written before the end */
	void (*image)(FILE *out, const struct image_result *result, unsigned number); /* number: of this one, from 0 */
	void (*end)(FILE *out, const struct image_row *rows, unsigned count);
	bool replaces; /* readers may come at any time: the file is the old one until the new one is whole */
};
extern const struct image_form report_junit, report_tap, report_metrics;

/* image_summary.c: the heading of an image in a text, and the end of a text: a line for each image, or each that
 * is damaged or unchecked, and one for all */
void image_heading(FILE *out, const char *device);
void image_summary_text(FILE *out, const struct image_row *rows, unsigned count, bool exceptions);
/* Add "3 images: 2 clean, 1 damaged, 0 unchecked". Returns whether none is damaged or unchecked. */
bool image_counts_add(const struct image_row *rows, unsigned count, struct words *words);
/* image_page.c: the same as a page */
void image_page(FILE *out, const struct image_row *rows, unsigned count);
/* The same as the last line of JSON.  exit_status: of all. */
void image_summary_json(struct report_json *json, const struct image_row *rows, unsigned count, int exit_status);

#endif

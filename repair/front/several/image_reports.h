/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports about images: for test servers, for monitors, and for people. */
#ifndef XFSCK_REPAIR_IMAGE_REPORTS_H
#define XFSCK_REPAIR_IMAGE_REPORTS_H

#include "image_result.h"
#include "report/json_out.h"

/* The name of the first test of an image: the check as a whole. */
#define IMAGE_WHOLE "check"
/* Why the test of an area was skipped. */
#define IMAGE_SKIPPED "the check did not come to it"

/* How many of the AREA_NR + 1 tests of an image did not pass. */
struct image_tests {
	unsigned failed, errors, skipped;
};
struct image_tests image_tests(const struct image_result *result);

/* Prints how many lines were left out, if any. */
void few_lines_rest(const struct few_lines *lines, FILE *out);

/* What is kept of each image until the end. */
struct image_row {
	const char *device;
	char host[IMAGE_HOST]; /* as in struct image_result */
	enum verdict verdict;
	int exit_status;
	uint64_t findings;		   /* harmful ones */
	uint64_t severities[SEV_NOTE + 1]; /* of all findings */
	uint64_t device_bytes;
	double seconds;
	char start[RUN_CLOCK_TEXT];
	char uuid[40];	    /* "": not known */
	struct words words; /* what is wrong; "": nothing */
};
struct image_row image_row(const struct image_result *result);

/* A format of reports for programs. */
struct image_form {
	void (*begin)(FILE *out, unsigned images); /* NULL: nothing is written before the end */
	void (*image)(FILE *out, const struct image_result *result, unsigned number); /* number: of this one, from 0 */
	void (*end)(FILE *out, const struct image_row *rows, unsigned count);
	bool replaces; /* the old file stays until the new one is complete: it may be read at any time */
};
extern const struct image_form report_junit, report_tap, report_metrics;

/* image_summary.c: print a heading; a line per image (exceptions: only damaged or unchecked ones) and one for all */
void image_heading(FILE *out, const char *device);
void image_summary_text(FILE *out, const struct image_row *rows, unsigned count, bool exceptions);
/* Adds "3 images: 2 clean, 1 damaged, 0 unchecked". True if none is damaged or unchecked. */
bool image_counts_add(const struct image_row *rows, unsigned count, struct words *words);
/* image_page.c: the same as a page */
void image_page(FILE *out, const struct image_row *rows, unsigned count);
/* Writes the summary as the last JSON line. exit_status: of the whole run. */
void image_summary_json(struct report_json *json, const struct image_row *rows, unsigned count, int exit_status);

#endif

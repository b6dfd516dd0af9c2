/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a report holds while it is open, for the two files that fill it: report.c and report_told.c. */
#ifndef XFSCK_REPAIR_REPORT_STATE_H
#define XFSCK_REPAIR_REPORT_STATE_H

#include "outcome.h"
#include "report.h"
#include "run_clock.h"
#include "sections.h"

struct html;
struct progress;
struct report_json;

struct report {
	const struct options *options;
	FILE *out;		  /* standard output */
	FILE *text;		  /* NULL: JSON goes to standard output in place of the text */
	struct sections sections; /* of the text */
	FILE *err;
	bool watched;		  /* standard output is a terminal */
	struct report_json *json; /* NULL: none */
	struct report_json
		*answers;  /* where answers go as JSON; NULL: nowhere; a report within a run has that of the run */
	FILE *nowhere;	   /* where the text of answers goes if there is none; NULL: there is */
	struct html *html; /* NULL: none */
	struct html *page; /* where answers go as a page; as `answers` */
	struct progress *progress; /* NULL: none; a report within a run has that of the run */
	struct run_clock clock;
	uint64_t device_bytes[ROLE_NR]; /* 0: not opened yet */

	unsigned phase;
	const char *title; /* of the phase; NULL: between phases */
	struct run_clock phase_clock;
	uint64_t phase_read, phase_kept; /* bytes */

	struct outcome outcome; /* what is known of it so far; it owns `undo`, `preview`, `why` and `advice` */
	bool told[FINDING_NR];	/* ids that the report has used */
	bool trouble;
	int text_error; /* negative errno, the first */
};

/* To be called before something is printed, since there may be a progress line; one of the others after it. */
void report_begin_output(struct report *r);
void report_end_output(struct report *r);
/* The same after one line of many, which need not be flushed unless somebody is watching. */
void report_end_line(struct report *r);

#endif

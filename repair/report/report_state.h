/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of an open report, for report.c and report_events.c. */
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
	FILE *text;		  /* the text report; NULL: none */
	struct sections sections; /* of the text */
	FILE *err;
	bool watched;		     /* standard output is a terminal */
	struct report_json *json;    /* NULL: none */
	struct report_json *answers; /* JSON for answers to queries; NULL: none; reports within a run share it */
	FILE *nowhere;		     /* sink for the text of answers if there is no text report; NULL: not in use */
	struct html *html;	     /* NULL: none */
	struct html *page;	     /* page for answers; NULL: none; shared likewise */
	struct progress *progress;   /* NULL: none; shared likewise */
	struct run_clock clock;
	uint64_t device_bytes[ROLE_NR]; /* 0: not opened yet */

	unsigned phase;
	const char *title; /* title of the phase; NULL: between phases */
	struct run_clock phase_clock;
	uint64_t phase_read, phase_kept; /* bytes read from devices, and reused */

	struct outcome outcome;	   /* what is known so far; owns `undo`, `preview`, `why` and `advice` */
	bool reported[FINDING_NR]; /* ids used in the report */
	bool trouble;
	int text_error; /* the first negative errno */
};

/* Call this before printing, since it clears the progress line, and one of the next two afterwards. */
void report_begin_output(struct report *r);
void report_end_output(struct report *r);
/* The same after one of many lines, which is flushed only if standard output is a terminal. */
void report_end_line(struct report *r);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the program under test. */
#ifndef PROPERTY_CHECKER_H
#define PROPERTY_CHECKER_H

#include <stdbool.h>
#include <stddef.h>

enum outcome {
	OUTCOME_CLEAN,
	OUTCOME_FOUND,	 /* findings */
	OUTCOME_REFUSED, /* an error message instead: it is not a supported file system */
	OUTCOME_DIRTY,	 /* the log waits for replay */
	OUTCOME_BROKEN,	 /* a crash, a hang, any other exit status */
};

struct verdict {
	enum outcome outcome;
	unsigned cpu_ms;    /* processor time */
	unsigned peak_kib;  /* memory */
	char ending[64];    /* in words */
	char output[16384]; /* the beginning of its output */
};

/* To be called once, before the first run. */
void checker_init(void);

#define CHECKER_OPTIONS_MAX 8

/*
 * Checks an image, with these options after -n: up to CHECKER_OPTIONS_MAX, then NULL.  Ends our program if the other
 * can't be started.
 */
void checker_run(const char *program, const char *const *options, const char *image, struct verdict *ret_verdict);

#endif

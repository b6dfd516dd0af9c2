/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks several file systems in one run, and writes reports for programs (--report). A process of its own checks each,
 * so that a crash or a lack of memory affects no other. Its report is read back as JSON lines in a temporary file, from
 * which all outputs are made.
 */
#ifndef XFSCK_REPAIR_SEVERAL_H
#define XFSCK_REPAIR_SEVERAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "options.h"
#include "report/json_out.h"

struct image_result;
struct several;

/*
 * Hooks around each check, used by audits. Messages are sentences for the user, in `size` bytes; functions with a
 * message return 0 or negative errno.
 */
struct several_hooks {
	void *ctx;
	/* True if this check may start now. */
	bool (*may_start)(void *ctx, unsigned i);
	/* Changes the options of a check before its process starts. */
	int (*begin)(void *ctx, unsigned i, struct options *options, char *message, size_t size);
	void (*become)(void *ctx); /* in the new process, before its check */
	/* Called every few seconds while a check runs; an error ends it. */
	int (*look)(void *ctx, unsigned i, char *message, size_t size);
	/* Called when the process has ended, also if begin() failed; an error voids its results. */
	int (*end)(void *ctx, unsigned i, char *message, size_t size);
	/* take: gets each line of its report. judge: returns its final exit status. tell: prints after its text. */
	void (*take)(void *ctx, unsigned i, const json_t *line);
	int (*judge)(void *ctx, unsigned i, const struct image_result *result);
	void (*tell)(void *ctx, unsigned i, FILE *out, struct report_json *json); /* out may be NULL: no text */
};

/* True if the options ask for such a run. */
bool several_asked(const struct options *options);

/*
 * Opens the outputs. Text goes to out, unless a report takes its place; trouble: the exit status for trouble; hooks may
 * be NULL. All arguments must live until several_close(). 0, or a negative errno, with the reason printed to err.
 */
int several_open(const struct options *options, const struct several_hooks *hooks, int trouble, FILE *out, FILE *err,
		 struct several **ret_several);

/*
 * Starts one process after the other, --jobs at a time, and reports their results in the order of the command line.
 * True: this is one of these processes: it has only its own image, must check *ret_options, and argv has lost the other
 * devices. False: all have ended.
 */
bool several_fork(struct several *several, struct options *ret_options, int *argc, char **argv);

/*
 * Writes the end of the reports, and frees all. Returns the highest exit status of all checks, or that for trouble if a
 * report could not be written. If a signal stopped the run, ends the program instead.
 */
int several_close(struct several *several);

/*
 * --merge: reads the reports named by options->devices ("-": standard input), and writes the outputs; text goes to out.
 * True if all images are sound. *ret_error: 0, or a negative errno if a report could not be read or an output not be
 * written, with the reasons printed to err.
 */
bool merge_reports(const struct options *options, FILE *out, FILE *err, int *ret_error);

#endif

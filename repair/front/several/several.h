/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks of several file systems in one call, and reports for programs that run tests (--report).  Each is checked by a
 * process of its own, so that neither a crash nor a lack of memory takes the others along.  Its report comes back as
 * lines of JSON, in a temporary file, and all else is made of these.
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
 * What is done around each check, if its device is not simply what the command line names.  Messages are sentences for
 * the user, and have room for size bytes; functions that have one return 0 or a negative errno.
 */
struct several_hooks {
	void *ctx;
	/* Whether a check may start while others run. */
	bool (*may_start)(void *ctx, unsigned i);
	/* Before its process is started: change the options of the check. */
	int (*begin)(void *ctx, unsigned i, struct options *options, char *message, size_t size);
	void (*become)(void *ctx); /* first of all in that process */
	/* Every few seconds while it runs: whether it may go on. */
	int (*look)(void *ctx, unsigned i, char *message, size_t size);
	/* When the process has ended, also if begin() has failed: whether what it found counts. */
	int (*end)(void *ctx, unsigned i, char *message, size_t size);
	/* A line of its report, in turn; then the exit status that comes of all; then what is told behind its text. */
	void (*take)(void *ctx, unsigned i, const json_t *line);
	int (*judge)(void *ctx, unsigned i, const struct image_result *result);
	void (*tell)(void *ctx, unsigned i, FILE *out, struct report_json *json); /* out: NULL: no text is wanted */
};

/* True if such a call was asked for. */
bool several_asked(const struct options *options);

/*
 * Open the outputs.  Text goes to out, unless a report takes its place; trouble: the exit status that tells of it;
 * hooks: NULL: none.  All that is passed in must live until several_close().  0, or a negative errno, with the reason
 * printed to err.
 */
int several_open(const struct options *options, const struct several_hooks *hooks, int trouble, FILE *out, FILE *err,
		 struct several **ret_several);

/*
 * Start one process after the other, --jobs of them at a time, and tell in the order of the command line what they have
 * found.  True: this is such a process, which has forgotten the others, and checks what *ret_options name; the
 * arguments are those of its check: the other devices are taken out of them.  False: all have ended.
 */
bool several_fork(struct several *several, struct options *ret_options, int *argc, char **argv);

/*
 * Write the end of the reports, and free all.  Returns the highest exit status of all checks, or that of trouble if a
 * report could not be written.  Does not return if a signal asked for the end: then it ends the program.
 */
int several_close(struct several *several);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What earlier audits have found: the report of the last one of each file system, as --json has it, in a file that is
 * named by its UUID, with a line of type "audit" at its end.
 */
#ifndef XFSCK_REPAIR_AUDIT_HISTORY_H
#define XFSCK_REPAIR_AUDIT_HISTORY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "report/run_clock.h"

/* A report that is read, or put together line by line. Start with { 0 }. */
struct history {
	json_t *lines;		    /* as they are, for the next audit */
	json_t *findings;	    /* place and id -> what is wrong, of those that are harmful */
	char start[RUN_CLOCK_TEXT]; /* "": not known */
	char uuid[40];		    /* "": not known */
};

/* Take a line of a report. 0 or -ENOMEM. */
int history_take(struct history *history, const json_t *line);
/* Read a report.  -ENOENT: there is none; -EBADMSG: it is none; or another negative errno. */
int history_read(struct history *ret_history, const char *path);
/* Write it to a folder, which is made if only it is missing, in place of an earlier one. 0 or negative errno. */
int history_write(const struct history *history, const char *folder);
void history_free(struct history *history);

struct history_change {
	uint64_t fresh, gone, unchanged;
};

/* What is harmful now, and was not before, and so on; before may be empty. */
struct history_change history_compare(const struct history *before, const struct history *now);
/* Whether a finding, one of the keys of `findings`, is new. */
bool history_is_fresh(const struct history *before, const char *key);

/* The path of the report of a file system in a folder. Returns buf. */
#define HISTORY_PATH 4200
const char *history_path(const char *folder, const char *uuid, char buf[static HISTORY_PATH]);

#endif

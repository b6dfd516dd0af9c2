/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings of earlier audits: the last report of each file system, as from --json, in a file named by UUID that ends
 * with a line of type "audit".
 */
#ifndef XFSCK_REPAIR_AUDIT_HISTORY_H
#define XFSCK_REPAIR_AUDIT_HISTORY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "report/run_clock.h"

/* A report, read or built line by line. Start with { 0 }. */
struct history {
	json_t *lines;		    /* all lines, for the next audit */
	json_t *findings;	    /* place and id -> message, of harmful findings */
	char start[RUN_CLOCK_TEXT]; /* "": unknown */
	char uuid[40];		    /* "": unknown */
};

/* Adds a line of a report. 0 or -ENOMEM. */
int history_take(struct history *history, const json_t *line);
/* Reads a report. 0; -ENOENT: there is none; -EBADMSG: the file is not a report; or another negative errno. */
int history_read(struct history *ret_history, const char *path);
/* Writes it to a directory, which is created if its parent exists; replaces an earlier one. 0 or negative errno. */
int history_write(const struct history *history, const char *folder);
void history_free(struct history *history);

struct history_change {
	uint64_t fresh, gone, unchanged;
};

/* Compares harmful findings; before may be empty. */
struct history_change history_compare(const struct history *before, const struct history *now);
/* True if a finding, a key of `findings`, is new. */
bool history_is_fresh(const struct history *before, const char *key);

/* Builds the path of a file system's report in a directory. Returns buf. */
#define HISTORY_PATH 4200
const char *history_path(const char *folder, const char *uuid, char buf[static HISTORY_PATH]);

#endif

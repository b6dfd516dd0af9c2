/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects the directories that the workers meet, with where their `..` leads, and gives them back in order.
 *
 * Its state is a list of runs: each is what one worker met, sorted, and packed into some 4 to 8 bytes for each
 * directory.  A lane that has 64 thousand becomes a run.  Runs stay in memory up to a limit; what comes after that goes
 * to a temporary file, if there can be one.
 */
#ifndef XFSCK_REPAIR_DIR_RUNS_H
#define XFSCK_REPAIR_DIR_RUNS_H

#include "dir_table.h"

struct dir_runs;

/* lanes: threads that may add at the same time. NULL: out of memory. */
struct dir_runs *dir_runs_new(unsigned lanes);
void dir_runs_free(struct dir_runs *runs);
/* How many bytes of memory runs may take; to be called before anything is added. Without it there is no limit. */
void dir_runs_limit(struct dir_runs *runs, size_t bytes);

/* Add a directory; number: of the lane. An error shows in dir_runs_settle(). */
void dir_runs_add(struct dir_runs *r, unsigned number, struct dir_parent dir);
/* How many there are. While nothing is added. */
size_t dir_runs_total(const struct dir_runs *runs);
/* Call put() for each, in any order, as long as dir_runs_settle() was not called. 0, or the negative errno of either.
 */
int dir_runs_each(const struct dir_runs *runs, void (*put)(void *ctx, struct dir_parent dir), void *ctx);
/* When all have been added: make them ready for reading. 0, -ENOMEM, or the negative errno of the temporary file. */
int dir_runs_settle(struct dir_runs *runs);
/*
 * The next directory, by its number and then by that of its parent; its memory is given up.  1, 0 if there are no more,
 * or the negative errno of the temporary file.
 */
int dir_runs_next(struct dir_runs *runs, struct dir_parent *ret);
/* How many are in runs by now: all, or nearly all of those that have been added. Any thread may ask. */
uint64_t dir_runs_count(struct dir_runs *runs);
/* Bytes in the temporary file. */
uint64_t dir_runs_spilled(const struct dir_runs *runs);

#endif

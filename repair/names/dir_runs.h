/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects directories with their parents by `..`, and returns them in order.  The state is a list of runs: each has
 * the directories that one worker found, sorted, and packed into some 4 to 8 bytes each.  A lane of 64 thousand
 * directories becomes a run.  Runs stay in memory up to a limit; later ones go to a temporary file, if there can be
 * one.
 */
#ifndef XFSCK_REPAIR_DIR_RUNS_H
#define XFSCK_REPAIR_DIR_RUNS_H

#include "dir_table.h"

struct dir_runs;

/* Makes an empty collection.  workers: threads that may add at the same time.  Returns NULL if memory is out. */
struct dir_runs *dir_runs_new(unsigned workers);
void dir_runs_free(struct dir_runs *runs);
/* Sets the limit of memory for runs, in bytes; without it there is none.  Call it before anything is added. */
void dir_runs_limit(struct dir_runs *runs, size_t bytes);

/* Adds a directory.  worker: its number.  dir_runs_settle() returns errors. */
void dir_runs_add(struct dir_runs *r, unsigned worker, struct dir_parent dir);
/* Returns how many there are.  Nothing may be added meanwhile. */
size_t dir_runs_total(const struct dir_runs *runs);
/* Calls put() for each, in any order, before dir_runs_settle().  Returns 0 or a negative errno of memory or file. */
int dir_runs_each(const struct dir_runs *runs, void (*put)(void *ctx, struct dir_parent dir), void *ctx);
/* Makes the directories ready for reading, after the last one.  Returns 0 or a negative errno of memory or the file. */
int dir_runs_settle(struct dir_runs *runs);
/*
 * Reads the next directory, by its number and then its parent's, and frees its memory.  Returns 1, 0 if there are no
 * more, or a negative errno of the temporary file.
 */
int dir_runs_next(struct dir_runs *runs, struct dir_parent *ret);
/* Returns how many are in runs: nearly all that were added so far.  Any thread may call it. */
uint64_t dir_runs_count(struct dir_runs *runs);
/* Returns the bytes in the temporary file. */
uint64_t dir_runs_spilled(const struct dir_runs *runs);

#endif

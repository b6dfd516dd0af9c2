/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checkpoints of a check (-n): a file from which another run resumes. The books are sums, so the state of a check in
 * the middle of its sweep is small: sums, lists of findings, directories, and what is still to be read.
 *
 * The sweep is held from time to time, and when a signal stops the run (sweep_hold()): what was begun is finished, the
 * rest is set aside, and the state is written. A resumed run repeats the short phases before the sweep, and all phases
 * after it.
 */
#ifndef XFSCK_REPAIR_CHECKPOINT_H
#define XFSCK_REPAIR_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/interrupt.h"
#include "phases.h"

struct checkpoint;
struct repair;

/*
 * Opens the files of --checkpoint and --resume, once the device is open and before the sandbox. A resumed run gets the
 * hash key of the earlier one. rc->checkpoint stays NULL if neither option is given.
 */
enum phase_result checkpoint_open(struct repair *rc, int argc, char **argv);
/* Returns the descriptor of the checkpoint's directory; -1: no checkpoints. */
int checkpoint_folder(const struct checkpoint *c);
/* True if files in that directory must still be opened for writing. */
bool checkpoint_opens(const struct checkpoint *c);
/* For interrupt_advise(): ctx is a struct checkpoint. */
enum interrupt_end checkpoint_advise(void *ctx, char *words, size_t size);

/*
 * When resuming, before the device is read: rereads what the earlier run could not read. If any of it is readable now,
 * the check starts over. c may be NULL.
 */
enum phase_result checkpoint_try_unreadable(struct checkpoint *c, struct repair *rc);
/*
 * Before the sweep of phase inodes: when resuming, replaces the state of this run by that of the checkpoint, and posts
 * the items left to read. *ret_restored: done so.
 */
enum phase_result checkpoint_restore(struct checkpoint *c, struct repair *rc, bool *ret_restored);
/* Runs traverse_sweep() with checkpoints. PHASE_INTERRUPTED: a signal stopped it. */
enum phase_result checkpoint_sweep(struct checkpoint *c, struct repair *rc);

/* After trouble, when the report is closed: prints how to resume, if possible. c may be NULL. */
void checkpoint_tell(const struct checkpoint *c, const char *program);
/* Ends the run. done: it is complete, so the file is removed. c may be NULL. */
void checkpoint_close(struct checkpoint *c, bool done);

#endif

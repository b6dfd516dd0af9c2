/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checkpoints of a check (-n): a file from which another run goes on.  The books are sums, so that what a check knows
 * in the midst of its sweep is little: sums, lists of what is not in order, directories, and what is still to be read.
 *
 * The sweep is held from time to time, and when a signal asks for the end: what was begun is done with, what was not is
 * set aside (sweep_hold()), and the state is written.  Phases before the sweep are short and are done again by a run
 * that goes on; those behind it begin anew.
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
 * Open what --checkpoint and --resume name, once the device is open and before the run gives up the right to open more.
 * A run that goes on gets the key of all sums.  rc->checkpoint stays NULL if neither is given.
 */
enum phase_result checkpoint_open(struct repair *rc, int argc, char **argv);
/* The folder that files are made in, a descriptor; -1: none. */
int checkpoint_folder(const struct checkpoint *c);
/* True if files of that folder must still be opened for writing. */
bool checkpoint_opens(const struct checkpoint *c);
/* For interrupt_advise(): ctx is a struct checkpoint. */
enum interrupt_end checkpoint_advise(void *ctx, char *words, size_t size);

/*
 * Before the device is read: if another run is to be gone on with, try once more what that could not read.  Unless it
 * is still unreadable, this run begins anew.  c may be NULL.
 */
enum phase_result checkpoint_try_lost(struct checkpoint *c, struct repair *rc);
/*
 * Before the sweep of phase inodes: if another run is to be gone on with, put what it knew in the place of what this
 * one knows, and want what it wanted.  *ret_restored: so it is.
 */
enum phase_result checkpoint_restore(struct checkpoint *c, struct repair *rc, bool *ret_restored);
/* traverse_sweep() with checkpoints.  PHASE_INTERRUPTED: a signal asked for the end. */
enum phase_result checkpoint_sweep(struct checkpoint *c, struct repair *rc);

/* After trouble, when the report is closed: tell how to go on, if another run can.  c may be NULL. */
void checkpoint_tell(const struct checkpoint *c, const char *program);
/* The run ends.  done: it has come to its end, so that the file is removed.  c may be NULL. */
void checkpoint_close(struct checkpoint *c, bool done);

#endif

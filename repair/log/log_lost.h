/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out whether an unreadable log holds changes that would be lost. */
#ifndef XFSCK_REPAIR_LOG_LOST_H
#define XFSCK_REPAIR_LOG_LOST_H

#include "losses.h"
#include "report/finding.h"

struct repair;

/*
 * True if the log can be made clean without losing anything that could still be replayed.  found: the `count` findings
 * about the log.  rc: the run, after its check.
 */
bool log_lost_nothing(struct repair *rc, const struct found *found, size_t count);

/* True if the log ends in an unmount record of this file system, so that nothing waits in it. */
bool log_is_ended(const struct repair *rc);

/* True if no record of the log has this file system's uuid, so that it may belong to another one. */
bool log_lost_foreign(struct repair *rc);

/*
 * True if the device of -l must not be written: it has the log of another file system, or something else according to
 * libblkid, and no record of this file system.  Sets a sentence for the user in `message` of size bytes.
 */
bool log_lost_elsewhere(struct repair *rc, char *message, size_t size);

/* True if changes may wait in a log whose head or tail can't be found.  *ret_losses: the known ones. */
bool log_lost_may_wait(struct repair *rc, struct log_losses *ret_losses);
/* Reports the possible losses of a log whose head or tail can't be found. */
void log_lost_tell(struct repair *rc);
/* Reports what such a log may hold if it is left alone, and notes that in rc. */
void log_lost_refuse(struct repair *rc);

#endif

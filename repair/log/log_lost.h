/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out whether anything is lost with a log that can't be read. */
#ifndef XFSCK_REPAIR_LOG_LOST_H
#define XFSCK_REPAIR_LOG_LOST_H

#include "losses.h"
#include "report/finding.h"

struct repair;

/*
 * Whether the log can be made clean without losing anything that could still be replayed.  found: the `count` findings
 * about the log; rc: the run, after its check.
 */
bool log_lost_nothing(struct repair *rc, const struct found *found, size_t count);

/* Whether the log ends in an unmount record of this file system, so that nothing waits in it. */
bool log_is_ended(const struct repair *rc);

/* Whether no record of the log has this file system's uuid, so that it may be the log of another one. */
bool log_lost_foreign(struct repair *rc);

/*
 * Whether -l names a device that holds the log of another file system, or something else, according to libblkid, and no
 * record of this file system, so that no log must be written there.  Then a sentence for the user is in `message`,
 * which has room for size bytes.
 */
bool log_lost_elsewhere(struct repair *rc, char *message, size_t size);

/* True if changes may wait in a log whose head or tail can't be found; *ret_losses: what is known of them. */
bool log_lost_may_wait(struct repair *rc, struct log_losses *ret_losses);
/* Tell the user what may be lost with a log whose head or tail can't be found. */
void log_lost_tell(struct repair *rc);
/* Tell the user what may be in a log that is left alone because of that, and note it in rc. */
void log_lost_refuse(struct repair *rc);

#endif

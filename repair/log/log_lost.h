/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is lost with a log that can't be read. */
#ifndef XFSCK_REPAIR_LOG_LOST_H
#define XFSCK_REPAIR_LOG_LOST_H

#include "repair.h"
#include "report/finding.h"

/*
 * Whether the log can be made clean without losing anything that could still be replayed.  found: what is wrong with
 * the log, count of them; rc: the run, after its check.
 */
bool log_lost_nothing(struct repair *rc, const struct found *found, size_t count);

/* Whether the log ends in the record of an unmount of this file system: then nothing waits in it. */
bool log_is_ended(const struct repair *rc);

/* Whether no record of the log is one of this file system, by their uuids: it may be that of another. */
bool log_lost_foreign(struct repair *rc);

/*
 * Whether -l names a device that holds something else, and no record of this file system: nobody wants a log written
 * over that.  message: then a sentence on it, of size bytes.
 */
bool log_lost_elsewhere(struct repair *rc, char *message, size_t size);

/* Tell the user what a log whose ends can't be found may hold. */
void log_lost_tell(struct repair *rc);
/* The same for one that is left alone because of that. */
void log_lost_refuse(struct repair *rc);

#endif

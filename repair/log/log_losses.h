/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the losses if a dirty log, or the rest of one, is discarded. */
#ifndef XFSCK_REPAIR_LOG_LOSSES_H
#define XFSCK_REPAIR_LOG_LOSSES_H

#include <stdbool.h>

#include "log_transactions.h"
#include "losses.h"

struct repair;

/*
 * Calls fn for each item of the whole log as it was logged, also behind damaged records.  *ret_end, and the result: as
 * of log_transactions_each().
 */
int log_losses_each(struct repair *rc, log_item_fn *fn, void *ctx, struct log_mark *ret_end);
/*
 * Counts the changes in the log behind `from`, as far as it is readable, also behind damaged records.  Entries are
 * compared with the device after the replay so far.  named: keep the inodes in rc->run->lost_inodes, for
 * log_losses_name().  Returns 0 or a negative errno.
 */
int log_losses(struct repair *rc, struct log_mark from, bool named, struct log_losses *ret_losses);
/* Reports each of these inodes as a finding, so that it is printed with its path.  Returns 0 or -ENOMEM. */
int log_losses_name(struct repair *rc);

#endif

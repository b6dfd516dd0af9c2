/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out what is lost if a dirty log, or the rest of one, is given up. */
#ifndef XFSCK_REPAIR_LOG_LOSSES_H
#define XFSCK_REPAIR_LOG_LOSSES_H

#include <stdbool.h>

#include "log_transactions.h"
#include "losses.h"

struct repair;

/*
 * Count what the log holds behind `from`, as far as it can be read, also behind damaged records.  Names are counted
 * against what the device holds, with what has been replayed.  named: keep the inodes in rc->run->lost_inodes, for
 * log_losses_name(). 0 or negative errno.
 */
int log_losses(struct repair *rc, struct log_mark from, bool named, struct log_losses *ret_losses);
/* Report each of these inodes as a finding, so that it is printed with its path. 0 or -ENOMEM. */
int log_losses_name(struct repair *rc);

#endif

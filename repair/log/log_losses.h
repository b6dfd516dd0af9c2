/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out what is lost if a dirty log is given up. */
#ifndef XFSCK_REPAIR_LOG_LOSSES_H
#define XFSCK_REPAIR_LOG_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

struct repair;

struct log_losses {
	uint64_t transactions, items;
	uint64_t inodes; /* that these change */
};

/*
 * Count what the log holds, as far as it can be read.  named: keep the inodes in rc->run->lost_inodes, for
 * log_losses_name(). 0 or negative errno.
 */
int log_losses(struct repair *rc, bool named, struct log_losses *ret_losses);
/* Report each of these inodes as a finding, so that it is printed with its path. 0 or -ENOMEM. */
int log_losses_name(struct repair *rc);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What giving up a dirty log loses. */
#ifndef XFSCK_REPAIR_LOG_LOSSES_H
#define XFSCK_REPAIR_LOG_LOSSES_H

#include "repair.h"

struct log_losses {
	uint64_t transactions, items;
	uint64_t inodes; /* that are changed by them */
};

/* Count what the log holds, as far as it can be read; named: log_losses_name() will be called. 0 or negative errno. */
int log_losses(struct repair *rc, bool named, struct log_losses *ret_losses);
/* Each inode that the log changes is a finding, so that it is printed with its name. 0 or -ENOMEM. */
int log_losses_name(struct repair *rc);

#endif

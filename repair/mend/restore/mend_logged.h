/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the log is asked for. */
#ifndef XFSCK_REPAIR_MEND_LOGGED_H
#define XFSCK_REPAIR_MEND_LOGGED_H

#include "units.h"

struct mend;

/* Note that the log is looked through for a block. 1: it was not before; 0: it was; or -ENOMEM. */
int mend_ask_log(struct mend *m, xdaddr_t daddr);

#endif

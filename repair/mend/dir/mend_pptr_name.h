/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of an entry and a parent pointer, which has the right name. */
#ifndef XFSCK_REPAIR_MEND_PPTR_NAME_H
#define XFSCK_REPAIR_MEND_PPTR_NAME_H

#include "mend/mend.h"

/* The findings of one inode: have the entry renamed, if it is the one that is wrong. 0 or negative errno. */
int mend_pptr_name(struct mend *m, const struct found *found, size_t count, bool *ret_renamed);

#endif

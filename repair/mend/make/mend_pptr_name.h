/* SPDX-License-Identifier: GPL-2.0-or-later */
/* If an entry and its parent pointer have different names: which is the right one. */
#ifndef XFSCK_REPAIR_MEND_PPTR_NAME_H
#define XFSCK_REPAIR_MEND_PPTR_NAME_H

#include <stdbool.h>
#include <stddef.h>

struct found;
struct mend;

/* Given the findings about one inode, rename its entry if the entry's name is the wrong one. 0 or negative errno. */
int mend_pptr_name(struct mend *m, const struct found *found, size_t count, bool *ret_renamed);

#endif

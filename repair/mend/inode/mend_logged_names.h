/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that inodes had by what the log still has of the last mount. */
#ifndef XFSCK_REPAIR_MEND_LOGGED_NAMES_H
#define XFSCK_REPAIR_MEND_LOGGED_NAMES_H

#include "mend/dir/mend_pptrs.h"

/* Start with { 0 }. */
struct logged_names {
	struct pptr_name *names; /* by child, then parent; their bytes are their own; no parent_gen */
	size_t count, room;
};

/* Those of these inodes in directories that there are, and that may have them. 0 or negative errno; free it. */
int logged_names_collect(struct mend *m, const struct ino_set *children, struct logged_names *ret_names);
/* Those of one inode: how many, and the first. */
size_t logged_names_of(const struct logged_names *names, xino_t child, const struct pptr_name **ret_first);
void logged_names_free(struct logged_names *names);

#endif

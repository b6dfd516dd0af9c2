/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that inodes had at the end of the last mount, as far as the log still has them. */
#ifndef XFSCK_REPAIR_MEND_LOGGED_NAMES_H
#define XFSCK_REPAIR_MEND_LOGGED_NAMES_H

#include "mend/make/mend_pptrs.h"

/* Start with { 0 }. */
struct logged_names {
	struct pptr_name *names; /* by child, then parent; with bytes of their own, without parent_gen */
	size_t count, room;
};

/*
 * Collect the names that the log has for these inodes, in directories that exist and may have them.  0 or negative
 * errno; free them in any case.
 */
int logged_names_collect(struct mend *m, const struct ino_set *children, struct logged_names *ret_names);
/* The names of one inode: how many, and the first. */
size_t logged_names_of(const struct logged_names *names, xino_t child, const struct pptr_name **ret_first);
void logged_names_free(struct logged_names *names);

#endif

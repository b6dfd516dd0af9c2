/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What parent pointers say of directories that have lost names. */
#ifndef XFSCK_REPAIR_MEND_PPTRS_H
#define XFSCK_REPAIR_MEND_PPTRS_H

#include "mend_dir.h"

/* What one parent pointer says. */
struct pptr_name {
	xino_t parent, child;
	uint32_t parent_gen;
	uint8_t ftype; /* of the child, as its mode has it; FT_UNKNOWN: it is not in use */
	uint8_t namelen;
	uint8_t *name;
};

/* All parent pointers of the file system, once somebody wants to know. */
struct mend_pptrs {
	struct mend *m;
	bool collected;
	struct pptr_name *names; /* by parent, then child */
	size_t count;
	struct pptr_name **children; /* the same by child, then parent */
};

/* Collect them, if that has not been done yet: mend_pptrs_confirm() only knows then. 0 or negative errno. */
int mend_pptrs_know(struct mend_pptrs *pptrs);
/* Those of a child: *ret_first[0] to [count - 1]. 0 or negative errno. */
int mend_pptrs_of_child(struct mend_pptrs *pptrs, xino_t child, struct pptr_name *const **ret_first, size_t *ret_count);
/* Whether a child says that it has this name there; false also if nothing is known. */
bool mend_pptrs_confirm(const struct mend_pptrs *pptrs, xino_t directory, const struct dir_name *name);

/*
 * Add the names that children say they have in this directory, and that are not there.  A name that leads to another
 * inode, which does not say so, was changed: it leads to the child again.  0 or negative errno.
 */
int mend_pptrs_names(struct mend_pptrs *pptrs, xino_t directory, struct dir_names *names);
void mend_pptrs_free(struct mend_pptrs *pptrs);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What parent pointers say of directories that have lost names. */
#ifndef XFSCK_REPAIR_MEND_PPTRS_H
#define XFSCK_REPAIR_MEND_PPTRS_H

#include "mend_dir.h"

struct pptr_name;

/* All parent pointers of the file system, once somebody wants to know. */
struct mend_pptrs {
	struct mend *m;
	bool collected;
	struct pptr_name *names; /* by parent */
	size_t count;
};

/* Add the names that children say they have in this directory, and that are not there. 0 or negative errno. */
int mend_pptrs_names(struct mend_pptrs *pptrs, xino_t directory, struct dir_names *names);
void mend_pptrs_free(struct mend_pptrs *pptrs);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where --extract puts files, which is opened before the program gives up the right to open more. */
#ifndef XFSCK_REPAIR_EXTRACT_TARGET_H
#define XFSCK_REPAIR_EXTRACT_TARGET_H

#include "tar_out.h"
#include "tree.h"

struct extract_target {
	const char *path; /* as the user gives it */
	bool archive;
	struct out_tree tree;
	struct tar_out tar;
	int mount; /* of the tree alone: all else is read-only (sandbox/sandbox.h); -1: none */
	bool used; /* files were put there, or could have been: it stays */
};

/* Open it, and make it if there is none.  0 or negative errno. */
int target_open(const char *path, struct extract_target *target);
/* The end of an archive.  whole: it has all that was wanted.  0 or negative errno. */
int target_finish(struct extract_target *target, bool whole);
/* Close it; what was made in vain is removed. */
void target_close(struct extract_target *target);

#endif

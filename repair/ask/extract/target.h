/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The target of --extract, opened before the program is confined. */
#ifndef XFSCK_REPAIR_EXTRACT_TARGET_H
#define XFSCK_REPAIR_EXTRACT_TARGET_H

#include "output.h"
#include "tree.h"

/* Output of an archive: a file that gets its name when it is complete, or standard output. */
struct tar_out {
	struct nameless file;
	bool shown; /* standard output */
};

/* Opens the output; path "-": standard output. A file must not exist. 0 or negative errno. */
int tar_out_open(struct tar_out *out, const char *path);
/* Closes the output. whole: it is complete; else removes it. 0 or negative errno. */
int tar_out_close(struct tar_out *out, bool whole);

struct extract_target {
	const char *path; /* as given by the user */
	bool archive;
	struct out_tree tree;
	struct tar_out tar;
	int mount; /* a writable mount of the tree; everything else is read-only (sandbox/sandbox.h); -1: none */
	bool used; /* extraction has begun, so it is kept */
};

/* Opens the target, creating it if necessary. 0 or negative errno. */
int target_open(const char *path, struct extract_target *target);
/* Closes the archive. whole: it is complete. 0 or negative errno. */
int target_finish(struct extract_target *target, bool whole);
/* Closes the target, and removes it if it was created but not used. */
void target_close(struct extract_target *target);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output of an archive: a file that gets its name when it is complete, or standard output. */
#ifndef XFSCK_REPAIR_EXTRACT_TAR_OUT_H
#define XFSCK_REPAIR_EXTRACT_TAR_OUT_H

#include "output.h"

struct tar_out {
	struct nameless file;
	bool shown; /* standard output */
};

/* Opens the output; path "-": standard output. A file must not exist. 0 or negative errno. */
int tar_out_open(struct tar_out *out, const char *path);
/* Closes the output. whole: it is complete; else removes it. 0 or negative errno. */
int tar_out_close(struct tar_out *out, bool whole);

#endif

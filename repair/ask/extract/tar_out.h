/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where an archive is written to: a file that appears when it is whole, or standard output. */
#ifndef XFSCK_REPAIR_EXTRACT_TAR_OUT_H
#define XFSCK_REPAIR_EXTRACT_TAR_OUT_H

#include "output.h"

struct tar_out {
	struct nameless file;
	bool shown; /* it is standard output */
};

/* path: "-" for standard output. Nothing may have that name. 0 or negative errno. */
int tar_out_open(struct tar_out *out, const char *path);
/* Close it; whole: it is complete, else nothing is left of it. 0 or negative errno. */
int tar_out_close(struct tar_out *out, bool whole);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks of a directory, attribute fork or symlink that have been posted: shared by walk_extent.c and walk_fork.c. */
#ifndef XFSCK_REPAIR_FORK_WANT_H
#define XFSCK_REPAIR_FORK_WANT_H

#include "inflight.h"

struct fork_want {
	struct want want;
	struct inflight *inflight; /* holds a reference */
	enum fork fork;
	fileoff_t fileoff; /* of the first block */
	fsbno_t fsbno;
	xdaddr_t daddr;
	struct assembly *assembly; /* WANT_PART: what it is a part of */
};

#endif

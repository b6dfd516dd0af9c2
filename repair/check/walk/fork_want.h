/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A posted run of blocks of a fork (WANT_FORK, WANT_PART): walk_extent.c posts it, walk_fork.c receives it. */
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
	struct assembly *assembly; /* WANT_PART: the directory block that it is a part of; else NULL */
};

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads blocks of an AG that nothing leads to, to find something lost among them. */
#ifndef XFSCK_REPAIR_MEND_SCAN_H
#define XFSCK_REPAIR_MEND_SCAN_H

#include "mend/base/mend.h"

struct mend_scan {
	struct mend *m;
	agno_t agno;
	/* Both are called by several threads at a time. */
	bool (*wants)(void *ctx, uint64_t block);			/* whether to read a block */
	void (*visit)(void *ctx, uint64_t block, const uint8_t *bytes); /* one that was wanted and read */
	void *ctx;
};

/*
 * Visit all blocks that are wanted, but for holes of an image file; those that can't be read are left out.  Blocks that
 * lie near each other are read together.  0 or -ENOMEM.
 */
int mend_scan(const struct mend_scan *scan);

#endif

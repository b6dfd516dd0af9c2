/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of an allocation group whose trees are to be built anew: who uses which blocks, and where inodes are.
 */
#ifndef XFSCK_REPAIR_AG_CONTENTS_H
#define XFSCK_REPAIR_AG_CONTENTS_H

#include "libxfs/ag.h"

/* What the new trees of an AG shall describe. All arrays are the caller's. */
struct ag_contents {
	agno_t agno;
	/*
	 * Who uses which blocks: headers, log, inode chunks, files, extents staged for copy on write (OWNER_COW), and
	 * inode trees that stay; but not the trees that are built, nor the free list.  Of struct use, start, len,
	 * owner, offset, flags and object count.  They come in any order; mend_ag() sorts them by start.  Only written
	 * extents of data forks may overlap: such blocks are shared.
	 */
	struct use *claims;
	size_t nclaims;
	/* Blocks that the trees to be replaced and the free list had (OWNER_AG, OWNER_INOBT, OWNER_REFC). */
	const struct use *old;
	size_t nold;
	/* Records of the new inobt, by start; NULL: the inode trees stay, and `claims` must hold their blocks. */
	const struct inobt_record *chunks;
	size_t nchunks;
	/* the AGI as it was: its hints and unlinked lists are kept, and if the inode trees stay, all the rest */
	struct agi agi;
};

#endif

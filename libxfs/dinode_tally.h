/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Contradictions in an inode, counted: in its core, in what the forks hold, and in what they lead to. */
#ifndef XFSCK_LIBXFS_DINODE_TALLY_H
#define XFSCK_LIBXFS_DINODE_TALLY_H

#include "libxfs/dinode_mend.h"

struct tally {
	unsigned problems;
	struct problem first; /* that a rule can settle */
	bool have_first;
	unsigned bad_extents; /* of them: what extents in the inode are */
	unsigned extents;     /* in the inode, that can be */
	unsigned entries;     /* that lie in the inode: names, and attributes whether they can be or not */
	uint64_t blocks;      /* that the extents map */
	uint64_t end;	      /* of the data, in file blocks; of directories without their index */
	uint64_t limit;	      /* where that index begins */
	fsbno_t attr;	      /* first block of an attribute fork of extents in the inode; or NULL_FSBNO */
};

/* ftype: what others take it for, FT_UNKNOWN: nobody says. witness: see dinode_set_right(). */
struct tally dinode_tally(const struct geometry *g, const void *bytes, xino_t ino, bool allocated, enum ftype ftype,
			  const struct dinode_witness *witness);

#endif

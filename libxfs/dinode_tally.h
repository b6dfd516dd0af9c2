/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the contradictions in an inode: in its core, in its forks, and with what a witness knows of other blocks. */
#ifndef XFSCK_LIBXFS_DINODE_TALLY_H
#define XFSCK_LIBXFS_DINODE_TALLY_H

#include "libxfs/dinode_mend.h"

struct tally {
	unsigned problems;    /* contradictions; serious ones count several times */
	struct problem first; /* the first one in the core, if have_first: a rule of the core can settle it */
	bool have_first;
	unsigned bad_extents; /* problems with extent records in the inode */
	unsigned extents;     /* sound extent records in the inode */
	unsigned entries;     /* names in the inode, and attributes in it, sound or not */
	uint64_t blocks;      /* mapped by the sound extents */
	uint64_t end;	      /* end of the data, in file blocks; of a directory, without its index */
	uint64_t limit;	      /* file block at which a directory's index begins; of other files, UINT64_MAX */
	fsbno_t attr;	      /* first block of an attribute fork in extent format, or NULL_FSBNO */
};

/* ftype: the type that other metadata gives the inode, or FT_UNKNOWN.  witness: see dinode_set_right(), or NULL. */
struct tally dinode_tally(const struct geometry *g, const void *bytes, xino_t ino, bool allocated, enum ftype ftype,
			  const struct dinode_witness *witness);

#endif

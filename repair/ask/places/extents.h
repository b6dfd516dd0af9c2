/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The extents of one fork, as xfs_bmap(8) tells them. */
#ifndef XFSCK_REPAIR_EXTENTS_H
#define XFSCK_REPAIR_EXTENTS_H

#include "holders.h"

struct extent {
	uint64_t offset; /* blocks */
	uint64_t len;	 /* blocks */
	uint64_t start;	 /* block of the line (line.h); EXTENT_HOLE: none */
	bool unwritten;
	bool shared;
};

#define EXTENT_HOLE UINT64_MAX

/* Start with { 0 }. */
struct extents {
	struct extent *v; /* by offset, with holes between them */
	size_t count, room;
	struct holder holder; /* the inode */
};

/*
 * Read the extents of a fork of this inode: those that lie before the end of the file, or all if it was told to keep
 * more, and holes up to its end; each divided where it is shared and where not.  0, -ENOENT: that inode is not in use,
 * or another negative errno.  Free them in either case.
 */
int extents_read(struct repair *rc, xino_t ino, enum fork fork, struct extents *ret_extents);
void extents_free(struct extents *extents);

#endif

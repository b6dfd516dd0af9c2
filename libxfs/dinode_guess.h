/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of changes to an inode, the one that leaves the fewest contradictions. */
#ifndef XFSCK_LIBXFS_DINODE_GUESS_H
#define XFSCK_LIBXFS_DINODE_GUESS_H

#include "libxfs/dinode_mend.h"

/* Make the change of one field that helps most; arguments as of dinode_set_right(). False: none does. */
bool dinode_guess_field(const struct geometry *g, void *bytes, xino_t ino, enum ftype ftype,
			const struct dinode_witness *witness);
/* Move the border between the forks, if nothing is wrong with it then. False: it stays. */
bool dinode_guess_border(const struct geometry *g, void *bytes, xino_t ino, const struct dinode_witness *witness);
/*
 * Where the inode says that it has more blocks than its forks have: count extents in it that lie behind those that are
 * counted, if nothing is wrong then. False: nothing was changed.
 */
bool dinode_guess_counts(const struct geometry *g, void *bytes, xino_t ino, const struct dinode_witness *witness);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds, among possible changes to a damaged inode, the one that leaves the fewest contradictions. */
#ifndef XFSCK_LIBXFS_DINODE_GUESS_H
#define XFSCK_LIBXFS_DINODE_GUESS_H

#include "libxfs/dinode_mend.h"

/* Make the change of one field that removes most contradictions; arguments as of dinode_set_right(). False: none does.
 */
bool dinode_guess_field(const struct geometry *g, void *bytes, xino_t ino, enum ftype ftype,
			const struct dinode_witness *witness);
/* Move the border between the forks (forkoff) if that leaves no contradictions.  False: nothing was changed. */
bool dinode_guess_border(const struct geometry *g, void *bytes, xino_t ino, const struct dinode_witness *witness);
/*
 * For an inode whose forks map fewer blocks than nblocks: raise the extent counter of a fork in extent format, so that
 * records behind the counted ones belong to the fork, if that leaves no contradictions.  False: nothing was changed.
 */
bool dinode_guess_counts(const struct geometry *g, void *bytes, xino_t ino, const struct dinode_witness *witness);

#endif

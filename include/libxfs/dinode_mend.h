/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Setting inodes right.  What a damaged core should say follows from the rest of it: of all changes of one field, the
 * one that leaves the fewest contradictions is made; what is then still wrong is set to what the rules of ondisk 04
 * leave for it.  Bytes in, bytes out; the forks' bytes are not changed.
 */
#ifndef XFSCK_LIBXFS_DINODE_MEND_H
#define XFSCK_LIBXFS_DINODE_MEND_H

#include "libxfs/btree.h"
#include "libxfs/dinode_meta.h"

#define DINODE_SIZE_MAX 2048u

/* Whether the inode_size bytes are those of an inode, whatever else is wrong with them. */
bool dinode_recognize(const struct geometry *g, const void *bytes, xino_t ino);

/* Who knows what is in the blocks that forks lead to. */
struct dinode_witness {
	void *ctx;
	bool (*node)(void *ctx, const struct btree_expect *child); /* whether it is that block of a bmbt */
	bool (*attr)(void *ctx, xino_t ino, fsbno_t block); /* whether this inode's attributes can begin with it */
};

/*
 * Make the inode sound by what is in its own bytes.  allocated: the inobt has it in use.  ftype: what others take it
 * for, FT_UNKNOWN: nobody says.  metafile: the metadata file that it is by its name, NULL: none.  witness: NULL, or
 * who is asked for blocks.  True if nothing is wrong with it any more, as dinode_decode() sees it.
 */
bool dinode_set_right(const struct geometry *g, void *bytes, xino_t ino, bool allocated, enum ftype ftype,
		      const struct metafile *metafile, const struct dinode_witness *witness);
/*
 * Of an inode in use whose core is sound, but not what its forks hold: find the border between them with which nothing
 * is wrong.  False: it is right, or there is none, and nothing was changed.
 */
bool dinode_set_border(const struct geometry *g, void *bytes, xino_t ino, const struct dinode_witness *witness);
/*
 * Of an inode in use that says it has more blocks than its forks have: count extents in it that lie behind those that
 * are counted, with which it has just so many and nothing is wrong.  False: there are none, and nothing was changed.
 */
bool dinode_set_counts(const struct geometry *g, void *bytes, xino_t ino, const struct dinode_witness *witness);

/*
 * A directory has no entries but `.` and `..`, in the data fork of the inode; where that ends is right already.  The
 * checksum is left to the caller.
 */
void dinode_set_no_names(const struct geometry *g, void *bytes, xino_t parent);

/* All bytes anew: an inode that was never used; one in use of that type, with empty forks and one link. */
void dinode_make_free(const struct geometry *g, void *bytes, xino_t ino, uint32_t gen);
void dinode_make_empty(const struct geometry *g, void *bytes, xino_t ino, uint32_t gen, enum ftype ftype);

#endif

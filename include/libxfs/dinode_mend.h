/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Repairs inodes.  What a damaged core should hold follows from the rest of it: of all changes of one field, the one
 * that leaves the fewest contradictions is made; fields that are still wrong then get values that the rules of ondisk
 * 04 allow.  Bytes in, bytes out.
 */
#ifndef XFSCK_LIBXFS_DINODE_MEND_H
#define XFSCK_LIBXFS_DINODE_MEND_H

#include "btree.h"
#include "dinode.h"

/* Turns inodes into the metadata files that they are by their names (ondisk 04, invariant 6; 09). */

struct metafile {
	uint16_t metatype; /* METAFILE_* */
	uint32_t projid;   /* METAFILE_RTBITMAP and up: the realtime group, else 0 */
};

static inline bool dinode_is_metafile(const struct dinode *inode, const struct metafile *metafile)
{
	return inode->metadata && inode->metatype == metafile->metatype && inode->projid == metafile->projid;
}

/*
 * Make the inode this metadata file: set type, flags, owner and size, whatever they were.  A data fork of a format that
 * such a file can't have is emptied, and its blocks, if it had any, are then nobody's.  The caller sets the checksum.
 */
void dinode_make_metafile(const struct geometry *g, void *bytes, const struct metafile *metafile);

#define DINODE_SIZE_MAX 2048u

/* Whether the inode_size bytes are those of an inode, whatever else is wrong with them. */
bool dinode_recognize(const struct geometry *g, const void *bytes, xino_t ino);

/* Callbacks that tell whether the blocks that forks point to are what they should be. */
struct dinode_witness {
	void *ctx;
	bool (*node)(void *ctx, const struct btree_expect *child); /* whether the block is that child of a bmbt root */
	bool (*attr)(void *ctx, xino_t ino, fsbno_t block); /* whether this inode's attributes can begin with it */
};

/*
 * Make the inode sound by what is in its own bytes.  allocated: the inobt says it is in use.  ftype: the type that
 * other metadata gives it, or FT_UNKNOWN.  metafile: the metadata file that it is by its name, or NULL.  witness: asked
 * about blocks that its forks point to, or NULL.  True if dinode_decode() reports nothing any more.
 */
bool dinode_set_right(const struct geometry *g, void *bytes, xino_t ino, bool allocated, enum ftype ftype,
		      const struct metafile *metafile, const struct dinode_witness *witness);
/*
 * For an inode in use whose core is sound but whose forks are not: find a border between the forks (forkoff) with which
 * nothing is wrong.  False: the border is right, or there is no such one; nothing was changed.
 */
bool dinode_set_border(const struct geometry *g, void *bytes, xino_t ino, const struct dinode_witness *witness);
/*
 * For an inode in use whose forks map fewer blocks than nblocks says: raise an extent counter, so that records behind
 * the counted ones belong to the fork, if nothing is wrong then.  False: nothing was changed.
 */
bool dinode_set_counts(const struct geometry *g, void *bytes, xino_t ino, const struct dinode_witness *witness);

/*
 * Make the inode an empty shortform directory, with only `.` and `..`; forkoff must be right.  The caller sets the
 * checksum.
 */
void dinode_set_no_names(const struct geometry *g, void *bytes, xino_t parent);

/* Build an inode, all of its bytes: a free one that was never used, or one in use of that type, with empty forks. */
void dinode_make_free(const struct geometry *g, void *bytes, xino_t ino, uint32_t gen);
void dinode_make_empty(const struct geometry *g, void *bytes, xino_t ino, uint32_t gen, enum ftype ftype);

#endif

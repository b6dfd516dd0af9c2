/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Repairs inodes in memory.  The right value of a damaged field follows from the rest of the inode: of all changes of
 * one field, the one with the fewest remaining contradictions is made.  Fields that are still wrong get values that
 * ondisk 04 allows.
 */
#ifndef XFSCK_LIBXFS_DINODE_MEND_H
#define XFSCK_LIBXFS_DINODE_MEND_H

#include "btree.h"
#include "dinode.h"

/* The metadata file that an inode is according to its name (ondisk 04, invariant 6; 09). */

struct metafile {
	uint16_t metatype; /* METAFILE_* */
	uint32_t projid;   /* METAFILE_RTBITMAP and up: the realtime group, else 0 */
};

static inline bool dinode_is_metafile(const struct dinode *inode, const struct metafile *metafile)
{
	return inode->metadata && inode->metatype == metafile->metatype && inode->projid == metafile->projid;
}

/*
 * Makes the inode this metadata file: sets type, flags, owner and size.  A data fork in a format that such a file can't
 * have is emptied, and its blocks become unowned.  The caller sets the checksum.
 */
void dinode_make_metafile(const struct geometry *g, void *bytes, const struct metafile *metafile);

#define DINODE_SIZE_MAX 2048u

/* True if the inode_size bytes are an inode, whatever else is wrong with them. */
bool dinode_recognize(const struct geometry *g, const void *bytes, xino_t ino);

/* Callbacks that check the blocks which forks point to. */
struct dinode_witness {
	void *ctx;
	bool (*node)(void *ctx, const struct btree_expect *child); /* true if the block is that child of a bmbt root */
	bool (*attr)(void *ctx, xino_t ino,
		     fsbno_t block); /* true if this inode's attributes can begin with the block */
};

/*
 * Repairs the inode from its own bytes.  allocated: in use according to the inobt.  ftype: its type according to other
 * metadata, or FT_UNKNOWN.  metafile: the metadata file that it is according to its name, or NULL.  witness: checks
 * blocks that its forks point to, or NULL.  True if dinode_decode() then reports nothing.
 */
bool dinode_set_right(const struct geometry *g, void *bytes, xino_t ino, bool allocated, enum ftype ftype,
		      const struct metafile *metafile, const struct dinode_witness *witness);
/*
 * Finds a value of forkoff without any fault, for an inode in use whose core is sound but whose forks are not.  False:
 * forkoff is right, or there is no such value; nothing was changed.
 */
bool dinode_set_border(const struct geometry *g, void *bytes, xino_t ino, const struct dinode_witness *witness);
/*
 * Raises an extent count of an inode in use whose forks map fewer blocks than nblocks says, so that the fork includes
 * records after the counted ones, if that leaves no fault.  False: nothing was changed.
 */
bool dinode_set_counts(const struct geometry *g, void *bytes, xino_t ino, const struct dinode_witness *witness);

/*
 * Makes the inode an empty shortform directory, with only `.` and `..`; forkoff must be right.  The caller sets the
 * checksum.
 */
void dinode_set_no_names(const struct geometry *g, void *bytes, xino_t parent);

/* Builds all bytes of an inode: a free one that was never used, or one in use of that type, with empty forks. */
void dinode_make_free(const struct geometry *g, void *bytes, xino_t ino, uint32_t gen);
void dinode_make_empty(const struct geometry *g, void *bytes, xino_t ino, uint32_t gen, enum ftype ftype);

#endif

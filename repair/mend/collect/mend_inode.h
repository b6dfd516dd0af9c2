/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An inode and its extent maps in memory, for menders that change it. */
#ifndef XFSCK_REPAIR_MEND_INODE_H
#define XFSCK_REPAIR_MEND_INODE_H

#include "disk/inode.h"
#include "libxfs/dinode_mend.h"
#include "report/finding.h"

struct mend;

struct mend_fork {
	struct bmap_record *extents; /* by offset; valid ones only */
	size_t count, room;
	uint64_t nodes;		   /* number of bmbt blocks below the root */
	uint64_t impossible;	   /* blocks of inline extents with an invalid start: not in extents */
	struct btree_expect *tree; /* places of the bmbt blocks that the tree points to */
	size_t ntree;
	bool whole;	/* the whole map is readable */
	fsbno_t *ruins; /* sorted: bmbt blocks without records, which a new bmbt may use */
	size_t nruins, ruins_room;
};

struct mend_inode {
	xino_t ino;
	uint8_t *bytes;	     /* as on disk, inode_size bytes; menders change these */
	struct dinode inode; /* decoded when loaded; not updated when bytes change */
	struct mend_fork fork[2];
};

/* Reads an inode and its extents. 0, then free it; -ENOENT: invalid or unreadable; or another negative errno. */
int mend_inode_load(struct mend *m, xino_t ino, struct mend_inode *ret_inode);
/* Likewise without the extents: fork[] stays empty. */
int mend_inode_decode(struct mend *m, xino_t ino, struct mend_inode *ret_inode);
/* Likewise only the bytes, valid or not: `inode` stays empty, too. */
int mend_inode_read(struct mend *m, xino_t ino, struct mend_inode *ret_inode);
void mend_inode_free(struct mend_inode *inode);
/* Gets the file type of an inode; FT_UNKNOWN: invalid or unreadable. 0 or negative errno. */
int mend_inode_type(struct mend *m, xino_t ino, enum ftype *ret_type);

/* Stages the inode's bytes with a new checksum. 0 or negative errno. */
int mend_inode_store(struct mend *m, struct mend_inode *inode);
/* Likewise, and reports it as mended; found: the first finding about it. */
int mend_inode_store_done(struct mend *m, struct mend_inode *inode, const struct found *found);

/*
 * Calls mend() once for each inode, with the first finding about it, after reading it by load(), one of the three
 * functions above.  Inodes that can't be mended are noted by mend_left().  0 or negative errno.
 */
typedef int mend_inode_load_fn(struct mend *m, xino_t ino, struct mend_inode *ret_inode);
typedef int mend_inode_fn(struct mend *m, struct mend_inode *inode, const struct found *found);
int mend_each_inode(struct mend *m, const struct found *found, size_t count, mend_inode_load_fn *load,
		    mend_inode_fn *mend);

/*
 * For a block (block_size bytes) of version 3 inodes whose first one should be `first`.  These return the inode with
 * this index; true if that is intact and has the number first + index; the number of inodes for which this is true.
 */
const struct dinode_disk *mend_inode_in(const struct geometry *geo, const uint8_t *block, unsigned index);
bool mend_inode_lies_at(const struct geometry *geo, const uint8_t *block, unsigned index, xino_t first);
unsigned mend_inodes_at(const struct geometry *geo, const uint8_t *block, xino_t first);
/* Returns the number of the first inode in the block that this inode belongs to. */
xino_t mend_inodes_first(const struct geometry *geo, uint64_t ino);
/* Finds out which block this is, by its first inode, if at least half of its inodes agree. False: they don't. */
bool mend_inodes_home(const struct geometry *geo, const uint8_t *block, xino_t *ret_first);
/* Replaces the inodes of a block that are not intact by those of another block `from`, or else by zeroes. */
void mend_inodes_fill(const struct geometry *geo, uint8_t *block, const uint8_t *from, xino_t first);

/* True if the finding reports an inode that is free by its mode, although the rest of it shows that it is in use. */
static inline bool mend_inode_lost_mode(const struct found *found)
{
	return found->problem.finding == F_INODE_FREE_IN_USE && found->problem.want;
}

/* Stages an inode that looks never used. 0 or negative errno. */
int mend_inode_put_free(struct mend *m, xino_t ino);

/* mend_inode_border.c: a witness for dinode_set_right() that reads blocks as the overlay shows them. */
struct dinode_witness mend_inode_witness(struct mend *m);

/* Returns the inode's bytes as the on-disk struct. */
static inline struct dinode_disk *mend_inode_disk(struct mend_inode *inode)
{
	return (struct dinode_disk *)inode->bytes;
}

/*
 * Replaces a fork's extent map by these sorted extents: in the inode, or in a new bmbt.  Sets format, extent count and
 * nblocks in inode->bytes, which the caller stores.  0, -ENOSPC or another negative errno.
 */
int mend_fork_store(struct mend *m, struct mend_inode *inode, enum fork fork, const struct bmap_record *extents,
		    size_t count);
/*
 * mend_fork_blocks.c: allocates `need` blocks for the new bmbt of a fork that will have these extents; some may be
 * blocks of the old bmbt.  0, -ENOSPC or another negative errno.
 */
int mend_fork_blocks(struct mend *m, const struct mend_inode *inode, enum fork fork, const struct bmap_record *extents,
		     size_t count, fsbno_t *blocks, uint32_t need);
/* Notes that the fork has these extents now, so that their blocks are not handed out. */
void mend_fork_claims(struct mend *m, const struct mend_inode *inode, enum fork fork, const struct bmap_record *extents,
		      size_t count);
/*
 * Likewise for all blocks of an inode that the last check could not decode.  If all its maps are readable now, adds it
 * to m->round.blocks_reported.  0 or negative errno.
 */
int mend_inode_claims(struct mend *m, xino_t ino);
/* True if a block's contents fit block `off` of this fork. */
bool mend_extent_may_hold(struct mend *m, xino_t ino, enum fork which, uint64_t off, fsbno_t fsbno);
/*
 * mend_extent_guess.c: sets the length and file offset that an invalid extent, inline record `index`, must have had;
 * its start stays.  False: unknown.
 */
bool mend_extent_guess(const struct geometry *geo, const struct mend_inode *inode, enum fork which, uint32_t index,
		       struct bmap_record *extent);
/* Sets only the extent count in inode->bytes. */
void mend_fork_put_count(struct mend_inode *inode, enum fork fork, uint64_t count);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An inode and its extent maps in memory, for menders that change it. */
#ifndef XFSCK_REPAIR_MEND_INODE_H
#define XFSCK_REPAIR_MEND_INODE_H

#include "disk/inode.h"
#include "libxfs/dinode_mend.h"
#include "mend/mend.h"

struct mend_fork {
	struct bmap_record *extents; /* by offset; those that make sense */
	size_t count, room;
	uint64_t nodes;		   /* bmbt blocks */
	uint64_t astray;	   /* blocks of extents in the inode of which only the place is lost */
	struct btree_expect *tree; /* where they lie, as far as that is known */
	size_t ntree;
	bool whole; /* all of the map could be read */
};

struct mend_inode {
	xino_t ino;
	uint8_t *bytes;	     /* as on the disk: inode_size of them */
	struct dinode inode; /* of these bytes, as they were when loaded */
	struct mend_fork fork[2];
};

/* Read an inode and the extents of its forks. 0; -ENOENT: it can't be made sense of; or another negative errno. Free it
 * after 0. */
int mend_inode_load(struct mend *m, xino_t ino, struct mend_inode *ret_inode);
/* Without what its extents are: for who needs only what the inode says by itself. Likewise. */
int mend_inode_decode(struct mend *m, xino_t ino, struct mend_inode *ret_inode);
/* Read its bytes only, whatever they are. Likewise. */
int mend_inode_read(struct mend *m, xino_t ino, struct mend_inode *ret_inode);
void mend_inode_free(struct mend_inode *inode);

/* Stage the inode's bytes, with a new checksum. 0 or negative errno. */
int mend_inode_store(struct mend *m, struct mend_inode *inode);

/*
 * mend_inode_block.c: blocks of inodes of version 3, which begin with the inode `first`, wherever they lie; block: the
 * geometry's block_size.  The inode with that index; whether that is whole, and the one that belongs there; how many
 * are.
 */
const struct dinode_disk *mend_inode_in(const struct geometry *geo, const uint8_t *block, unsigned index);
bool mend_inode_lies_at(const struct geometry *geo, const uint8_t *block, unsigned index, xino_t first);
unsigned mend_inodes_at(const struct geometry *geo, const uint8_t *block, xino_t first);
/* The first inode of the block that this one is in. */
xino_t mend_inodes_first(const struct geometry *geo, uint64_t ino);
/* Where a block of inodes belongs, if at least half of them agree; false: it is none, or they don't. */
bool mend_inodes_home(const struct geometry *geo, const uint8_t *block, xino_t *ret_first);
/* Of the inodes of a block, those that are not whole are copied from another block, or cleared. */
void mend_inodes_fill(const struct geometry *geo, uint8_t *block, const uint8_t *from, xino_t first);

/* Stage one that was never used. 0 or negative errno. */
int mend_inode_put_free(struct mend *m, xino_t ino);

/* Tells what is in blocks as they are now, of repair/mend/inode/mend_inode_border.c. */
struct dinode_witness mend_inode_witness(struct mend *m);

/* The inode's bytes as they are on the disk. */
static inline struct dinode_disk *mend_inode_disk(struct mend_inode *inode)
{
	return (struct dinode_disk *)inode->bytes;
}

/*
 * Put these extents, sorted, in place of the fork's: in the inode, or with blocks of their own.  Sets format, number of
 * extents and nblocks; the inode is still to be stored.  0, -ENOSPC or another negative errno.
 */
int mend_fork_store(struct mend *m, struct mend_inode *inode, enum fork fork, const struct bmap_record *extents,
		    size_t count);
/*
 * mend_fork_blocks.c: `need` blocks for the new tree of a fork that is to have these extents.  None of them is free any
 * more, and what was in them is given up.  0, -ENOSPC or another negative errno.
 */
int mend_fork_blocks(struct mend *m, const struct mend_inode *inode, enum fork fork, const struct bmap_record *extents,
		     size_t count, fsbno_t *blocks, uint32_t need);
/* The fork has these extents now: nobody else is to be given their blocks. */
void mend_fork_claims(struct mend *m, const struct mend_inode *inode, enum fork fork, const struct bmap_record *extents,
		      size_t count);
/*
 * It may have blocks that nobody knew to be its, since it could not be made sense of: likewise; if these are all it
 * has, it is one of m->round.told.  0 or negative errno.
 */
int mend_inode_claims(struct mend *m, xino_t ino);
/*
 * mend_extent_guess.c: give an extent that is in the inode, and can't be as it is, the length and the place in the file
 * that it must have had; where it begins stays.  False: nothing tells.
 */
bool mend_extent_guess(const struct geometry *geo, const struct mend_inode *inode, enum fork which, uint32_t index,
		       struct bmap_record *extent);
/* Put the number of extents alone. */
void mend_fork_put_count(struct mend_inode *inode, enum fork fork, uint64_t count);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An inode and its extent maps in memory, for menders that change it. */
#ifndef XFSCK_REPAIR_MEND_INODE_H
#define XFSCK_REPAIR_MEND_INODE_H

#include "disk/inode.h"
#include "libxfs/dinode_mend.h"
#include "report/finding.h"

struct mend;

struct mend_fork {
	struct bmap_record *extents; /* by offset; those that make sense */
	size_t count, room;
	uint64_t nodes;		   /* bmbt blocks below the root */
	uint64_t impossible;	   /* blocks of extents in the inode whose start is impossible: not in extents */
	struct btree_expect *tree; /* where the bmbt blocks lie that the tree leads to */
	size_t ntree;
	bool whole;	/* all of the map could be read */
	fsbno_t *ruins; /* sorted: blocks of the bmbt that hold nothing of it, but are its, so that a new one may lie
			   there */
	size_t nruins, ruins_room;
};

struct mend_inode {
	xino_t ino;
	uint8_t *bytes;	     /* as on the disk, of inode_size; menders change these */
	struct dinode inode; /* decoded from bytes when loaded, and not changed with them */
	struct mend_fork fork[2];
};

/*
 * Read an inode and the extents of its forks.  0, and it is to be freed; -ENOENT: it makes no sense, or can't be read;
 * or another negative errno.
 */
int mend_inode_load(struct mend *m, xino_t ino, struct mend_inode *ret_inode);
/* The same without the extents: fork[] stays empty. */
int mend_inode_decode(struct mend *m, xino_t ino, struct mend_inode *ret_inode);
/* The same of its bytes only, whatever they are: `inode` stays empty, too. */
int mend_inode_read(struct mend *m, xino_t ino, struct mend_inode *ret_inode);
void mend_inode_free(struct mend_inode *inode);
/* The type of an inode; FT_UNKNOWN: it makes no sense, or can't be read. 0 or negative errno. */
int mend_inode_type(struct mend *m, xino_t ino, enum ftype *ret_type);

/* Stage the inode's bytes, with a new checksum. 0 or negative errno. */
int mend_inode_store(struct mend *m, struct mend_inode *inode);
/* The same, and tell that it is mended; found: the first finding about it. */
int mend_inode_store_done(struct mend *m, struct mend_inode *inode, const struct found *found);

/*
 * Mend each inode once, with the first of the findings about it: load(), one of the three above, reads it, and mend()
 * does it.  Inodes that can't be mended are left as mend_left() says.  0 or negative errno.
 */
typedef int mend_inode_load_fn(struct mend *m, xino_t ino, struct mend_inode *ret_inode);
typedef int mend_inode_fn(struct mend *m, struct mend_inode *inode, const struct found *found);
int mend_each_inode(struct mend *m, const struct found *found, size_t count, mend_inode_load_fn *load,
		    mend_inode_fn *mend);

/*
 * A block, of block_size bytes, of inodes of version 3, which are those from `first` on if they say
 * so.  The inode with this index; whether that is whole, and has the number first + index; and how many of them are and
 * have.
 */
const struct dinode_disk *mend_inode_in(const struct geometry *geo, const uint8_t *block, unsigned index);
bool mend_inode_lies_at(const struct geometry *geo, const uint8_t *block, unsigned index, xino_t first);
unsigned mend_inodes_at(const struct geometry *geo, const uint8_t *block, xino_t first);
/* The first inode of the block that this inode belongs in. */
xino_t mend_inodes_first(const struct geometry *geo, uint64_t ino);
/* Which block this one is, by its first inode, if at least half of its inodes agree. False: they don't, or are none. */
bool mend_inodes_home(const struct geometry *geo, const uint8_t *block, xino_t *ret_first);
/* Replace the inodes of a block that are not whole by those of another block `from`, or if these aren't, by zeroes. */
void mend_inodes_fill(const struct geometry *geo, uint8_t *block, const uint8_t *from, xino_t first);

/* True if the finding is that an inode is free by its mode, but the rest of it shows that it is in use. */
static inline bool mend_inode_lost_mode(const struct found *found)
{
	return found->problem.finding == F_INODE_FREE_IN_USE && found->problem.want;
}

/* Stage an inode as one that was never used. 0 or negative errno. */
int mend_inode_put_free(struct mend *m, xino_t ino);

/* mend_inode_border.c: a witness that looks at blocks as the overlay shows them. */
struct dinode_witness mend_inode_witness(struct mend *m);

/* The inode's bytes, as the struct that the disk has. */
static inline struct dinode_disk *mend_inode_disk(struct mend_inode *inode)
{
	return (struct dinode_disk *)inode->bytes;
}

/*
 * Give a fork these extents, which are sorted, in place of its own: in the inode, or in a new bmbt.  Sets format,
 * number of extents and nblocks in inode->bytes, which are still to be stored.  0, -ENOSPC or another negative errno.
 */
int mend_fork_store(struct mend *m, struct mend_inode *inode, enum fork fork, const struct bmap_record *extents,
		    size_t count);
/*
 * mend_fork_blocks.c: find `need` blocks for the new bmbt of a fork that is to have these extents.  Nobody else is
 * given them from then on; some may be blocks of the old bmbt.  0, -ENOSPC or another negative errno.
 */
int mend_fork_blocks(struct mend *m, const struct mend_inode *inode, enum fork fork, const struct bmap_record *extents,
		     size_t count, fsbno_t *blocks, uint32_t need);
/* Note that the fork has these extents now, so that nobody else is given their blocks. */
void mend_fork_claims(struct mend *m, const struct mend_inode *inode, enum fork fork, const struct bmap_record *extents,
		      size_t count);
/*
 * The same for all blocks of an inode of which the last check could not make sense.  If all of its maps can be read
 * now, it is added to m->round.blocks_reported.  0 or negative errno.
 */
int mend_inode_claims(struct mend *m, xino_t ino);
/*
 * Whether the contents of a block may be those that the fork of an inode should have at block
 * `off` of the file.
 */
bool mend_extent_may_hold(struct mend *m, xino_t ino, enum fork which, uint64_t off, fsbno_t fsbno);
/*
 * mend_extent_guess.c: give an impossible extent, record number `index` in the inode, the length and the offset in the
 * file that it must have had; its start stays.  False: nothing tells.
 */
bool mend_extent_guess(const struct geometry *geo, const struct mend_inode *inode, enum fork which, uint32_t index,
		       struct bmap_record *extent);
/* Set only the number of extents in inode->bytes. */
void mend_fork_put_count(struct mend_inode *inode, enum fork fork, uint64_t count);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making inodes anew of which nothing is left, by what others know of them. */
#ifndef XFSCK_REPAIR_MEND_INODE_LOST_H
#define XFSCK_REPAIR_MEND_INODE_LOST_H

#include "mend/base/mend_map.h"
#include "mend/collect/mend_facts.h"

struct mend_inode;
struct metafile;

/*
 * Stage a new inode of this type in place of a lost one, with what others know of it: its blocks, its parent, its
 * generation.  0 or negative errno.
 */
int mend_inode_make_anew(struct mend *m, const struct mend_facts *facts, xino_t ino, enum ftype ftype);

/*
 * The same for the inode of a finding, with the type that others take it for.  If nobody can tell the type, a free
 * inode is staged if or_free, else nothing.  0, also if there is no room for its extent map; or another negative errno.
 */
int mend_inode_lost(struct mend *m, const struct mend_facts *facts, const struct found *found, bool or_free);

/*
 * Make a file of blocks that lack an owner, in a free inode without a name.  0; -ENOSPC: there is none, or no room for
 * its map; or another negative errno.
 */
int mend_inode_of_blocks(struct mend *m, const struct mend_facts *facts, const struct mend_map *map);

/* For m->ahead.block, with facts as its context: the last block of a lost file, which tells how long the file is. */
mend_ahead_fn mend_inode_lost_ahead;

/* The type of a file whose first block this is: FT_DIR or FT_SYMLINK, or FT_UNKNOWN if the block does not tell. */
enum ftype mend_inode_type_by_block(struct mend *m, fsbno_t fsbno);

/* The type of an inode of the metadata tree: a directory or a regular file. */
enum ftype mend_inode_type_of_metafile(const struct metafile *metafile);

/* Make a directory empty, with the directory that names it as its parent; it is still to be stored. 0 or -ENOMEM. */
int mend_inode_empty_directory(struct mend *m, const struct mend_facts *facts, struct mend_inode *inode);

#endif

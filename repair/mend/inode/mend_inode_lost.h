/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inodes of which nothing is left, and what others know of them. */
#ifndef XFSCK_REPAIR_MEND_INODE_LOST_H
#define XFSCK_REPAIR_MEND_INODE_LOST_H

#include "mend/mend_facts.h"
#include "mend_inode.h"

struct metafile;

/*
 * Stage a new inode of that type in place of one that is lost, with what others know of it: its blocks, its parent,
 * its generation.  0 or negative errno.
 */
int mend_inode_make_anew(struct mend *m, const struct mend_facts *facts, xino_t ino, enum ftype ftype);

/*
 * The same for the inode of a finding, of the type that others take it for.  Where nobody can tell the type, a free
 * inode is written if or_free, else nothing.  0, also if there is no room for what it needs, or another negative errno.
 */
int mend_inode_lost(struct mend *m, const struct mend_facts *facts, const struct found *found, bool or_free);

/* For m->ahead.block, with facts as its context: the last block of a lost file, which tells how long the file is. */
mend_ahead_fn mend_inode_lost_ahead;

/* The type of the file that has this as its first block, as far as the block tells; else FT_UNKNOWN. */
enum ftype mend_inode_type_by_block(struct mend *m, fsbno_t fsbno);

/* The type of a file of the metadata tree. */
enum ftype mend_inode_type_of_metafile(const struct metafile *metafile);

/* Make it a directory that holds nothing, in the directory that names it; it is still to be stored. 0 or -ENOMEM. */
int mend_inode_empty_directory(struct mend *m, const struct mend_facts *facts, struct mend_inode *inode);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recreates lost inodes from what other metadata says of them. */
#ifndef XFSCK_REPAIR_MEND_INODE_LOST_H
#define XFSCK_REPAIR_MEND_INODE_LOST_H

#include "mend/base/mend_map.h"
#include "mend/collect/mend_facts.h"

struct mend_inode;
struct metafile;

/*
 * Stages a new inode of this type for a lost one, with its blocks, parent and generation as far as others have them.  0
 * or negative errno.
 */
int mend_inode_make_anew(struct mend *m, const struct mend_facts *facts, xino_t ino, enum ftype ftype);

/*
 * Likewise for the inode of a finding, with the type that others give it.  If the type is unknown, stages a free inode
 * if or_free, else nothing.  0, also if there is no room for its extent map; or another negative errno.
 */
int mend_inode_lost(struct mend *m, const struct mend_facts *facts, const struct found *found, bool or_free);

/*
 * Makes a file from unowned blocks, in a free inode without a name.  0; -ENOSPC: no free inode, or no room for its
 * extent map; or another negative errno.
 */
int mend_inode_of_blocks(struct mend *m, const struct mend_facts *facts, const struct mend_map *map);

/* For m->ahead.block, with facts as its context: the last block of a lost file, which shows the file's length. */
mend_ahead_fn mend_inode_lost_ahead;

/* Returns the type of a file by its first block: FT_DIR, FT_SYMLINK, or FT_UNKNOWN. */
enum ftype mend_inode_type_by_block(struct mend *m, fsbno_t fsbno);

/* Returns the type of an inode of the metadata tree: directory or regular file. */
enum ftype mend_inode_type_of_metafile(const struct metafile *metafile);

/* Makes a directory empty, with the directory that names it as parent. The caller stores it. 0 or -ENOMEM. */
int mend_inode_empty_directory(struct mend *m, const struct mend_facts *facts, struct mend_inode *inode);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays log items (ondisk 11, "Recovery rules").  These functions change bytes that the caller has read from the disk
 * and will stage.  They report items that can't be applied.
 */
#ifndef XFSCK_LIBXFS_LOG_APPLY_H
#define XFSCK_LIBXFS_LOG_APPLY_H

#include "libxfs/log_item.h"

enum log_applied {
	LOG_APPLIED,
	LOG_NEWER,	/* the disk is at least as new, and was not changed */
	LOG_IMPOSSIBLE, /* the item does not fit the bytes on the disk, which was reported: don't use them */
};

/* Copies the logged ranges of a buffer item to a buffer of len bytes; skips ranges beyond its end. */
void log_buf_apply(const struct log_item *item, uint8_t *buf, uint32_t len);

/*
 * Like log_buf_apply(), for a buffer of inodes (LOG_BUF_INODE): copies only the next_unlinked pointers, since inode
 * items log the rest.  False: some of them are invalid, which was reported; don't use buf.
 */
bool log_unlinked_apply(const struct check *c, const struct log_item *item, uint8_t *buf, uint32_t len);

/* Changes the inode of inode_size bytes at dinode, and sets its LSN (version 5) and checksum. */
enum log_applied log_inode_apply(const struct check *c, const struct log_inode *inode, lsn_t lsn, uint8_t *dinode);

/* Builds a free inode of inode_size bytes, as the kernel does for a new chunk, with LSN 0. */
void log_icreate_apply(const struct geometry *geo, xino_t ino, uint32_t gen, uint8_t *dinode);

/* Changes the record of a quota file, and sets its checksum; keeps its LSN. */
enum log_applied log_dquot_apply(const struct check *c, const struct log_dquot *dquot, lsn_t lsn, uint8_t *record);

#endif

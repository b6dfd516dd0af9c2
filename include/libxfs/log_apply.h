/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replay of log items (ondisk 11, "Recovery rules").  These functions change bytes that the caller has read from the
 * disk and will stage.  What can't be applied is reported.
 */
#ifndef XFSCK_LIBXFS_LOG_APPLY_H
#define XFSCK_LIBXFS_LOG_APPLY_H

#include "libxfs/log_item.h"

enum log_applied {
	LOG_APPLIED,
	LOG_NEWER,	/* what is on the disk is at least as new, and was not changed */
	LOG_IMPOSSIBLE, /* the item does not fit to what is on the disk, which was reported: don't use the bytes */
};

/* Copy the logged pieces of a buffer item to a buffer of len bytes; pieces that exceed it are left out. */
void log_buf_apply(const struct log_item *item, uint8_t *buf, uint32_t len);

/*
 * The same for a buffer of inodes (LOG_BUF_INODE): only the next_unlinked pointers are copied, since the rest of an
 * inode is logged in inode items.  False: some of them are impossible, which was reported; don't use buf.
 */
bool log_unlinked_apply(const struct check *c, const struct log_item *item, uint8_t *buf, uint32_t len);

/* Change the inode of inode_size bytes at dinode, and set its LSN (version 5) and checksum. */
enum log_applied log_inode_apply(const struct check *c, const struct log_inode *inode, lsn_t lsn, uint8_t *dinode);

/* Build a free inode of inode_size bytes, as the kernel does for a new chunk, with LSN 0. */
void log_icreate_apply(const struct geometry *geo, xino_t ino, uint32_t gen, uint8_t *dinode);

/* Change the record of a quota file, and set its checksum; its LSN stays as it is. */
enum log_applied log_dquot_apply(const struct check *c, const struct log_dquot *dquot, lsn_t lsn, uint8_t *record);

#endif

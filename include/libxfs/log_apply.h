/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an item of the log makes of the bytes on the disk (ondisk 11, "Recovery rules").  These change buffers that the
 * caller has read and will stage; what can't be applied is reported.
 */
#ifndef XFSCK_LIBXFS_LOG_APPLY_H
#define XFSCK_LIBXFS_LOG_APPLY_H

#include "libxfs/log_item.h"

enum log_applied {
	LOG_APPLIED,
	LOG_NEWER,	/* what is on the disk has been written after the item was logged: it stays */
	LOG_IMPOSSIBLE, /* reported */
};

/* Copy the logged pieces of a buffer item to a buffer of len bytes; pieces beyond it count for nothing. */
void log_buf_apply(const struct log_item *item, uint8_t *buf, uint32_t len);

/*
 * Of a buffer of inodes only the pointers of the unlinked lists count, since the rest is logged with each inode. False:
 * some could not be set, and buf is not to be used.
 */
bool log_unlinked_apply(const struct check *c, const struct log_item *item, uint8_t *buf, uint32_t len);

/*
 * Change the inode of inode_size bytes, dated lsn and with its checksum. LOG_IMPOSSIBLE: what is there is not to be
 * used.
 */
enum log_applied log_inode_apply(const struct check *c, const struct log_inode *inode, lsn_t lsn, uint8_t *dinode);

/* Make a free inode of inode_size bytes. */
void log_icreate_apply(const struct geometry *geo, xino_t ino, uint32_t gen, uint8_t *dinode);

/* Change the record of a quota file, which is dated by whoever writes it later. */
enum log_applied log_dquot_apply(const struct check *c, const struct log_dquot *dquot, lsn_t lsn, uint8_t *record);

#endif

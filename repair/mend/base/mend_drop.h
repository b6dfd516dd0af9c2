/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dropping: whatever a mender had in hand and does not put back, it drops by one of these, with the reason, so that
 * nothing is lost in silence.  A record may be dropped several times, in any round; if it is there after all at the
 * end, it is no loss.  So a mender calls this when it decides, and need not know what others will find.
 */
#ifndef XFSCK_REPAIR_MEND_DROP_H
#define XFSCK_REPAIR_MEND_DROP_H

#include "mend/loss/drops.h"

struct mend;

/*
 * All of these: only by the thread that runs menders; names are copied.
 *
 * A name in a directory; target: the inode that it leads to, NULL_INO if that is not known.
 */
void mend_drop_name(struct mend *m, xino_t directory, const uint8_t *name, uint8_t namelen, xino_t target,
		    enum drop_reason reason);
/* A name that stays, though the file had another one, which nothing tells. */
void mend_doubt_name(struct mend *m, xino_t directory, const uint8_t *name, uint8_t namelen, xino_t target);
/* Blocks [offset, offset + blocks) of a file's data: they are a hole from now on. */
void mend_drop_data(struct mend *m, xino_t ino, uint64_t offset, uint64_t blocks, enum drop_reason reason);
/* Which blocks the data of a file has is a guess, at least in part: what it has gained or changed may be of another. */
void mend_guess_data(struct mend *m, xino_t ino);
/* An attribute, its flags as on the disk; namelen 0: its name is not known. */
void mend_drop_attribute(struct mend *m, xino_t ino, uint8_t flags, const uint8_t *name, uint8_t namelen,
			 enum drop_reason reason);
/* The target of a symbolic link. */
void mend_drop_target(struct mend *m, xino_t ino, enum drop_reason reason);
/* An inode with all that it holds: it is free from now on. */
void mend_drop_inode(struct mend *m, xino_t ino, enum drop_reason reason);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records what menders give up.  A mender calls one of these, with a reason, for each record that it had and does not
 * write back, so that no loss is silent.  The same record may be dropped several times, in any round.  If it exists at
 * the end of the repair, it is not reported as lost.
 */
#ifndef XFSCK_REPAIR_MEND_DROP_H
#define XFSCK_REPAIR_MEND_DROP_H

#include "mend/loss/drops.h"

struct mend;

/*
 * These functions must be called by the thread that runs the menders.  They copy names.
 *
 * Drops a directory entry.  target: the inode that it points to; NULL_INO: unknown.  With DROP_ALTERED or
 * DROP_UNCONFIRMED it is kept, but its real name was different, or may have been.
 */
void mend_drop_name(struct mend *m, xino_t directory, const uint8_t *name, uint8_t namelen, xino_t target,
		    enum drop_reason reason);
/* Drops blocks [offset, offset + blocks) of a file's data; they become a hole. */
void mend_drop_data(struct mend *m, xino_t ino, uint64_t offset, uint64_t blocks, enum drop_reason reason);
/* Records that a file's extent map is at least partly a guess: blocks gained or changed may be another file's. */
void mend_guess_data(struct mend *m, xino_t ino);
/* Drops an attribute; flags as on disk. namelen 0: its name is unknown. */
void mend_drop_attribute(struct mend *m, xino_t ino, uint8_t flags, const uint8_t *name, uint8_t namelen,
			 enum drop_reason reason);
/* Drops the target of a symbolic link.  With DROP_UNCONFIRMED it is kept, but may have been different. */
void mend_drop_target(struct mend *m, xino_t ino, enum drop_reason reason);
/* Drops an inode and all that it holds; it becomes free. */
void mend_drop_inode(struct mend *m, xino_t ino, enum drop_reason reason);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Superblocks as a whole: the log that they tell of, their copies, and file systems that are made smaller. */
#ifndef XFSCK_REPAIR_MEND_SB_H
#define XFSCK_REPAIR_MEND_SB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct found;
struct mend;

struct sb_disk;
/*
 * mend_sb_log.c: if no superblock says where the log is, look for it and put its place into this one; the caller sets
 * the checksum.  0, also if no log is found; or a negative errno.
 */
int mend_sb_log(struct mend *m, struct sb_disk *sb, const struct found *found, size_t count);
/*
 * Make a new log of `blocks` blocks, or half as many at least, in free ones before block `limit`, and put its place
 * into this superblock.  0, -ENOSPC or another negative errno.
 */
int mend_log_move(struct mend *m, struct sb_disk *sb, uint64_t limit, uint32_t blocks);
/*
 * Stage copies of this primary superblock as the secondary ones of AGs [1, agcount), as far as the
 * device reaches.  0 or negative errno.
 */
int mend_sb_copies_write(const struct mend *m, const uint8_t *primary, uint32_t agcount);
/* mend_shrink.c: the mender at work is done; m->done was `done` before. Notes if the shrinking has cost something. */
void mend_shrink_note(struct mend *m, uint64_t done);
/*
 * True if making the file system fit a block device that is too short would lose something in use, and the user has not
 * allowed that.  If so the user is told.
 */
bool mend_shrink_refused(struct mend *m);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Superblocks as a whole: the location of the log, backup superblocks, and shrinking the file system. */
#ifndef XFSCK_REPAIR_MEND_SB_H
#define XFSCK_REPAIR_MEND_SB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct found;
struct mend;

struct sb_disk;
/*
 * mend_sb_log.c: if no superblock has the location of the log, searches for the log and sets its location in this
 * superblock; the caller sets the checksum.  0, also if no log is found; or negative errno.
 */
int mend_sb_log(struct mend *m, struct sb_disk *sb, const struct found *found, size_t count);
/*
 * Makes a new log of `blocks` blocks, or at least half as many, in free space before block `limit`, and sets its
 * location in this superblock.  0, -ENOSPC or another negative errno.
 */
int mend_log_move(struct mend *m, struct sb_disk *sb, uint64_t limit, uint32_t blocks);
/* Stages this primary superblock as backups in AGs [1, agcount) within the device. 0 or negative errno. */
int mend_sb_copies_write(const struct mend *m, const uint8_t *primary, uint32_t agcount);
/* mend_shrink.c: call after each mender; done: m->done before it. Notes if shrinking has cost something. */
void mend_shrink_note(struct mend *m, uint64_t done);
/*
 * True if shrinking the file system to a too short block device would lose something in use, and the user has not
 * allowed that.  Reports this.
 */
bool mend_shrink_refused(struct mend *m);

#endif

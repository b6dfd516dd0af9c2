/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds inode clusters whose last write was lost, by the LSNs of what contradicts their inodes.  They have valid
 * checksums, so all that menders can do is to report that these inodes may lack their latest changes.  Version 5 only.
 */
#ifndef XFSCK_REPAIR_MEND_STALE_H
#define XFSCK_REPAIR_MEND_STALE_H

#include <stddef.h>

struct found;
struct mend;

/*
 * Reports inodes in clusters that newer directories or blocks contradict (inode_doubt_stale()), and notes clusters
 * whose link counts differ from the entries (m->notes.odd_links).  found: all findings of the first check.  0 or
 * -ENOMEM.
 */
int mend_stale_find(struct mend *m, const struct found *found, size_t count);
/*
 * Likewise for noted clusters in the same part of the device as stale ones, known from any round.  Call it after all
 * rounds.  0 or -ENOMEM.
 */
int mend_stale_spread(struct mend *m);

#endif

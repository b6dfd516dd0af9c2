/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings that the next check would make because of what was mended. */
#ifndef XFSCK_REPAIR_MEND_FOLLOWS_H
#define XFSCK_REPAIR_MEND_FOLLOWS_H

#include "report/finding.h"

struct geometry;
struct mend;

/*
 * Add a finding that the next check would make because of what was mended.  The mender of that kind
 * gets it before the round goes on. The name is copied.  0 or -ENOMEM.
 */
int mend_follows(struct mend *m, enum mend_kind kind, const struct found *found);
/* The place of findings about this inode. */
struct place mend_place_of_inode(const struct geometry *geo, xino_t ino);
/* mend_follows() for an inode, for an inode that lacks a parent pointer, and for a counter of the superblock. */
int mend_follows_inode(struct mend *m, enum mend_kind kind, enum finding finding, xino_t ino);
int mend_follows_pptr(struct mend *m, xino_t ino, xino_t parent, const uint8_t *name, uint8_t namelen);
int mend_follows_count(struct mend *m, enum finding finding, uint64_t want);

#endif

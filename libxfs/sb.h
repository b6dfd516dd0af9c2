/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of sb_decode(), one per subject, in the order in which they build
 * on each other.  Each checks its fields of the superblock and fills its part
 * of the geometry; none looks at c->geo.
 */
#ifndef XFSCK_LIBXFS_SB_H
#define XFSCK_LIBXFS_SB_H

#include "check.h"
#include "disk/sb.h"

#define SB_OFFSET(field) ((uint32_t)offsetof(struct sb_disk, field))

/* Version and feature words. False: a file system that this program does not check. */
bool sb_features_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g);

/* Sizes of sectors, blocks, inodes, directory blocks and AGs. False: they contradict each other. */
bool sb_sizes_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g);

/* Realtime fields. False: there is a realtime section. */
bool sb_rt_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g);

/* Alignment of inode chunks; needs features and sizes. */
void sb_align_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g);
/* Stripe unit and width against the rest of the same superblock, primary or secondary. */
void sb_stripe_check(const struct check *c, const struct sb_disk *sb, uint32_t agblocks);

/* The log; needs features and sizes. */
void sb_log_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g);

/* Inodes that the superblock names, and quota flags; needs all of the above. */
void sb_inodes_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g);
/* A number that stands for "no quota inode". */
static inline bool sb_no_inode(uint64_t ino)
{
	return ino == 0 || ino == NULL_INO;
}

/* Most inodes that fit in the file system. */
uint64_t sb_max_icount(const struct geometry *g);

/* Reports bytes that are not zero behind the last field in use; len: that of the sector. */
void sb_tail_check(const struct check *c, const struct sb_disk *sb, size_t len);

#endif

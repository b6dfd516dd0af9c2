/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of sb_decode(), one per subject, each of which uses the results of those before it.  Each checks its fields
 * of the superblock and fills its part of the geometry; none reads c->geo.
 */
#ifndef XFSCK_LIBXFS_SB_H
#define XFSCK_LIBXFS_SB_H

#include "check.h"
#include "disk/sb.h"

#define SB_OFFSET(field) ((uint32_t)offsetof(struct sb_disk, field))

/* Version and feature words.  False: this program does not check such a file system. */
bool sb_features_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g);

/* The version of the format: 5, or one without checksums. */
uint32_t sb_version(const struct sb_disk *sb);

/* The word versionnum; if it is invalid, one that agrees with the fields that its bits announce. */
uint32_t sb_versionnum(const struct sb_disk *sb);

/* The right value of features2.  In version 4 it includes the bits of its copy, bad_features2, if both are legal. */
uint32_t sb_features2(const struct sb_disk *sb);
/* Reports, as harmless, that the copy of features2 lacks bits, or in version 4 is the only one to have them. */
void sb_features2_check_copy(const struct check *c, const struct sb_disk *sb);

/* The sector size if it is known before all other fields are decoded, or 0.  Reports nothing. */
uint32_t sb_sector_size(const struct sb_disk *sb);

/* Sizes of sectors, blocks, inodes, directory blocks and AGs. False: they contradict each other. */
bool sb_sizes_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g);

/* Realtime fields; needs features and sizes. False: several contradict each other. */
bool sb_rt_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g);

/* Alignment of inode chunks; needs features and sizes. */
void sb_align_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g);

/* The log; needs features and sizes. */
void sb_log_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g);

/* The minimum size in blocks of a log that a kernel mounts in version 5; 0: unknown.  Needs btree_limits(). */
uint32_t sb_log_min(const struct geometry *g);

/* Inodes that the superblock names, and quota flags; needs all of the above. */
void sb_inodes_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g);
/* The quota inodes and quota flags; needs the other inodes. */
void sb_quota_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g);

/* The largest number of inodes that the file system can have. */
uint64_t sb_max_icount(const struct geometry *g);

/* Size of the used part of the struct in bytes: ondisk 01, after the table of fields. */
uint32_t sb_used_size(const struct sb_disk *sb);

#endif

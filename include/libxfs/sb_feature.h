/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Features that can be added to an existing file system, or removed from it, with -c (ondisk 00, section 4; 01). */
#ifndef XFSCK_LIBXFS_SB_FEATURE_H
#define XFSCK_LIBXFS_SB_FEATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry.h"

/* x(name as the user writes it, description for the user) */
/* clang-format off */
#define SB_FEATURE_TABLE(x)                                                          \
	x(lazycount,  "counters of the superblock that are written at unmount only") \
	x(inobtcount, "counters of blocks of inode btrees")                          \
	x(bigtime,    "timestamps up to the year 2486")                              \
	x(nrext64,    "large counters of extents")                                   \
	x(exchange,   "exchange of the contents of files")
/* clang-format on */

enum sb_feature {
#define x(name, text) SB_FEATURE_##name,
	SB_FEATURE_TABLE(x)
#undef x
		SB_FEATURE_NR,
};

bool sb_feature_has(const struct geometry *geo, enum sb_feature feature);
/*
 * The reason why the feature can't be added (on) or removed: a clause, such as "it is of version 4".  NULL: it can; the
 * caller knows which features can be removed at all.
 */
const char *sb_feature_refusal(const struct geometry *geo, enum sb_feature feature, bool on);
/* Sets or clears the feature in a superblock of size bytes, and sets the checksum. */
void sb_feature_set(uint8_t *sector, size_t size, enum sb_feature feature, bool on);

/*
 * The mark of a repair in progress, with which kernels refuse to mount (ondisk 00): the feature bit NEEDSREPAIR.  In
 * version 4 it is `inprogress`, the flag of a running mkfs, with the same effect.
 */

/*
 * Sets or clears the mark in the size bytes (at least 512) of a primary superblock.  False, with nothing changed: it is
 * not a superblock of a known version, or in version 5 its checksum is wrong, so that no kernel mounts it anyway.
 */
bool sb_mark_needsrepair(uint8_t *sector, size_t size, bool on);

#endif

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
 * Why the feature can't be added (on), or removed: a clause, as "it is of version 4".  NULL: it can; which features can
 * be removed at all is for the caller to know.
 */
const char *sb_feature_refusal(const struct geometry *geo, enum sb_feature feature, bool on);
/* Set or clear the feature in a superblock of size bytes, and set the checksum. */
void sb_feature_set(uint8_t *sector, size_t size, enum sb_feature feature, bool on);

/*
 * The mark in a superblock that a repair is under way, with which kernels refuse to mount (ondisk 00): the feature bit
 * NEEDSREPAIR.  Version 4 does not have it; there `inprogress` is set, which mkfs sets while it runs, to the same
 * effect.
 */

/*
 * Set or clear the mark in the size bytes (at least 512) of a primary superblock.  False, with nothing changed: it is
 * no superblock of a known version, or, in version 5, its checksum is wrong, so that no kernel mounts it anyway.
 */
bool sb_mark_needsrepair(uint8_t *sector, size_t size, bool on);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Features that can be added to an existing file system, or removed from it, with -c (ondisk 00, section 4; 01). */
#ifndef XFSCK_LIBXFS_SB_FEATURE_H
#define XFSCK_LIBXFS_SB_FEATURE_H

#include <stddef.h>

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

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Features that a file system can get, or lose, later on: -c (ondisk 00, section 4; 01). */
#ifndef XFSCK_LIBXFS_SB_FEATURE_H
#define XFSCK_LIBXFS_SB_FEATURE_H

#include <stddef.h>

#include "geometry.h"

/* x(name as the user writes it, what it is) */
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
/* Why the file system can't get it (or, on false, lose it): a clause, "it is of version 4". NULL: it can. */
const char *sb_feature_refusal(const struct geometry *geo, enum sb_feature feature, bool on);
/* Change it in a superblock of size bytes, whose checksum is right afterwards. */
void sb_feature_set(uint8_t *sector, size_t size, enum sb_feature feature, bool on);

#endif

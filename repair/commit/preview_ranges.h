/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which ranges of a device a commit changes, all layers taken together. */
#ifndef XFSCK_REPAIR_PREVIEW_RANGES_H
#define XFSCK_REPAIR_PREVIEW_RANGES_H

#include "preview_list.h"

struct commit;

/* 0 goes on; anything else ends it. */
typedef int preview_range_fn(void *ctx, const struct preview_range *range);

/*
 * Call fn() for these ranges, in ascending order: device, offset, len and layer are set, which is the uppermost of
 * those that change it.  On the data device the primary superblock is one of them.  What fn() returned, or a negative
 * errno.
 */
int preview_ranges(struct commit *c, unsigned device, preview_range_fn *fn, void *ctx);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the rectangles of a treemap lie: as large as what they stand for, and as close to squares as can be. */
#ifndef XFSCK_REPAIR_TREEMAP_H
#define XFSCK_REPAIR_TREEMAP_H

#include <stddef.h>
#include <stdint.h>

struct treemap_rect {
	double x, y, width, height;
};

/*
 * Divide the frame, whose sides are not negative, among things of these sizes, which should be in descending order; all
 * sizes are allowed.  rects[]: one for each, inside the frame; without area for those of size 0, and for all if the
 * frame has none.  The method is that of Bruls, Huizing and van Wijk, "Squarified treemaps" (2000).
 */
void treemap_layout(const uint64_t *sizes, size_t count, const struct treemap_rect *frame, struct treemap_rect *rects);

#endif

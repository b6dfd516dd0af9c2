/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places the rectangles of a treemap: their areas are in proportion to sizes, and their shapes close to squares. */
#ifndef XFSCK_REPAIR_TREEMAP_H
#define XFSCK_REPAIR_TREEMAP_H

#include <stddef.h>
#include <stdint.h>

struct treemap_rect {
	double x, y, width, height;
};

/*
 * Divides the frame, whose sides are not negative, among items of these sizes, in descending order for good shapes.
 * rects has room for one per item; those of size 0 have no area, nor has any if the frame has none. The method is that
 * of Bruls, Huizing and van Wijk, "Squarified treemaps" (2000).
 */
void treemap_layout(const uint64_t *sizes, size_t count, const struct treemap_rect *frame, struct treemap_rect *rects);

#endif

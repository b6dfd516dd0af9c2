/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lays rows of rectangles along the shorter side of the free part of the frame. A row takes one more rectangle as long
 * as that does not make the worst aspect ratio worse.
 */
#include "treemap.h"

#include <stdbool.h>

/* Returns the worst aspect ratio in a row with this area along this side. */
static double worst(double largest, double smallest, double area, double side)
{
	const double wide = side * side * largest / (area * area), high = area * area / (side * side * smallest);

	return wide > high ? wide : high;
}

/* Returns how many items make a row along this side; scale: area per unit of size. */
static size_t row_length(const uint64_t *sizes, size_t count, double scale, double side)
{
	double area = 0, last = 0;
	size_t n = 0;

	for (; n < count && sizes[n]; n++) {
		const double size = (double)sizes[n] * scale, first = (double)sizes[0] * scale;
		const double now = worst(first > size ? first : size, size, area + size, side);

		if (n && now > last)
			break;
		area += size;
		last = now;
	}
	return n;
}

static double sum_of(const uint64_t *sizes, size_t count)
{
	double sum = 0;

	for (size_t i = count; i-- > 0;) /* small ones first, for precision */
		sum += (double)sizes[i];
	return sum;
}

/* Places a row at the edge of the free part, and subtracts its share from that. */
static void lay_row(const uint64_t *sizes, size_t count, double share, struct treemap_rect *left,
		    struct treemap_rect *rects)
{
	const bool upright = left->width >= left->height;
	const double side = upright ? left->height : left->width, sum = sum_of(sizes, count);
	const double across = (upright ? left->width : left->height) * share;
	double at = 0;

	for (size_t i = 0; i < count; i++) {
		/* the last one ends where the side does, whatever the rounding errors */
		const double length = i + 1 == count ? side - at : side * ((double)sizes[i] / sum);

		if (upright)
			rects[i] = (struct treemap_rect){ left->x, left->y + at, across, length };
		else
			rects[i] = (struct treemap_rect){ left->x + at, left->y, length, across };
		at += length;
	}
	if (upright) {
		left->x += across;
		left->width -= across;
	} else {
		left->y += across;
		left->height -= across;
	}
}

void treemap_layout(const uint64_t *sizes, size_t count, const struct treemap_rect *frame, struct treemap_rect *rects)
{
	struct treemap_rect left = *frame;

	for (size_t at = 0, n; at < count; at += n) {
		const double rest = sum_of(sizes + at, count - at);
		const double side = left.width < left.height ? left.width : left.height;

		n = rest > 0 && side > 0 ? row_length(sizes + at, count - at, left.width * left.height / rest, side)
					 : 0;
		if (n)
			lay_row(sizes + at, n, sum_of(sizes + at, n) / rest, &left, rects + at);
		else
			rects[at] = (struct treemap_rect){ left.x, left.y, 0, 0 };
		n += !n;
	}
}

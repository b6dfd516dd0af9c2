/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A binary heap of ranges by their ends, with the sum of their counts. */
#include "open_ranges.h"

#include "array.h"

void open_ranges_free(struct open_ranges *open)
{
	free(open->v);
	*open = (struct open_ranges){ 0 };
}

static void swap(struct open_range *a, struct open_range *b)
{
	struct open_range old = *a;

	*a = *b;
	*b = old;
}

int open_ranges_add(struct open_ranges *open, uint64_t end, struct times times)
{
	size_t i = open->count;

	if (array_add(open->v, open->room, open->count, (struct open_range){ end, times }))
		return -ENOMEM;
	for (; i && open->v[i].end < open->v[(i - 1) / 2].end; i = (i - 1) / 2)
		swap(&open->v[i], &open->v[(i - 1) / 2]);
	open->sum.used += times.used;
	open->sum.free += times.free;
	open->sum.allowed += times.allowed;
	open->sum.alone += times.alone;
	return 0;
}

uint64_t open_ranges_end(const struct open_ranges *open)
{
	return open->count ? open->v[0].end : UINT64_MAX;
}

static void close_first(struct open_ranges *open)
{
	const struct times times = open->v[0].times;

	open->v[0] = open->v[--open->count];
	for (size_t i = 0, least; 2 * i + 1 < open->count; i = least) {
		least = 2 * i + 1;
		if (least + 1 < open->count && open->v[least + 1].end < open->v[least].end)
			least++;
		if (open->v[i].end <= open->v[least].end)
			break;
		swap(&open->v[i], &open->v[least]);
	}
	open->sum.used -= times.used;
	open->sum.free -= times.free;
	open->sum.allowed -= times.allowed;
	open->sum.alone -= times.alone;
}

void open_ranges_close(struct open_ranges *open, uint64_t end)
{
	while (open->count && open->v[0].end == end)
		close_first(open);
}

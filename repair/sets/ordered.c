/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts arrays of records by their members. */
#define _GNU_SOURCE 1 /* qsort_r() */
#include "ordered.h"

#include <stdlib.h>

#include "sort.h"

int ordered_compare(const void *a, const void *b, const struct member *members)
{
	int ret = 0;

	for (const struct member *member = members; member->record && !ret; member++)
		ret = number_order(ordered_number(a, 0, *member), ordered_number(b, 0, *member));
	return ret;
}

static int order(const void *a, const void *b, void *members)
{
	return ordered_compare(a, b, members);
}

void ordered_sort(void *records, size_t count, const struct member *members)
{
	if (count)
		qsort_r(records, count, members->record, order, (void *)members);
}

size_t ordered_place(const void *records, size_t count, const void *key, const struct member *members)
{
	const uint8_t *v = records;
	size_t low = 0, high = count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (ordered_compare(v + middle * members->record, key, members) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t ordered_alike(const void *records, size_t count, const struct member *members)
{
	const uint8_t *v = records;
	size_t n = 0;

	while (n < count && !ordered_compare(v, v + n * members->record, members))
		n++;
	return n;
}

size_t ordered_unique(void *records, size_t count, const struct member *members)
{
	const size_t size = members->record;
	uint8_t *v = records;
	size_t kept = 0;

	ordered_sort(records, count, members);
	for (size_t i = 0; i < count; i++)
		if (!kept || ordered_compare(v + (kept - 1) * size, v + i * size, members))
			memmove(v + kept++ * size, v + i * size, size);
	return kept;
}

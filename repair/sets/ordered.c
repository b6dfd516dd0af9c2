/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts arrays of records by their members. */
#define _GNU_SOURCE 1 /* qsort_r() */
#include "ordered.h"

#include <stdlib.h>

#include "sort.h"

static int order(const void *a, const void *b, void *members)
{
	int ret = 0;

	for (const struct member *member = members; member->record && !ret; member++)
		ret = number_order(ordered_number(a, 0, *member), ordered_number(b, 0, *member));
	return ret;
}

void ordered_sort(void *records, size_t count, const struct member *members)
{
	if (count)
		qsort_r(records, count, members->record, order, (void *)members);
}

size_t ordered_unique(void *records, size_t count, const struct member *members)
{
	const size_t size = members->record;
	uint8_t *v = records;
	size_t kept = 0;

	ordered_sort(records, count, members);
	for (size_t i = 0; i < count; i++)
		if (!kept || order(v + (kept - 1) * size, v + i * size, (void *)members))
			memmove(v + kept++ * size, v + i * size, size);
	return kept;
}

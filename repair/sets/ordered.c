/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts arrays of records by their members. */
#define _GNU_SOURCE 1 /* qsort_r() */
#include "ordered.h"

#include <stdlib.h>

#include "array.h"
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

/* A record to search for. */
struct key {
	const void *record;
	const struct member *members;
};

static bool is_below(const void *element, const void *key)
{
	const struct key *k = key;

	return ordered_compare(element, k->record, k->members) < 0;
}

size_t ordered_place(const void *records, size_t count, const void *key, const struct member *members)
{
	return array_lower_bound(records, count, members->record, &(struct key){ key, members }, is_below);
}

size_t ordered_same(const void *records, size_t count, const void *key, const struct member *members)
{
	const size_t at = ordered_place(records, count, key, members);

	return at < count && !ordered_compare((const uint8_t *)records + at * members->record, key, members) ? at
													     : count;
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One pass spreads the records over many small ranges of numbers, in place in the new array; each range then fits into
 * the processor's cache while it is sorted.
 */
#include "spread_sort.h"

#include <stdlib.h>
#include <string.h>

#define RANGE_RECORDS 64u /* on average */
#define RANGES_LOG    16u /* at most */

struct ranges {
	uint64_t least;
	unsigned shift;	  /* (number - least) >> shift is the range */
	size_t *next;	  /* where the next record of each goes */
	size_t count, of; /* ranges, records */
};

static void find_bounds(const struct spread_part *parts, unsigned nparts, const struct spread_order *o,
			uint64_t *ret_least, uint64_t *ret_most)
{
	*ret_least = UINT64_MAX;
	*ret_most = 0;
	for (unsigned i = 0; i < nparts; i++) {
		for (size_t k = 0; k < parts[i].count; k++) {
			uint64_t number = o->number(parts[i].records + k * o->size, o->ctx);

			*ret_least = number < *ret_least ? number : *ret_least;
			*ret_most = number > *ret_most ? number : *ret_most;
		}
	}
}

static size_t range_of(const struct ranges *r, const struct spread_order *o, const uint8_t *record)
{
	return (size_t)((o->number(record, o->ctx) - r->least) >> r->shift);
}

static int make_ranges(struct ranges *r, const struct spread_part *parts, unsigned nparts, const struct spread_order *o)
{
	uint64_t most;
	size_t begin = 0, wanted = 2; /* so that any shift is less than 64 */

	while (wanted < r->of / RANGE_RECORDS && wanted < 1u << RANGES_LOG)
		wanted *= 2;
	find_bounds(parts, nparts, o, &r->least, &most);
	while ((most - r->least) >> r->shift >= wanted)
		r->shift++;
	r->count = (size_t)((most - r->least) >> r->shift) + 1;
	r->next = calloc(r->count, sizeof(*r->next));
	if (!r->next)
		return -1;
	for (unsigned i = 0; i < nparts; i++)
		for (size_t k = 0; k < parts[i].count; k++)
			r->next[range_of(r, o, parts[i].records + k * o->size)]++;
	for (size_t i = 0; i < r->count; i++) {
		size_t records = r->next[i];

		r->next[i] = begin;
		begin += records;
	}
	return 0;
}

static void spread(struct ranges *r, const struct spread_part *part, const struct spread_order *o, uint8_t *to)
{
	for (size_t k = 0; k < part->count; k++) {
		const uint8_t *record = part->records + k * o->size;

		memcpy(to + r->next[range_of(r, o, record)]++ * o->size, record, o->size);
	}
}

static void drop(struct spread_part *part)
{
	free(part->records);
	*part = (struct spread_part){ 0 };
}

uint8_t *spread_sort(struct spread_part *parts, unsigned nparts, const struct spread_order *o, size_t *ret_count)
{
	struct ranges r = { 0 };
	uint8_t *sorted = NULL;

	for (unsigned i = 0; i < nparts; i++)
		r.of += parts[i].count;
	*ret_count = r.of;
	sorted = malloc((r.of + 1) * o->size);
	if (sorted && r.of && make_ranges(&r, parts, nparts, o)) {
		free(sorted);
		sorted = NULL;
	}
	for (unsigned i = 0; i < nparts; i++) {
		if (sorted && r.of)
			spread(&r, &parts[i], o, sorted);
		drop(&parts[i]);
	}
	for (size_t i = 0, begin = 0; sorted && i < r.count; begin = r.next[i++])
		qsort(sorted + begin * o->size, r.next[i] - begin, o->size, o->compare);
	free(r.next);
	return sorted;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An array in the order of arrival, with a hash table over it that is at most half full. */
#include "extent_counts.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"

#define FIRST_LOG 6

void extent_counts_free(struct extent_counts *counts)
{
	free(counts->all);
	free(counts->slots);
	*counts = (struct extent_counts){ 0 };
}

/* Returns the slot of a buffer, or the empty one for it. */
static uint32_t *slot_of_extent(const struct extent_counts *counts, uint64_t daddr, uint32_t len)
{
	size_t mask = ((size_t)1 << counts->log) - 1;
	size_t i = (size_t)hash2(&counts->key, daddr, len) & mask;

	for (; counts->slots[i]; i = (i + 1) & mask) {
		const struct extent_count *extent = &counts->all[counts->slots[i] - 1];

		if (extent->daddr == daddr && extent->len == len)
			break;
	}
	return &counts->slots[i];
}

void extent_counts_clear(struct extent_counts *counts)
{
	if (counts->slots)
		memset(counts->slots, 0, sizeof(*counts->slots) << counts->log);
	counts->count = 0;
}

uint32_t *extent_counts_find(const struct extent_counts *counts, xdaddr_t daddr, uint32_t len)
{
	uint32_t slot = counts->count ? *slot_of_extent(counts, daddr.v, len) : 0;

	return slot ? &counts->all[slot - 1].count : NULL;
}

static bool grow_slots(struct extent_counts *counts)
{
	unsigned log = counts->slots ? counts->log + 1 : FIRST_LOG;
	uint32_t *slots;

	if (!counts->slots && hash_key_random(&counts->key))
		return false;
	slots = calloc((size_t)1 << log, sizeof(*slots));
	if (!slots)
		return false;
	free(counts->slots);
	counts->slots = slots;
	counts->log = log;
	for (size_t i = 0; i < counts->count; i++)
		*slot_of_extent(counts, counts->all[i].daddr, counts->all[i].len) = (uint32_t)i + 1;
	return true;
}

uint32_t *extent_counts_add(struct extent_counts *counts, xdaddr_t daddr, uint32_t len)
{
	uint32_t *slot;

	if ((!counts->slots || counts->count >= (size_t)1 << (counts->log - 1)) && !grow_slots(counts))
		return NULL;
	slot = slot_of_extent(counts, daddr.v, len);
	if (!*slot) {
		if (array_grow(&counts->all, &counts->room, counts->count, sizeof(*counts->all)))
			return NULL;
		counts->all[counts->count] = (struct extent_count){ daddr.v, len, 0 };
		*slot = (uint32_t)++counts->count;
	}
	return &counts->all[*slot - 1].count;
}

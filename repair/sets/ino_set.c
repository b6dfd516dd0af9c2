/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash table with open addressing, at most half full. */
#include "ino_set.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_LOG 6
#define ROW_LOG	  3u /* 1 << ROW_LOG neighbouring numbers lie side by side, since they are often asked for together */

static size_t slot_of(const struct ino_set *set, uint64_t ino)
{
	size_t row = (size_t)hash2(&set->key, ino >> ROW_LOG, 0) & (((size_t)1 << (set->log - ROW_LOG)) - 1);

	return row << ROW_LOG | (ino & ((1u << ROW_LOG) - 1));
}

void ino_set_free(struct ino_set *set)
{
	free(set->slots);
	*set = (struct ino_set){ 0 };
}

/* The slot that holds it, or the empty one where it belongs. */
static size_t find(const struct ino_set *set, uint64_t ino)
{
	size_t mask = ((size_t)1 << set->log) - 1, i = slot_of(set, ino);

	while (set->slots[i] && set->slots[i] != ino)
		i = (i + 1) & mask;
	return i;
}

bool ino_set_has(const struct ino_set *set, xino_t ino)
{
	return set->count && ino.v && set->slots[find(set, ino.v)] == ino.v;
}

static int grow(struct ino_set *set)
{
	struct ino_set bigger = { .count = set->count, .log = set->slots ? set->log + 1 : FIRST_LOG, .key = set->key };

	if (!set->slots && hash_key_random(&bigger.key))
		return -ENOMEM;
	bigger.slots = calloc((size_t)1 << bigger.log, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -ENOMEM;
	for (size_t i = 0; set->slots && i < (size_t)1 << set->log; i++) {
		if (set->slots[i])
			bigger.slots[find(&bigger, set->slots[i])] = set->slots[i];
	}
	free(set->slots);
	*set = bigger;
	return 0;
}

int ino_set_add(struct ino_set *set, xino_t ino)
{
	size_t i;

	if (ino_set_has(set, ino))
		return 0;
	if ((!set->slots || set->count >= (size_t)1 << (set->log - 1)) && grow(set))
		return -ENOMEM;
	i = find(set, ino.v);
	set->slots[i] = ino.v;
	set->count++;
	return 1;
}

int ino_set_put(struct ino_set *set, xino_t ino)
{
	int ret = ino_set_add(set, ino);

	return ret < 0 ? ret : 0;
}

int ino_order(const void *a, const void *b)
{
	const xino_t *x = a, *y = b;

	return (x->v > y->v) - (x->v < y->v);
}

xino_t *ino_set_sorted(const struct ino_set *set)
{
	xino_t *all = malloc((set->count + 1) * sizeof(*all));
	size_t n = 0;

	if (!all)
		return NULL;
	for (size_t i = 0; set->slots && i < (size_t)1 << set->log; i++) {
		if (set->slots[i])
			all[n++].v = set->slots[i];
	}
	qsort(all, n, sizeof(*all), ino_order);
	return all;
}

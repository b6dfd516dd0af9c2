/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash table with open addressing, at most half full. */
#include "number_set.h"

#include <errno.h>
#include <stdlib.h>

#include "sort.h"

int ino_order(const void *a, const void *b)
{
	const xino_t *x = a, *y = b;

	return (x->v > y->v) - (x->v < y->v);
}

xino_t *ino_set_sorted(const struct ino_set *set)
{
	return (xino_t *)number_set_sorted(&set->numbers); /* a unit has the size of its number */
}

int ino_set_keep_lowest(struct ino_set *set, size_t most)
{
	xino_t *all;
	int ret = 0;

	if (ino_set_count(set) <= most)
		return 0;
	all = ino_set_sorted(set);
	if (!all)
		return -ENOMEM;
	ino_set_free(set);
	for (size_t i = 0; i < most && !ret; i++)
		ret = ino_set_put(set, all[i]);
	free(all);
	return ret;
}

#define FIRST_LOG 6
#define ROW_LOG	  3u /* 1 << ROW_LOG consecutive numbers are side by side, since they are often looked up together */

static size_t first_slot(const struct number_set *set, uint64_t number)
{
	size_t row = (size_t)hash2(&set->key, number >> ROW_LOG, 0) & (((size_t)1 << (set->log - ROW_LOG)) - 1);

	return row << ROW_LOG | (number & ((1u << ROW_LOG) - 1));
}

void number_set_free(struct number_set *set)
{
	free(set->slots);
	*set = (struct number_set){ 0 };
}

/* Returns the slot of a number, or the empty slot for it. */
static size_t find_slot(const struct number_set *set, uint64_t number)
{
	size_t mask = ((size_t)1 << set->log) - 1, i = first_slot(set, number);

	while (set->slots[i] && set->slots[i] != number)
		i = (i + 1) & mask;
	return i;
}

bool number_set_has(const struct number_set *set, uint64_t number)
{
	return number ? set->slots && set->slots[find_slot(set, number)] == number : set->zero;
}

static int grow(struct number_set *set)
{
	struct number_set bigger = *set;

	bigger.log = set->slots ? set->log + 1 : FIRST_LOG;
	if (!set->slots && hash_key_random(&bigger.key))
		return -ENOMEM;
	bigger.slots = calloc((size_t)1 << bigger.log, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -ENOMEM;
	for (size_t i = 0; set->slots && i < (size_t)1 << set->log; i++) {
		if (set->slots[i])
			bigger.slots[find_slot(&bigger, set->slots[i])] = set->slots[i];
	}
	free(set->slots);
	*set = bigger;
	return 0;
}

int number_set_add(struct number_set *set, uint64_t number)
{
	size_t i;

	if (number_set_has(set, number))
		return 0;
	if (!number) {
		set->zero = true;
		set->count++;
		return 1;
	}
	if ((!set->slots || set->count >= (size_t)1 << (set->log - 1)) && grow(set))
		return -ENOMEM;
	i = find_slot(set, number);
	set->slots[i] = number;
	set->count++;
	return 1;
}

void number_set_drop(struct number_set *set, uint64_t number)
{
	const size_t mask = ((size_t)1 << set->log) - 1;
	size_t hole;

	if (!number_set_has(set, number))
		return;
	set->count--;
	if (!number) {
		set->zero = false;
		return;
	}
	/* numbers behind the hole that were put there only because it was taken, move up */
	hole = find_slot(set, number);
	for (size_t i = (hole + 1) & mask; set->slots[i]; i = (i + 1) & mask) {
		if (((i - first_slot(set, set->slots[i])) & mask) < ((i - hole) & mask))
			continue;
		set->slots[hole] = set->slots[i];
		hole = i;
	}
	set->slots[hole] = 0;
}

int number_set_put_all(struct number_set *set, const struct number_set *from)
{
	int ret = from->zero ? number_set_add(set, 0) : 0;

	for (size_t i = 0; from->slots && i < (size_t)1 << from->log && ret >= 0; i++)
		if (from->slots[i])
			ret = number_set_add(set, from->slots[i]);
	return ret < 0 ? ret : 0;
}

uint64_t *number_set_sorted(const struct number_set *set)
{
	uint64_t *all = malloc((set->count + 1) * sizeof(*all));
	size_t n = set->zero;

	if (!all)
		return NULL;
	all[0] = 0;
	for (size_t i = 0; set->slots && i < (size_t)1 << set->log; i++)
		if (set->slots[i])
			all[n++] = set->slots[i];
	sort_words(all, n, 1);
	return all;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts the numbers, each with the index of its record; then moves the records to their places, each once; finally
 * sorts consecutive records with the same number by comparing them.
 */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sort.h"

#define FEW 12u /* up to so many records, insertion sort is the fastest */

/* A number and the index of its record. */
struct numbered {
	uint64_t number;
	uint64_t at;
};

_Static_assert(sizeof(struct numbered) == 2 * sizeof(uint64_t), "what sort_words() takes");

static void sort_few(uint8_t *records, size_t count, const struct number_order *o, uint8_t *spare)
{
	for (size_t i = 1; i < count; i++) {
		size_t to = i;

		while (to > 0 && o->compare(records + (to - 1) * o->size, records + i * o->size) > 0)
			to--;
		if (to == i)
			continue;
		memcpy(spare, records + i * o->size, o->size);
		memmove(records + (to + 1) * o->size, records + to * o->size, (i - to) * o->size);
		memcpy(records + to * o->size, spare, o->size);
	}
}

/* Puts the records into the order of their numbers, by following the cycles of the permutation. */
static void move(uint8_t *records, struct numbered *numbers, size_t count, size_t size, uint8_t *spare)
{
	sort_words(&numbers->number, count, 2);
	for (size_t first = 0; first < count; first++) {
		size_t to = first, from;

		if (numbers[first].at == first)
			continue;
		memcpy(spare, records + first * size, size);
		while ((from = numbers[to].at) != first) {
			memcpy(records + to * size, records + from * size, size);
			numbers[to].at = to;
			to = from;
		}
		memcpy(records + to * size, spare, size);
		numbers[to].at = to;
	}
}

/* Sorts the records within each number, after move(). */
static void sort_equal(uint8_t *records, const struct numbered *numbers, size_t count, const struct number_order *o,
		       uint8_t *spare)
{
	for (size_t first = 0, end; first < count; first = end) {
		uint8_t *same = records + first * o->size;

		for (end = first + 1; end < count && numbers[end].number == numbers[first].number;)
			end++;
		if (end - first > FEW && o->then)
			number_sort(same, end - first, o->then);
		else if (end - first > FEW)
			qsort(same, end - first, o->size, o->compare);
		else
			sort_few(same, end - first, o, spare);
	}
}

static bool in_order(const uint8_t *records, size_t count, const struct number_order *o)
{
	for (size_t i = 1; i < count; i++)
		if (o->compare(records + (i - 1) * o->size, records + i * o->size) > 0)
			return false;
	return true;
}

void number_sort(void *records, size_t count, const struct number_order *o)
{
	struct numbered *numbers;
	uint8_t spare[NUMBER_SORT_SIZE];
	bool ordered = true;

	if (count <= FEW) {
		sort_few(records, count, o, spare);
		return;
	}
	if (in_order(records, count, o))
		return;
	numbers = malloc(count * sizeof(*numbers));
	if (!numbers) {
		qsort(records, count, o->size, o->compare);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		numbers[i] = (struct numbered){ o->number((uint8_t *)records + i * o->size, o->ctx), i };
		ordered &= !i || numbers[i - 1].number <= numbers[i].number;
	}
	if (!ordered)
		move(records, numbers, count, o->size, spare);
	sort_equal(records, numbers, count, o, spare);
	free(numbers);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The unreadable ranges of a device, sorted and without overlaps. On a device without errors, a lookup costs one load.
 * No error is ever forgotten: if there is no room for another range, the nearest one is extended to it.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "unreadable.h"

#define RANGES_MAX 65536u /* 1 MiB of memory is enough: a disk with more errors is hopeless */

struct range {
	uint64_t start;
	uint64_t end;
};

struct unreadable {
	atomic_bool any;
	pthread_mutex_t lock; /* for the following members */
	struct range *ranges;
	size_t count;
	size_t capacity; /* at least 1 */
};

struct unreadable *unreadable_create(void)
{
	struct unreadable *list = calloc(1, sizeof(*list));

	if (!list)
		return NULL;
	list->capacity = 16;
	list->ranges = calloc(list->capacity, sizeof(*list->ranges));
	if (!list->ranges) {
		free(list);
		return NULL;
	}
	pthread_mutex_init(&list->lock, NULL);
	return list;
}

void unreadable_destroy(struct unreadable *list)
{
	if (!list)
		return;
	pthread_mutex_destroy(&list->lock);
	free(list->ranges);
	free(list);
}

static bool range_ends_before(const void *element, const void *key)
{
	const struct range *range = element;
	const uint64_t *start = key;

	return range->end < *start;
}

/* Returns the index of the first range that ends at or after `start`. */
static size_t first_reaching(const struct unreadable *list, uint64_t start)
{
	return array_lower_bound(list->ranges, list->count, sizeof(*list->ranges), &start, range_ends_before);
}

static bool make_room(struct unreadable *list)
{
	struct range *more;

	if (list->count < list->capacity)
		return true;
	if (list->count >= RANGES_MAX)
		return false;
	more = reallocarray(list->ranges, list->capacity, 2 * sizeof(*more));
	if (!more)
		return false;
	list->ranges = more;
	list->capacity *= 2;
	return true;
}

/* Replaces [first, last) by up to two ranges; there is room for them. */
static void put(struct unreadable *list, size_t first, size_t last, const struct range *ranges, size_t count)
{
	memmove(&list->ranges[first + count], &list->ranges[last], (list->count - last) * sizeof(*ranges));
	for (size_t i = 0; i < count; i++)
		list->ranges[first + i] = ranges[i];
	list->count = list->count - (last - first) + count;
}

/* True if the range before this index is nearer to [start, end) than the one at it; there is at least one range. */
static bool is_nearer_before(const struct unreadable *list, size_t at, uint64_t start, uint64_t end)
{
	if (at == 0 || at == list->count)
		return at > 0;
	return start - list->ranges[at - 1].end < list->ranges[at].start - end;
}

void unreadable_add(struct unreadable *list, uint64_t start, uint64_t end)
{
	struct range all = { start, end };
	size_t first, last;

	pthread_mutex_lock(&list->lock);
	first = first_reaching(list, start);
	for (last = first; last < list->count && list->ranges[last].start <= end; last++)
		;
	if (first == last && !make_room(list)) {
		if (is_nearer_before(list, first, start, end))
			first--;
		else
			last++;
	}
	if (first < last) {
		all.start = list->ranges[first].start < start ? list->ranges[first].start : start;
		all.end = list->ranges[last - 1].end > end ? list->ranges[last - 1].end : end;
	}
	put(list, first, last, &all, 1);
	atomic_store_explicit(&list->any, true, memory_order_release);
	pthread_mutex_unlock(&list->lock);
}

void unreadable_remove(struct unreadable *list, uint64_t start, uint64_t end)
{
	struct range left[2];
	size_t first, last, count = 0;

	if (!atomic_load_explicit(&list->any, memory_order_acquire) || start >= end)
		return;
	pthread_mutex_lock(&list->lock);
	first = first_reaching(list, start + 1);
	for (last = first; last < list->count && list->ranges[last].start < end; last++)
		;
	if (first < last && list->ranges[first].start < start)
		left[count++] = (struct range){ list->ranges[first].start, start };
	if (first < last && list->ranges[last - 1].end > end)
		left[count++] = (struct range){ end, list->ranges[last - 1].end };
	/* without room for another range, one that would be split stays whole */
	if (count <= last - first || make_room(list))
		put(list, first, last, left, count);
	pthread_mutex_unlock(&list->lock);
}

bool unreadable_find(struct unreadable *list, uint64_t start, uint64_t end, uint64_t *ret_start, uint64_t *ret_len)
{
	struct range found = { 0 };
	size_t i;

	if (!atomic_load_explicit(&list->any, memory_order_acquire))
		return false;
	pthread_mutex_lock(&list->lock);
	i = first_reaching(list, start + 1);
	if (i < list->count)
		found = list->ranges[i];
	pthread_mutex_unlock(&list->lock);

	if (found.start < start)
		found.start = start;
	if (found.end > end)
		found.end = end;
	if (found.start >= found.end)
		return false;
	*ret_start = found.start;
	*ret_len = found.end - found.start;
	return true;
}

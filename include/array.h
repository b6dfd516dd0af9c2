/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow one element at a time, and binary search in sorted ones. */
#ifndef XFSCK_ARRAY_H
#define XFSCK_ARRAY_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Make room for one more element after the `count` that there are.  array: address of the pointer to the first
 * element, which may be NULL if *room, the number of elements that fit, is 0.  0, or -ENOMEM with nothing changed.
 */
static inline int array_grow(void *array, size_t *room, size_t count, size_t element)
{
	size_t more = *room ? *room * 2 : 16;
	typedef void *__attribute__((may_alias)) any_pointer; /* the caller's pointer has another type than void * */
	any_pointer *elements = array;
	void *grown;

	if (count < *room)
		return 0;
	grown = reallocarray(*elements, more, element);
	if (!grown)
		return -ENOMEM;
	*elements = grown;
	*room = more;
	return 0;
}

/*
 * Add an element at the end.  v, room, count: as for array_grow(), but the variables themselves.  0, or -ENOMEM with
 * nothing changed.
 */
#define array_add(v, room, count, ...)                                                                                 \
	(array_grow(&(v), &(room), (count), sizeof(*(v))) ? -ENOMEM : ((v)[(count)++] = (__VA_ARGS__), 0))

/*
 * Index of the first of `count` sorted elements of `size` bytes for which below(element, key) is false; count if it is
 * true for all.
 */
static inline size_t array_lower_bound(const void *elements, size_t count, size_t size, const void *key,
				       bool (*below)(const void *element, const void *key))
{
	const uint8_t *bytes = elements;
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (below(bytes + middle * size, key))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif

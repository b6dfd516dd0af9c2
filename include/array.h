/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow one element at a time, and searching those that are in order. */
#ifndef XFSCK_ARRAY_H
#define XFSCK_ARRAY_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Room for one more element behind `count` of them.  array: address of the pointer to the first, which may be NULL
 * while *room, the elements that fit, is 0.  0, or -ENOMEM and all is as it was.
 */
static inline int array_grow(void *array, size_t *room, size_t count, size_t element)
{
	size_t more = *room ? *room * 2 : 16;
	typedef void *__attribute__((may_alias)) any_pointer; /* whatever its type is */
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
 * Index of the first of `count` elements, each of `size` bytes and in order, that is not below a key; count: all are.
 * below() holds for those in front of it and for none from there on.
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

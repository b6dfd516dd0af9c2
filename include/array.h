/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow one element at a time. */
#ifndef XFSCK_ARRAY_H
#define XFSCK_ARRAY_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Room for one more element behind `count` of them.  array: address of the pointer to the first, which may be NULL
 * while *room, the elements that fit, is 0.  0, or -ENOMEM and all is as it was.
 */
static inline int array_grow(void *array, size_t *room, size_t count, size_t element)
{
	size_t more = *room ? *room * 2 : 16;
	void *elements;

	if (count < *room)
		return 0;
	memcpy(&elements, array, sizeof(elements)); /* whatever its type is */
	elements = reallocarray(elements, more, element);
	if (!elements)
		return -ENOMEM;
	memcpy(array, &elements, sizeof(elements));
	*room = more;
	return 0;
}

#endif

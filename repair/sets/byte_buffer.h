/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A byte array that grows at its end. */
#ifndef XFSCK_REPAIR_BYTE_BUFFER_H
#define XFSCK_REPAIR_BYTE_BUFFER_H

#include "array.h"

/* Start with { 0 }; free `bytes` at the end. */
struct byte_buffer {
	uint8_t *bytes;
	size_t len, room;
};

/* Makes room for more bytes at the end.  Returns 0, or -ENOMEM with nothing changed. */
static inline int byte_buffer_reserve(struct byte_buffer *b, size_t more)
{
	size_t room = b->room ? b->room : 64;
	uint8_t *bytes;

	if (b->room - b->len >= more)
		return 0;
	while (room - b->len < more)
		room *= 2;
	bytes = realloc(b->bytes, room);
	if (!bytes)
		return -ENOMEM;
	b->bytes = bytes;
	b->room = room;
	return 0;
}

/* Adds bytes at the end.  Returns 0, or -ENOMEM with nothing changed. */
static inline int byte_buffer_add(struct byte_buffer *b, const void *bytes, size_t len)
{
	if (byte_buffer_reserve(b, len))
		return -ENOMEM;
	if (len)
		memcpy(b->bytes + b->len, bytes, len);
	b->len += len;
	return 0;
}

#endif

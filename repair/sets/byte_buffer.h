/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes that grow at their end. */
#ifndef XFSCK_REPAIR_BYTE_BUFFER_H
#define XFSCK_REPAIR_BYTE_BUFFER_H

#include "array.h"

/* Begin with { 0 }, and free bytes. */
struct byte_buffer {
	uint8_t *bytes;
	size_t len, room;
};

/* Make room for more bytes behind those that there are. 0, or -ENOMEM with nothing changed. */
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

/* Add bytes at the end. 0, or -ENOMEM with nothing changed. */
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers and names as a list of files has them: made without printf(), since there may be a billion of them. */
#ifndef XFSCK_REPAIR_LIST_VALUES_H
#define XFSCK_REPAIR_LIST_VALUES_H

#include "query.h"
#include "sets/byte_buffer.h"

/* Make room for so many bytes, and for the rest of a line, whatever numbers it has. 0 or -ENOMEM. */
int list_make_room(struct byte_buffer *out, size_t len);

/* ---- what there is room for ---- */

static inline void list_put(struct byte_buffer *out, char c)
{
	out->bytes[out->len++] = (uint8_t)c;
}

void list_put_string(struct byte_buffer *out, const char *s);
/* Put a number, right-aligned in so many columns. */
void list_put_aligned(struct byte_buffer *out, uint64_t number, unsigned columns);
/* Put a number with leading zeroes. */
void list_put_digits(struct byte_buffer *out, uint64_t number, unsigned digits, unsigned base);

/* ---- bytes of any length; 0 or -ENOMEM ---- */

/* As tsv, csv or json have them. */
int list_add_bytes(struct byte_buffer *out, enum list_format format, const uint8_t *bytes, size_t len);
/* As reports print names (report/quote.h). */
int list_add_quoted(struct byte_buffer *out, const uint8_t *bytes, size_t len);

#endif

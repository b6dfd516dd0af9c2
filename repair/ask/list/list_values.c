/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a list does not make itself, since it is rare, is made by the libraries and functions that reports use. */
#include "list_values.h"

#include <stdio.h>
#include <string.h>

#include "report/json_out.h"
#include "report/quote.h"

#define DECIMAL_MOST 20u
#define LINE_MOST    2048u /* bytes of a line beside the path and the target */

void list_put_string(struct byte_buffer *out, const char *s)
{
	while (*s)
		list_put(out, *s++);
}

void list_put_aligned(struct byte_buffer *out, uint64_t number, unsigned columns)
{
	char digits[DECIMAL_MOST], *at = digits + sizeof(digits);
	unsigned count;

	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	count = (unsigned)(digits + sizeof(digits) - at);
	for (; columns > count; columns--)
		list_put(out, ' ');
	memcpy(out->bytes + out->len, at, count);
	out->len += count;
}

void list_put_digits(struct byte_buffer *out, uint64_t number, unsigned digits, unsigned base)
{
	for (unsigned i = digits; i-- > 0; number /= base)
		out->bytes[out->len + i] = (uint8_t)('0' + number % base);
	out->len += digits;
}

int list_make_room(struct byte_buffer *out, size_t len)
{
	return byte_buffer_reserve(out, len + LINE_MOST);
}

static int add_tsv(struct byte_buffer *out, const uint8_t *bytes, size_t len)
{
	if (list_make_room(out, 2 * len))
		return -ENOMEM;
	for (size_t i = 0; i < len; i++) {
		static const char special[4] = { '\t', '\n', '\r', '\\' }, letters[4] = { 't', 'n', 'r', '\\' };
		const char *at =
			bytes[i] <= '\r' || bytes[i] == '\\' ? memchr(special, bytes[i], sizeof(special)) : NULL;

		if (at)
			list_put(out, '\\');
		list_put(out, (char)(at ? letters[at - special] : bytes[i]));
	}
	return 0;
}

/* RFC 4180 */
static int add_csv(struct byte_buffer *out, const uint8_t *bytes, size_t len)
{
	bool quoted = false;

	for (size_t i = 0; i < len && !quoted; i++)
		quoted = bytes[i] == ',' || bytes[i] == '"' || bytes[i] == '\n' || bytes[i] == '\r';
	if (list_make_room(out, 2 * len + 2))
		return -ENOMEM;
	if (quoted)
		list_put(out, '"');
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] == '"')
			list_put(out, '"');
		list_put(out, (char)bytes[i]);
	}
	if (quoted)
		list_put(out, '"');
	return 0;
}

/* True if the bytes stand for themselves in JSON and where names are quoted. */
static bool is_plain(const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (bytes[i] < ' ' || bytes[i] >= 0x7f || bytes[i] == '"' || bytes[i] == '\\')
			return false;
	return true;
}

/* Add a text that a library has made, which is freed; NULL: out of memory. */
static int add_made(struct byte_buffer *out, char *text, size_t len)
{
	int ret = text ? list_make_room(out, len) : -ENOMEM;

	if (!ret)
		ret = byte_buffer_add(out, text, len);
	free(text);
	return ret;
}

static int add_json(struct byte_buffer *out, const uint8_t *bytes, size_t len)
{
	json_t *value;
	char *text;

	if (is_plain(bytes, len)) {
		if (list_make_room(out, len + 2))
			return -ENOMEM;
		list_put(out, '"');
		byte_buffer_add(out, bytes, len);
		list_put(out, '"');
		return 0;
	}
	value = json_out_bytes((const char *)bytes, len);
	text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
	json_decref(value);
	return add_made(out, text, text ? strlen(text) : 0);
}

int list_add_quoted(struct byte_buffer *out, const uint8_t *bytes, size_t len)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory;

	if (is_plain(bytes, len))
		return list_make_room(out, len) ? -ENOMEM : byte_buffer_add(out, bytes, len);
	memory = open_memstream(&text, &size);
	if (!memory)
		return -ENOMEM;
	quote_print(memory, bytes, len);
	if (fclose(memory)) {
		free(text);
		return -ENOMEM;
	}
	return add_made(out, text, size);
}

int list_add_bytes(struct byte_buffer *out, enum list_format format, const uint8_t *bytes, size_t len)
{
	if (format == LIST_TSV)
		return add_tsv(out, bytes, len);
	return format == LIST_CSV ? add_csv(out, bytes, len) : add_json(out, bytes, len);
}

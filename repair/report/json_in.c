/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads lines of JSON, each into a buffer of fixed size. */
#include "json_in.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libxfs/crc.h"

/* Reads a line without its newline. False: end of file, or json->error is set. */
static bool read_line(struct json_in *json, size_t *ret_len)
{
	size_t n = 0;
	int c = EOF;

	if (!json->line)
		json->line = malloc(JSON_IN_LINE);
	if (!json->line) {
		json->error = -ENOMEM;
		return false;
	}
	while (n < JSON_IN_LINE && (c = getc_unlocked(json->in)) != EOF && c != '\n')
		json->line[n++] = (char)c;
	if (ferror(json->in))
		json->error = errno ? -errno : -EIO;
	else if (n == JSON_IN_LINE)
		json->error = -EBADMSG;
	json->number++;
	json->crc = json->crc_now;
	json->crc_now = crc_add(crc_add(json->crc, json->line, n), "\n", 1);
	*ret_len = n;
	return !json->error && (n || c != EOF);
}

json_t *json_in_next(struct json_in *json)
{
	json_t *object;
	size_t len;

	while (!json->error && read_line(json, &len)) {
		if (!len)
			continue;
		object = json_loadb(json->line, len, JSON_REJECT_DUPLICATES, NULL);
		if (json_is_object(object))
			return object;
		json_decref(object);
		json->error = -EBADMSG;
	}
	return NULL;
}

void json_in_free(struct json_in *json)
{
	free(json->line);
	json->line = NULL;
}

bool json_in_number(const json_t *object, const char *key, uint64_t *ret_number)
{
	const json_t *value = json_object_get(object, key);
	const char *decimal = json_string_value(value);
	char *end;

	if (json_is_integer(value) && json_integer_value(value) >= 0) {
		*ret_number = (uint64_t)json_integer_value(value);
		return true;
	}
	if (!decimal || decimal[0] < '0' || decimal[0] > '9')
		return false;
	errno = 0;
	*ret_number = strtoull(decimal, &end, 10);
	return !errno && !*end;
}

const char *json_in_string(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

const char *json_in_text(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	const char *text = json_string_value(json_is_object(value) ? json_object_get(value, "text") : value);

	return text ? text : "";
}

bool json_in_is(const json_t *object, const char *key, const char *string)
{
	const char *value = json_in_string(object, key);

	return value && !strcmp(value, string);
}

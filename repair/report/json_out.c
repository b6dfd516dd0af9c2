/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes lines of JSON. Each line is written as a whole, so that the file can be read even if the program is killed.
 * Integers in jansson are signed, and some readers round beyond 2^53: numbers beyond 2^63 - 1 are written as decimal
 * strings. json_out_bytes() handles bytes that are not UTF-8; everything outside ASCII is escaped.
 */
#include "json_out.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libxfs/crc.h"
#include "quote.h"
#include "report_file.h"
#include "report_json.h"
#include "run_clock.h"

/* ---- the file ---- */

int report_json_open(const struct options *options, FILE *out, FILE *err, struct report_json **ret_json)
{
	struct report_json *json = calloc(1, sizeof(*json));
	int error = 0;

	if (!json) {
		fprintf(err, "%s: out of memory\n", options->program);
		return -ENOMEM;
	}
	json->out = options->result ? options->result : out;
	json->owned = options->result || strcmp(options->json, "-") != 0;
	if (json->owned && !options->result)
		error = report_file_open(options, options->json, "JSON", err, &json->out);
	if (error)
		free(json);
	else
		*ret_json = json;
	return error;
}

void report_json_flush(struct report_json *json)
{
	if (json && fflush(json->out) && !json->error)
		json->error = errno ? -errno : -EIO;
}

int report_json_close(struct report_json *json)
{
	int error;

	if (!json)
		return 0;
	report_json_flush(json);
	if (json->owned && fclose(json->out) && !json->error)
		json->error = -errno;
	error = json->error;
	free(json);
	return error;
}

/* ---- values ---- */

/* Returns {"text": ..., "bytes": ...} for bytes that are not UTF-8. */
static json_t *broken_string(const char *bytes, size_t length)
{
	static const char replacement[3] = { '\xef', '\xbf', '\xbd' }; /* U+FFFD */
	char *hex = malloc(2 * length + 1);
	char *text = malloc(3 * length);
	size_t used = 0;
	uint32_t code;
	json_t *both = NULL;

	for (size_t i = 0, n; hex && text && i < length; i += n ? n : 1) {
		n = quote_character((const uint8_t *)bytes + i, length - i, &code);
		memcpy(text + used, n ? bytes + i : replacement, n ? n : sizeof(replacement));
		used += n ? n : sizeof(replacement);
	}
	for (size_t i = 0; hex && i < length; i++)
		sprintf(hex + 2 * i, "%02x", (unsigned char)bytes[i]);
	if (hex && text)
		both = json_pack("{s:s%, s:s}", "text", text, used, "bytes", hex);
	free(hex);
	free(text);
	return both;
}

json_t *json_out_bytes(const char *bytes, size_t length)
{
	json_t *string = json_stringn(bytes, length);

	return string ? string : broken_string(bytes, length);
}

json_t *json_out_string(const char *s)
{
	return json_out_bytes(s, strlen(s));
}

json_t *json_out_number(uint64_t value)
{
	char decimal[24];

	if (value <= INT64_MAX)
		return json_integer((json_int_t)value);
	snprintf(decimal, sizeof(decimal), "%" PRIu64, value);
	return json_string(decimal);
}

json_t *json_out_number_unless(uint64_t value, uint64_t none)
{
	return value == none ? json_null() : json_out_number(value);
}

json_t *json_out_time(time_t when)
{
	char text[RUN_CLOCK_TEXT];

	return json_string(run_clock_text(when, text));
}

void json_out_starve(struct report_json *json)
{
	if (!json->error)
		json->error = -ENOMEM;
}

void json_out_set(struct report_json *json, json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value))
		json_out_starve(json);
}

void json_out_append(struct report_json *json, json_t *array, json_t *value)
{
	if (json_array_append_new(array, value))
		json_out_starve(json);
}

json_t *json_out_line(struct report_json *json, const char *type)
{
	json_t *object = json_object();

	json_out_set(json, object, "type", json_string(type));
	return object;
}

void json_out_set_values(struct report_json *json, json_t *object, const char *key, const struct stat_line *lines,
			 size_t count)
{
	json_t *values = json_object();

	for (size_t i = 0; i < count; i++)
		json_out_set(json, values, lines[i].name, json_out_number(lines[i].value));
	json_out_set(json, object, key, values);
}

void json_out_put(struct report_json *json, json_t *object)
{
	char *text = NULL;

	if (!json->error) {
		text = json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(9));
		if (!text)
			json->error = -ENOMEM;
		else if (fprintf(json->out, "%s\n", text) < 0)
			json->error = errno ? -errno : -EIO;
		else
			json->crc = crc_add(crc_add(json->crc, text, strlen(text)), "\n", 1);
	}
	free(text);
	json_decref(object);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads lines of JSON from untrusted files. */
#ifndef XFSCK_REPAIR_JSON_IN_H
#define XFSCK_REPAIR_JSON_IN_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_IN_LINE (1u << 20) /* bytes; a line must be shorter */

/* Start with { .in = ... }. */
struct json_in {
	FILE *in;
	char *line;	  /* JSON_IN_LINE bytes; NULL: not allocated yet */
	uint32_t crc;	  /* of all lines before the last one read, as in report_json.crc */
	uint32_t crc_now; /* including that line */
	uint64_t number;  /* of the last line read, from 1 */
	int error; /* 0: end of file; else why reading stopped; -EBADMSG: the line is too long, or not a JSON object */
};

/* Returns the next line; the caller releases it by json_decref(). Skips empty lines. NULL: see json->error. */
json_t *json_in_next(struct json_in *json);
void json_in_free(struct json_in *json);

/* Reads a number that json_out_number() wrote. False: there is none. */
bool json_in_number(const json_t *object, const char *key, uint64_t *ret_number);
/* Returns a string, owned by the object, or NULL. */
const char *json_in_string(const json_t *object, const char *key);
/* Returns a string to show: the "text" if json_out_bytes() wrote an object. "": there is none. */
const char *json_in_text(const json_t *object, const char *key);
/* True if the value of `key` is this string. */
bool json_in_is(const json_t *object, const char *key, const char *string);

#endif

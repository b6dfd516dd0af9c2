/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads lines of JSON, which anybody may have written. */
#ifndef XFSCK_REPAIR_JSON_IN_H
#define XFSCK_REPAIR_JSON_IN_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_IN_LINE (1u << 20) /* bytes of a line, at most */

/* Start with { .in = ... }. */
struct json_in {
	FILE *in;
	char *line;	  /* JSON_IN_LINE bytes; NULL: not needed yet */
	uint32_t crc;	  /* of all lines before the one that was read last, as report_json.crc */
	uint32_t crc_now; /* with that line */
	uint64_t number;  /* of the line that was read last, from 1 on */
	int error;	  /* 0: the file ended; else why no more lines follow: -EBADMSG: the line is no JSON object */
};

/* The next line, which the caller drops by json_decref(); empty lines are left out.  NULL: see json->error. */
json_t *json_in_next(struct json_in *json);
void json_in_free(struct json_in *json);

/* A number that json_out_number() has written. False: there is none. */
bool json_in_number(const json_t *object, const char *key, uint64_t *ret_number);
/* A string; NULL: there is none.  It belongs to the object. */
const char *json_in_string(const json_t *object, const char *key);
/* A string for people: json_out_bytes() has those that are not UTF-8 as an object with a "text"; "": there is none. */
const char *json_in_text(const json_t *object, const char *key);
/* Whether the string `key` of the object is this one. */
bool json_in_is(const json_t *object, const char *key, const char *string);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes lines of JSON to a file. */
#ifndef XFSCK_REPAIR_JSON_OUT_H
#define XFSCK_REPAIR_JSON_OUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "units.h"

struct stat_line;

struct report_json {
	FILE *out;
	bool owned;	   /* report_json_close() closes it */
	int error;	   /* the first negative errno; nothing is written after it */
	uint32_t crc;	   /* crc_add() of all lines so far, from 0 */
	uint64_t numbered; /* findings numbered so far */
};

/* Begins a line of a type; json_out_put() writes it. */
json_t *json_out_line(struct report_json *json, const char *type);
/* Sets a key. Takes over the reference to value; a NULL value means out of memory. */
void json_out_set(struct report_json *json, json_t *object, const char *key, json_t *value);
/* The same for the next element of an array. */
void json_out_append(struct report_json *json, json_t *array, json_t *value);
void json_out_set_values(struct report_json *json, json_t *object, const char *key, const struct stat_line *lines,
			 size_t count);
/* Notes that memory ran out for a value. */
void json_out_starve(struct report_json *json);
/* Writes the object as one line, and releases it. */
void json_out_put(struct report_json *json, json_t *object);

/* report_json_losses.c: returns the totals of losses for the summary; null: unknown */
struct losses;
json_t *report_json_loss_totals(struct report_json *json, const struct losses *losses);

/* report_json.c: sets `key` to the path of an inode, and `key_kind` to its kind; NULL_INO: sets `key` to null */
struct paths;
void report_json_path(struct report_json *json, json_t *object, const char *key, const char *key_kind, xino_t ino,
		      struct paths *paths);
/* report_json.c: returns the line of a fix for json_out_put(); NULL: out of memory */
struct fix;
struct found;
json_t *report_json_fix_line(struct report_json *json, const struct fix *fix, const struct found *found,
			     struct paths *paths);

/* Return new values; NULL: out of memory. */
json_t *json_out_number(uint64_t value);
json_t *json_out_number_unless(uint64_t value, uint64_t none);
json_t *json_out_string(const char *s);
json_t *json_out_time(time_t when);
/* Returns a string if the bytes are UTF-8; else {"text": with U+FFFD for invalid bytes, "bytes": all bytes in hex}. */
json_t *json_out_bytes(const char *bytes, size_t length);

#endif

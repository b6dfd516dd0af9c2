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
	bool owned;	   /* it must be closed */
	int error;	   /* the first, a negative errno; after it nothing is written any more */
	uint32_t crc;	   /* crc_add() of all lines so far, from 0 on */
	uint64_t numbered; /* findings that have got a number */
};

/* Begin a line, with its type; json_out_put() ends it. */
json_t *json_out_line(struct report_json *json, const char *type);
/* Set a key; takes over the reference to value, which may be NULL for lack of memory. */
void json_out_set(struct report_json *json, json_t *object, const char *key, json_t *value);
/* The same for the next element of an array. */
void json_out_append(struct report_json *json, json_t *array, json_t *value);
void json_out_set_values(struct report_json *json, json_t *object, const char *key, const struct stat_line *lines,
			 size_t count);
/* There is no memory for what should be written. */
void json_out_starve(struct report_json *json);
/* Write the object as one line, and drop it. */
void json_out_put(struct report_json *json, json_t *object);

/* report_json_losses.c: the totals of what is lost, for the summary; null if they are not known */
struct losses;
json_t *report_json_loss_totals(struct report_json *json, const struct losses *losses);

/* report_json.c: the path of an inode, and as key_kind what kind of path it is; null for NULL_INO */
struct paths;
void report_json_path(struct report_json *json, json_t *object, const char *key, const char *key_kind, xino_t ino,
		      struct paths *paths);
/* report_json.c: the line of a fix, for json_out_put(); NULL: no memory */
struct fix;
struct found;
json_t *report_json_fix_line(struct report_json *json, const struct fix *fix, const struct found *found,
			     struct paths *paths);

/* Values; NULL: out of memory. */
json_t *json_out_number(uint64_t value);
json_t *json_out_number_unless(uint64_t value, uint64_t none);
json_t *json_out_string(const char *s);
json_t *json_out_time(time_t when);
/* A string as it is, if it is UTF-8; else {"text": with U+FFFD for what is not UTF-8, "bytes": all in hexadecimal}. */
json_t *json_out_bytes(const char *bytes, size_t length);

#endif

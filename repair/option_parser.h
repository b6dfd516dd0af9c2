/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the parser of the command line share. */
#ifndef XFSCK_REPAIR_OPTION_PARSER_H
#define XFSCK_REPAIR_OPTION_PARSER_H

#include "option_table.h"

#define OPTION_JOBS_MOST 128u /* --jobs */

struct parser {
	struct options options;
	enum personality who;
	FILE *out;
	FILE *err;
	bool automatic;		    /* fsck: -a, -A or -p */
	bool force;		    /* fsck: -f */
	bool repair;		    /* fsck: -y */
	bool seen[OPTION_ROWS_MAX]; /* rows of the table that were given */
	unsigned tuned;		    /* 1 << enum tuning: names of -o that were given */
};

/* Print why the command line is refused, and how to get help. Always OPTIONS_USAGE. */
__attribute__((format(printf, 2, 3))) enum options_result option_refuse(const struct parser *p, const char *format,
									...);

/* Parse a value, or refuse it; name: the option's, for the message. */
enum options_result option_set_number(const struct parser *p, const char *name, const char *text, uint64_t min,
				      uint64_t max, uint64_t *ret_number);
enum options_result option_set_unsigned(const struct parser *p, const char *name, const char *text, unsigned min,
					unsigned max, unsigned *ret_number);
/*
 * Parse a size in bytes, or with k, M, G, T, P, or, if these may be given, sectors with s; *ret_end is what follows.
 * False: it is none, or too large.
 */
bool option_parse_size(const char *text, bool sectors, const char **ret_end, uint64_t *ret_bytes);
/* Set a size that nothing follows, or refuse it. */
enum options_result option_set_size(const struct parser *p, const char *name, const char *text, uint64_t *ret_bytes);
/* Parse one of several words, the last of which is NULL; *ret_choice is its position among them. */
enum options_result option_set_choice(const struct parser *p, const char *name, const char *text,
				      const char *const words[], unsigned *ret_choice);
/* Set the flag that lies there in struct options. */
void option_set_flag(struct parser *p, size_t at);
bool option_is_digits(const char *text);

/* Parse the value of a question about the files, --list and others; value: empty if none was given. */
enum options_result option_query(struct parser *p, int key, const char *value);
/* The same for --list and what goes with it. */
enum options_result option_list(struct parser *p, int key, const char *value);
/* option_several.c: a device, the value of --report, and, when all options are read, whether these make sense. */
enum options_result option_device(struct parser *p, const char *device);
enum options_result option_report(struct parser *p, const char *value);
enum options_result option_conclude_several(const struct parser *p);
/* option_deeds.c: what is asked for beyond a check, in words; NULL: nothing is. */
const char *option_deed(const struct options *o);
/* Refuse to do more than one thing, of those that take the place of a repair. */
enum options_result option_refuse_second_deed(const struct parser *p);
/* When all options are read: whether they make sense together. */
enum options_result option_conclude(struct parser *p);
/* Parse one NAME or NAME=VALUE of -o. */
enum options_result option_tuning(struct parser *p, const char *text);

#endif

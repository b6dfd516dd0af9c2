/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the parser of the command line share. */
#ifndef XFSCK_REPAIR_OPTION_PARSER_H
#define XFSCK_REPAIR_OPTION_PARSER_H

#include "option_table.h"

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
/* Parse one of three words; *ret_choice is its position among them. */
enum options_result option_set_choice(const struct parser *p, const char *name, const char *text,
				      const char *const words[3], unsigned *ret_choice);
/* Set the flag that lies there in struct options. */
void option_set_flag(struct parser *p, size_t at);
bool option_is_digits(const char *text);

/* Parse the value of a question about the files, --list and others; value: empty if none was given. */
enum options_result option_query(struct parser *p, int key, const char *value);
/* Parse one NAME or NAME=VALUE of -o. */
enum options_result option_tuning(struct parser *p, const char *text);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of options, for parsing, --help, and shell completion; and how values are parsed. */
#ifndef XFSCK_REPAIR_OPTION_TABLE_H
#define XFSCK_REPAIR_OPTION_TABLE_H

#include <getopt.h>
#include <stddef.h>

#include "options.h"

enum personality {
	XFSCK = 1,
	FSCK = 2, /* fsck.xfs */
	BOTH = XFSCK | FSCK,
};

#define OPTION_ROWS_MAX	 128
#define OPTION_JOBS_MOST 128u /* --jobs */

struct parser {
	struct options options;
	enum personality who;
	FILE *out;
	FILE *err;
	bool automatic;		    /* fsck: -a, -A or -p */
	bool force;		    /* fsck: -f */
	bool repair;		    /* rows of the table that were used */
	bool seen[OPTION_ROWS_MAX]; /* 1 << row of -o, for those that were used */
	unsigned tuned;		    /* 1 << row of -o: those that were given */
};

/* How the value of an option, or of a name of -o, is used. */
enum option_type {
	OPTION_NOTHING, /* no effect */
	OPTION_FLAG,	/* no value, sets a bool */
	OPTION_COUNT,	/* no value, increments an unsigned */
	OPTION_NAME,	/* const char *: not empty; "-": no value given */
	OPTION_UNSIGNED,
	OPTION_NUMBER, /* uint64_t */
	OPTION_SIZE,   /* uint64_t: bytes, or with k, M, G, T, P */
	OPTION_TIME,   /* int64_t: seconds since 1970 */
	OPTION_CHOICE, /* an enum: one of several words */
	OPTION_PARSED, /* by a function */
};

/* Parses the value of an option; value: empty if it is optional and was not given. */
typedef enum options_result option_parse(struct parser *p, const char *name, const char *value);

struct option_value {
	enum option_type type;
	size_t sets, given;	  /* offsets in struct options: of the value; of a bool that it was given, or 0 */
	uint64_t min, max;	  /* limits of a number */
	const char *const *words; /* of a choice; ends with NULL */
	option_parse *parse;
};

#define OPTION_AT(member)	   offsetof(struct options, member)
#define OPTION_WHERE(member, flag) .sets = OPTION_AT(member), .given = OPTION_AT(flag)
#define FLAG(member)		   .value = { .type = OPTION_FLAG, .sets = OPTION_AT(member) }
#define COUNT(member)		   .value = { .type = OPTION_COUNT, .sets = OPTION_AT(member) }
#define NAME(member)		   .value = { .type = OPTION_NAME, .sets = OPTION_AT(member) }
#define UNSIGNED(member, least, most)                                                                                  \
	.value = { .type = OPTION_UNSIGNED, .sets = OPTION_AT(member), .min = least, .max = most }
#define NUMBER(member, least, most)                                                                                    \
	.value = { .type = OPTION_NUMBER, .sets = OPTION_AT(member), .min = least, .max = most }
#define SIZE(member, flag) .value = { .type = OPTION_SIZE, OPTION_WHERE(member, flag) }
#define TIME(member, flag) .value = { .type = OPTION_TIME, OPTION_WHERE(member, flag) }
#define CHOICE(member, ...)                                                                                            \
	.value = { .type = OPTION_CHOICE,                                                                              \
		   .sets = OPTION_AT(member),                                                                          \
		   .words = (const char *const[]){ __VA_ARGS__, NULL } }
#define PARSED(function) .value = { .type = OPTION_PARSED, .parse = function }
#define NOTHING		 .value = { .type = OPTION_NOTHING }

#define OPTION_LONG 256 /* the key of a row without a letter is this plus its number */

struct option_row {
	int letter; /* 0: none */
	enum personality who;
	const char *name; /* long name, or NULL; NULL without a letter: a heading in --help */
	const char *arg;  /* as in --help; NULL: none; in brackets: optional */
	const char *help; /* lines fit into 80 columns of --help; NULL: not in --help */
	struct option_value value;
	const char *offers; /* words for completion, besides those of a choice, separated by spaces; NULL: none */
	bool of_list;	    /* for --list only */
	bool filter;	    /* for --list and --extract */
};

/* The arguments of getopt_long(). */
struct option_getopt {
	char letters[3 * OPTION_ROWS_MAX + 3];
	struct option longs[OPTION_ROWS_MAX + 1];
};
void option_table_getopt(enum personality who, struct option_getopt *ret_getopt);

/* Returns the row of a key from getopt_long(); NULL: none. *ret_index: its number, below OPTION_ROWS_MAX. */
const struct option_row *option_table_find(enum personality who, int key, unsigned *ret_index);

/* Returns the row with this number; NULL: there is none, nor any after it. */
const struct option_row *option_table_row(unsigned index);

static inline bool option_is_heading(const struct option_row *row)
{
	return !row->letter && !row->name;
}

/* True if the option with this long name was given. */
bool option_is_given(const struct parser *p, const char *name);

/* Formats an option as users write it: "-n", "--json". Returns buf. */
#define OPTION_SPELLING 32
const char *option_spelling(const struct option_row *row, char buf[static OPTION_SPELLING]);

/* Prints --help; program: the name we were called by. */
void option_table_help(enum personality who, const char *program, FILE *out);

/* ---- option_values.c ---- */

/* Prints why the command line is invalid, and how to get help. Always returns OPTIONS_USAGE. */
__attribute__((format(printf, 2, 3))) enum options_result option_refuse(const struct parser *p, const char *format,
									...);
/* Applies the value of an option, or refuses it; name: as users write it; value: NULL if not given. */
enum options_result option_apply(struct parser *p, const struct option_value *v, const char *name, const char *value);
bool option_is_digits(const char *text);

/* Options parsed by functions, named after the options. */
option_parse option_features, option_tunings, option_progress_fd, option_memory, option_report, option_undo,
	option_limit, option_exit_codes, option_offset, option_explain, option_version, option_force, option_yes,
	option_automatic, option_list, option_list_names, option_fields, option_types, option_user, option_group,
	option_project, option_under, option_owner_of, option_map, option_summary, option_name_of, option_with;

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of options, for parsing, for --help, and for completions of shells; how values are parsed. */
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
	bool repair;		    /* fsck: -y */
	bool seen[OPTION_ROWS_MAX]; /* rows of the table that were given */
	unsigned tuned;		    /* 1 << row of -o: those that were given */
};

/* What becomes of the value of an option, or of a name of -o. */
enum option_type {
	OPTION_NOTHING, /* it has no effect */
	OPTION_FLAG,	/* it takes no value, and sets a bool */
	OPTION_COUNT,	/* it takes no value, and counts in an unsigned */
	OPTION_NAME,	/* const char *: anything that is not empty; "-": no value is given */
	OPTION_UNSIGNED,
	OPTION_NUMBER, /* uint64_t */
	OPTION_SIZE,   /* uint64_t: bytes, or with k, M, G, T, P */
	OPTION_TIME,   /* int64_t: seconds since 1970 */
	OPTION_CHOICE, /* an enum: which of several words */
	OPTION_PARSED, /* a function knows */
};

/* A function that takes the value of an option; value: empty if it is optional and was not given. */
typedef enum options_result option_parse(struct parser *p, const char *name, const char *value);

struct option_value {
	enum option_type type;
	size_t sets, given;	  /* where in struct options the value goes; where a bool is that it was given, or 0 */
	uint64_t min, max;	  /* of a number */
	const char *const *words; /* of a choice; the last is NULL */
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

#define OPTION_LONG 256 /* the key of a row without a letter is this, and its number */

struct option_row {
	int letter; /* 0: it has none */
	enum personality who;
	const char *
		name; /* long name, or NULL; NULL without a letter: a heading that --help prints above the rows below */
	const char *arg;  /* as --help shows it, NULL: none; in brackets: optional */
	const char *help; /* lines fit into 80 columns there; NULL: --help does not list it */
	struct option_value value;
	const char
		*offers; /* words that completions offer, besides those of a choice, with blanks between; NULL: none */
	bool of_list;	 /* it is for --list only */
	bool filter;	 /* it is for --list and --extract */
};

/* The arguments of getopt_long() that describe the options. */
struct option_getopt {
	char letters[3 * OPTION_ROWS_MAX + 3];
	struct option longs[OPTION_ROWS_MAX + 1];
};
void option_table_getopt(enum personality who, struct option_getopt *ret_getopt);

/*
 * The row of a key that getopt_long() returned; NULL: there is none.  *ret_index: its number, below OPTION_ROWS_MAX.
 */
const struct option_row *option_table_find(enum personality who, int key, unsigned *ret_index);

/* The row of this number; NULL: there is none, nor any behind it. */
const struct option_row *option_table_row(unsigned index);

static inline bool option_is_heading(const struct option_row *row)
{
	return !row->letter && !row->name;
}

/* True if the option with this long name was given. */
bool option_is_given(const struct parser *p, const char *name);

/* How the user writes an option: "-n", "--json". Returns buf. */
#define OPTION_SPELLING 32
const char *option_spelling(const struct option_row *row, char buf[static OPTION_SPELLING]);

/* Print what --help shows; program: the name we were called by. */
void option_table_help(enum personality who, const char *program, FILE *out);

/* ---- option_values.c ---- */

/* Print why the command line is refused, and how to get help. Always OPTIONS_USAGE. */
__attribute__((format(printf, 2, 3))) enum options_result option_refuse(const struct parser *p, const char *format,
									...);
/* Apply the value of an option, or refuse it, named as the user writes it; value: NULL if none was given. */
enum options_result option_apply(struct parser *p, const struct option_value *v, const char *name, const char *value);
bool option_is_digits(const char *text);

/* Options whose values a function knows: names end as the options do. */
option_parse option_features, option_tunings, option_progress_fd, option_memory, option_report, option_undo,
	option_limit, option_exit_codes, option_offset, option_explain, option_version, option_force, option_yes,
	option_automatic, option_list, option_list_names, option_fields, option_types, option_user, option_group,
	option_project, option_under, option_owner_of, option_map, option_summary, option_name_of, option_with;

#endif

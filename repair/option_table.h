/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of options, for parsing and for --help. */
#ifndef XFSCK_REPAIR_OPTION_TABLE_H
#define XFSCK_REPAIR_OPTION_TABLE_H

#include <getopt.h>
#include <stddef.h>
#include <stdio.h>

#include "options.h"

/* What getopt_long() returns for options that have no letter, and for operands. */
enum {
	KEY_HEADING = 0, /* not an option: a heading that --help prints above the rows that follow */
	KEY_OPERAND = 1, /* getopt's own number for an operand met in place */
	KEY_JSON = 256,
	KEY_PROGRESS,
	KEY_THREADS,
	KEY_ENGINE,
	KEY_STATS,
	KEY_HELP,
	KEY_EXACT,
	KEY_LOG,
	KEY_ROLLBACK,
	KEY_UNDO,
	KEY_COMMIT_UNPROVEN,
	KEY_UNDO_DIR,
	KEY_ACCEPT_LOSS,
	KEY_TRACE,
	KEY_HTML,
	KEY_LINES,
	KEY_TO_STDERR,
	KEY_LIMIT,
	KEY_COLOR,
	KEY_EXPLAIN,
	KEY_EXIT_CODES,
	KEY_TELL_LOSS,
	KEY_LIST,
	KEY_LIST_NAMES,
	KEY_FIELDS,
	KEY_TYPE,
	KEY_NEWER,
	KEY_OLDER,
	KEY_LARGER,
	KEY_SMALLER,
	KEY_USER,
	KEY_GROUP,
	KEY_PROJECT,
	KEY_UNDER,
	KEY_NAME,
	KEY_NAME_OF,
	KEY_OWNER_OF,
	KEY_BAD,
	KEY_BAD_BLOCK_SIZE,
	KEY_MAP,
	KEY_FRAG,
	KEY_SUMMARY,
	KEY_PREVIEW,
	KEY_APPLY,
	KEY_PLAN,
	KEY_PLAN_APPLY,
	KEY_OFFSET,
	KEY_PARTITION,
	KEY_EXTRACT,
	KEY_TO,
	KEY_SKIP_DAMAGED,
	KEY_NO_SANDBOX,
	KEY_REPORT,
	KEY_JOBS,
	KEY_CHECKPOINT,
	KEY_RESUME,
};

enum personality {
	XFSCK = 1,
	FSCK = 2, /* fsck.xfs */
	BOTH = XFSCK | FSCK,
};

/* Where a member lies in struct options. */
#define SETS(member) offsetof(struct options, member)

struct option_row {
	int key; /* the letter, or KEY_* */
	enum personality who;
	const char *name; /* long name, or NULL */
	const char *arg;  /* as --help shows it, NULL: none; in brackets: optional */
	size_t sets;	  /* where in struct options the flag is that it sets, or with arg, the name; 0: it does more */
	const char *help; /* lines fit into 80 columns there; NULL: --help does not list it */
};

#define OPTION_ROWS_MAX 128

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

/* How the user writes an option: "-n", "--json". Returns buf. */
#define OPTION_SPELLING 32
const char *option_spelling(const struct option_row *row, char buf[static OPTION_SPELLING]);

/* Print what --help shows; program: the name we were called by. */
void option_table_help(enum personality who, const char *program, FILE *out);

#endif

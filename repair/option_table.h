/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which options there are: for parsing and for --help. */
#ifndef XFSCK_REPAIR_OPTION_TABLE_H
#define XFSCK_REPAIR_OPTION_TABLE_H

#include <getopt.h>
#include <stdio.h>

/* what getopt_long() returns for things without a letter */
enum {
	KEY_HEADING = 0, /* not an option: what --help prints above those that follow */
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
};

enum personality {
	XFSCK = 1,
	FSCK = 2, /* fsck.xfs */
	BOTH = XFSCK | FSCK,
};

struct option_row {
	int key; /* the letter, or KEY_ */
	enum personality who;
	const char *name; /* long name, or NULL */
	const char *arg;  /* as --help shows it, NULL: none; in brackets: optional */
	const char *help; /* its lines fit into 80 columns there */
};

#define OPTION_ROWS_MAX 64

/* The rows that getopt_long() is to know, in its form. */
struct option_getopt {
	char letters[2 * OPTION_ROWS_MAX + 3];
	struct option longs[OPTION_ROWS_MAX + 1];
};
void option_table_getopt(enum personality who, struct option_getopt *ret_getopt);

/* The row of what getopt_long() returned, NULL if there is none.  *ret_index, a bit's worth, is below OPTION_ROWS_MAX.
 */
const struct option_row *option_table_find(enum personality who, int key, unsigned *ret_index);

/* How the user writes an option: "-n", "--json". */
#define OPTION_SPELLING 32
const char *option_spelling(const struct option_row *row, char buf[static OPTION_SPELLING]);

/* --help; program: the name we were called by. */
void option_table_help(enum personality who, const char *program, FILE *out);

#endif

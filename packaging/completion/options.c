/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the options of xfsck that --help lists, one a line, for the completions of shells: how it is written, whether
 * it takes a value (no, must, may), what kind of value, words to offer, and what it does; with tabs between them.
 * Kinds: none (anything), file, dir, words (one of them, or anything else), words-file (or a file), list (some of them,
 * with commas between), ids (of findings, which the program tells).
 */
#include <string.h>

#include "option_table.h"

/* Values that are known beforehand.  The suite "install" holds them against what the parser takes. */
static const struct {
	int key;
	const char *words;
} known[] = {
	{ KEY_UNDO, "auto none" },
	{ KEY_LOG, "replay ignore upto across" },
	{ KEY_REPORT, "junit tap" },
	{ 'c', "inobtcount=1 bigtime=1 nrext64=1 exchange=1 lazycount=1 lazycount=0" },
	{ KEY_EXIT_CODES, "auto xfs_repair fsck" },
	{ KEY_LIST, "text tsv csv json paths0" },
	{ KEY_LIST_NAMES, "all one" },
	{ KEY_FIELDS,
	  "path ino gen type mode uid gid projid nlink size blocks extents aextents atime mtime ctime crtime "
	  "flags rdev target" },
	{ KEY_TYPE, "f d l c b p s" },
	{ KEY_COLOR, "auto always never" },
	{ KEY_PROGRESS, "auto always never" },
	{ KEY_ENGINE, "auto uring threads" },
	{ 'o', "ag_stride= queue_depth= merge_gap= medium=auto medium=flash medium=disk io_timeout= noquota bhash= "
	       "phase2_threads= "
	       "debug_bload_leaf_slack= debug_bload_node_slack= assume_xfs force_geometry shrink" },
};

static const char *words_of(const struct option_row *row)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (known[i].key == row->key)
			return known[i].words;
	}
	return "";
}

static const char *kind_of(const struct option_row *row)
{
	const char *arg = row->arg ? row->arg : "";

	if (row->key == KEY_EXPLAIN)
		return "ids";
	if (row->key == 'o' || (words_of(row)[0] && strstr(arg, "[,...]")))
		return "list";
	if (strstr(arg, "FILE") || strstr(arg, "DEV") || !strcmp(arg, "TARGET"))
		return words_of(row)[0] ? "words-file" : "file";
	if (!strcmp(arg, "DIR"))
		return "dir";
	return words_of(row)[0] ? "words" : "none";
}

/* Print the first clause of the help, in one line. */
static void print_clause(const char *help)
{
	for (const char *at = help; *at && !strchr(";:(", *at) && strncmp(at, " (", 2) != 0; at++)
		putchar(*at == '\n' ? ' ' : *at);
	putchar('\n');
}

int main(void)
{
	const struct option_row *row;

	for (unsigned i = 0; (row = option_table_row(i)); i++) {
		char name[OPTION_SPELLING];

		if (row->key == KEY_HEADING || !(row->who & XFSCK) || !row->help)
			continue;
		printf("%s\t%s\t%s\t%s\t", option_spelling(row, name),
		       !row->arg	    ? "no"
		       : row->arg[0] == '[' ? "may"
					    : "must",
		       kind_of(row), words_of(row));
		print_clause(row->help);
	}
	return ferror(stdout) || fclose(stdout);
}

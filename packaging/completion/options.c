/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the options of xfsck that --help lists, one a line, for the completions of shells: how it is written, whether
 * it takes a value (no, must, may), what kind of value, words to offer, and what it does; with tabs between them.
 * Kinds: none (anything), file, dir, words (one of them, or anything else), words-file (or a file), list (some of them,
 * with commas between), ids (of findings, which the program tells).
 */
#include <string.h>

#include "front/option_table.h"

/* Returns what the value may be, with blanks between; "": anything. */
static const char *words_of(const struct option_row *row)
{
	static char words[128];

	words[0] = '\0';
	if (row->offers)
		return row->offers;
	for (unsigned i = 0; row->value.words && row->value.words[i]; i++)
		snprintf(words + strlen(words), sizeof(words) - strlen(words), "%s%s", i ? " " : "",
			 row->value.words[i]);
	return words;
}

static const char *kind_of(const struct option_row *row)
{
	const char *arg = row->arg ? row->arg : "";

	if (!strcmp(arg, "ID[,...]"))
		return "ids";
	if (row->letter == 'o' || (words_of(row)[0] && strstr(arg, "[,...]")))
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

		if (option_is_heading(row) || !(row->who & XFSCK) || !row->help)
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

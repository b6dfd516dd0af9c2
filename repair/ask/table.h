/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of an answer: cells are collected, and printed in columns that are as wide as the widest of them. */
#ifndef XFSCK_REPAIR_TABLE_H
#define XFSCK_REPAIR_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct answer_copy;
struct html;
struct table;

/* Where an answer goes: text, and a page to look at. */

struct answer {
	FILE *text;
	struct html *page; /* NULL: none */
};

/* A sentence: a line of the text, or a paragraph of the page. */
__attribute__((format(printf, 2, 3))) void answer_say(const struct answer *to, const char *format, ...);
/* An empty line of the text. */
void answer_space(const struct answer *to);

/*
 * For an answer that is text alone: it goes on to `text`, and its beginning into this section of the page (html_out.h).
 * *ret_out: where to print it, until answer_copy_end(). NULL: out of memory.
 */
struct answer_copy *answer_copy_begin(FILE *text, struct html *page, unsigned section, FILE **ret_out);
/* Frees it; NULL is fine. */
void answer_copy_end(struct answer_copy *copy);

/*
 * A table with these headings, which must live as long; columns are separated by '|' in the text.  A heading that
 * begins with '<' is that of a column whose cells begin on the left; numbers are on the right.  One that begins with
 * '+' is that of numbers that the page also draws as bars.  NULL: out of memory.
 */
struct table *table_new(const char *headings);
/* Add the next cell: a number with separators, or a text.  What can't be added for lack of memory, table_end() tells.
 */
void table_number(struct table *table, uint64_t number);
__attribute__((format(printf, 2, 3))) void table_text(struct table *table, const char *format, ...);
/* A number of bytes, as "512 B", "1.5 MiB". */
void table_bytes(struct table *table, uint64_t bytes);
/* Add a cell with a name from the disk, as quote.h prints it; if there is none, "-". */
void table_name(struct table *table, const uint8_t *bytes, size_t length);
/* Print the table, if it has rows, and free it; table may be NULL.  The page has its first rows. 0 or -ENOMEM. */
int table_end(struct table *table, const struct answer *to);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of an answer.  What they have is described once: cells are collected, and printed as text, on the page, and as
 * JSON.
 */
#ifndef XFSCK_REPAIR_TABLE_H
#define XFSCK_REPAIR_TABLE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct answer_copy;
struct html;
struct paths;
struct report_json;
struct table;

/* Where an answer goes: text, a page to look at, and lines of JSON. */

struct answer {
	FILE *text;		  /* NULL: a table goes to JSON only */
	struct html *page;	  /* NULL: none */
	struct report_json *json; /* NULL: none */
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
 * A table: "heading=key|..." for each column, which must live as long.  The text and the page have the columns with a
 * heading, each as wide as its widest cell; JSON has those with a key.  A heading that begins with '<' is that of a
 * column whose cells begin on the left; numbers are on the right.  One that begins with '+' is that of numbers that the
 * page also draws as bars.  most: rows that text and page have, for JSON has all.  NULL: out of memory.
 */
struct table *table_new(const struct answer *to, const char *columns, size_t most);
/* Add the next cell.  What can't be added for lack of memory, its end tells: a number with separators, ... */
void table_number(struct table *table, uint64_t number);
/* ... a number that is a name, without separators, ... */
void table_id(struct table *table, uint64_t id);
/* ... a text, ... */
__attribute__((format(printf, 2, 3))) void table_text(struct table *table, const char *format, ...);
/* ... a text that JSON lacks, ... */
void table_label(struct table *table, const char *label);
/* ... any number as a text; JSON has the number itself, ... */
__attribute__((format(printf, 3, 4))) void table_real(struct table *table, double number, const char *format, ...);
/* ... a number of bytes, as "512 B", "1.5 MiB", ... */
void table_bytes(struct table *table, uint64_t bytes);
/* ... a name from the disk, as quote.h prints it, if there is none, "-", ... */
void table_name(struct table *table, const uint8_t *bytes, size_t length);
/* ... or the path of an inode; JSON has its kind, too, see report_json_path().  paths must live as long. */
void table_path(struct table *table, struct paths *paths, uint64_t ino);
/* The last row, which is whole, is in JSON only. */
void table_hide(struct table *table);
/*
 * Print the table, if it has rows, and free it; table may be NULL.  The page has its first rows.  object: NULL, or what
 * gets its rows as an array of this name.  0 or -ENOMEM.
 */
int table_end(struct table *table, const struct answer *to, json_t *object, const char *name);
/* The same, but each row is a line of JSON of this type. */
int table_end_lines(struct table *table, const struct answer *to, const char *type);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of an answer. Cells are added once, and printed as text, on the page, and as JSON. */
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

/* Where an answer goes: text, page, and lines of JSON. */

struct answer {
	FILE *text;		  /* NULL: tables go to JSON only */
	struct html *page;	  /* NULL: none */
	struct report_json *json; /* NULL: none */
};

/* Writes a sentence: a line of the text, and a paragraph of the page. */
__attribute__((format(printf, 2, 3))) void answer_say(const struct answer *to, const char *format, ...);
/* Writes an empty line to the text. */
void answer_space(const struct answer *to);

/*
 * Copies the beginning of an answer that is only text to a section of the page (html_out.h); all of it goes to `text`.
 * *ret_out: where to print it until answer_copy_end(). NULL: out of memory.
 */
struct answer_copy *answer_copy_begin(FILE *text, struct html *page, unsigned section, FILE **ret_out);
/* Ends the copy and frees it; copy may be NULL. */
void answer_copy_end(struct answer_copy *copy);

/*
 * Creates a table; columns: "heading=key|...", which must live as long. Text and page show the columns with a heading,
 * JSON has those with a key. A heading that begins with '<' is for left-aligned cells, one with '+' for numbers that
 * the page also draws as bars; others are right-aligned. most: the most rows of text and page; JSON has all. NULL: out
 * of memory.
 */
struct table *table_new(const struct answer *to, const char *columns, size_t most);
/* These add the next cell; table_end() reports lack of memory. A number with separators ... */
void table_number(struct table *table, uint64_t number);
/* ... an identifying number, without separators ... */
void table_id(struct table *table, uint64_t id);
/* ... a text ... */
__attribute__((format(printf, 2, 3))) void table_text(struct table *table, const char *format, ...);
/* ... a text that is not in JSON ... */
void table_label(struct table *table, const char *label);
/* ... any number as a text, and as itself in JSON ... */
__attribute__((format(printf, 3, 4))) void table_real(struct table *table, double number, const char *format, ...);
/* ... a number of bytes, as "512 B", "1.5 MiB" ... */
void table_bytes(struct table *table, uint64_t bytes);
/* ... a name from the disk, printed as quote.h does; length 0: "-" ... */
void table_name(struct table *table, const uint8_t *bytes, size_t length);
/* ... or the path of an inode, in JSON with its kind, see report_json_path(). paths must live as long. */
void table_path(struct table *table, struct paths *paths, uint64_t ino);
/* Leaves the last row, which must be complete, out of text and page. */
void table_hide(struct table *table);
/*
 * Prints the table, if it has rows, and frees it; table may be NULL. object: gets the rows as an array `name`; NULL:
 * not in JSON. 0 or -ENOMEM.
 */
int table_end(struct table *table, const struct answer *to, json_t *object, const char *name);
/* The same, but each row is a line of JSON of this type. */
int table_end_lines(struct table *table, const struct answer *to, const char *type);

#endif

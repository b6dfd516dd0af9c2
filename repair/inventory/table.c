/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the cells of a table, and prints them. */
#define _GNU_SOURCE 1 /* vasprintf() */

#include "table.h"

#include <stdarg.h>

#include "array.h"
#include "report/quote.h"
#include "report/words.h"

#define COLUMNS_MAX 16u

struct table {
	unsigned columns;
	struct column {
		const char *heading;
		size_t length; /* of the heading */
		size_t width;
		bool left;
	} column[COLUMNS_MAX];
	struct cell {
		char *text;
		size_t width; /* columns of a terminal, about: characters */
	} * cells;
	size_t count, room;
	bool starved;
};

/* Characters in UTF-8. */
static size_t width_of(const char *text, size_t length)
{
	size_t width = 0;

	for (size_t i = 0; i < length; i++)
		width += ((uint8_t)text[i] & 0xc0) != 0x80;
	return width;
}

struct table *table_new(const char *headings)
{
	struct table *t = calloc(1, sizeof(*t));

	while (t && headings && t->columns < COLUMNS_MAX) {
		struct column *c = &t->column[t->columns++];
		const char *end = strchr(headings, '|');

		c->left = headings[0] == '<';
		c->heading = headings + c->left;
		c->length = end ? (size_t)(end - c->heading) : strlen(c->heading);
		c->width = width_of(c->heading, c->length);
		headings = end ? end + 1 : NULL;
	}
	return t;
}

/* Add a cell; takes over the text, NULL: out of memory. */
static void add_cell(struct table *t, char *text)
{
	struct column *c;
	size_t width;

	if (!t)
		return;
	if (!text || array_add(t->cells, t->room, t->count, (struct cell){ text, 0 })) {
		free(text);
		t->starved = true;
		return;
	}
	width = width_of(text, strlen(text));
	c = &t->column[(t->count - 1) % t->columns];
	t->cells[t->count - 1].width = width;
	if (c->width < width)
		c->width = width;
}

void table_number(struct table *table, uint64_t number)
{
	struct words words = { 0 };

	words_add_number(&words, number);
	add_cell(table, strdup(words.text));
}

void table_text(struct table *table, const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	add_cell(table, text);
}

void table_bytes(struct table *table, uint64_t bytes)
{
	struct words words = { 0 };

	words_add_bytes(&words, bytes);
	add_cell(table, strdup(words.text));
}

void table_name(struct table *table, const uint8_t *bytes, size_t length)
{
	char *text = NULL;
	size_t size;
	FILE *out = length ? open_memstream(&text, &size) : NULL;

	if (!length) {
		add_cell(table, strdup("-"));
		return;
	}
	if (out) {
		quote_print(out, bytes, length);
		if (fclose(out)) {
			free(text);
			text = NULL;
		}
	}
	add_cell(table, text);
}

/* Print a cell; on the left nothing is behind the last one of a row. */
static void print_cell(const struct table *t, unsigned at, const char *text, size_t length, size_t width, FILE *out)
{
	const struct column *c = &t->column[at];
	const int space = (int)(c->width - width);
	const bool last = at + 1 == t->columns;

	fprintf(out, "%s%*s%.*s%*s%s", at ? "  " : "", c->left ? 0 : space, "", (int)length, text,
		c->left && !last ? space : 0, "", last ? "\n" : "");
}

int table_end(struct table *t, FILE *out)
{
	const bool starved = !t || t->starved;

	for (unsigned i = 0; !starved && t->count && i < t->columns; i++)
		print_cell(t, i, t->column[i].heading, t->column[i].length,
			   width_of(t->column[i].heading, t->column[i].length), out);
	for (size_t i = 0; !starved && i < t->count; i++)
		print_cell(t, (unsigned)(i % t->columns), t->cells[i].text, strlen(t->cells[i].text), t->cells[i].width,
			   out);
	for (size_t i = 0; t && i < t->count; i++)
		free(t->cells[i].text);
	if (t)
		free(t->cells);
	free(t);
	return starved ? -ENOMEM : 0;
}

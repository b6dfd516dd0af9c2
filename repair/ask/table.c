/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the cells of a table, and prints them. */
#define _GNU_SOURCE 1 /* vasprintf() */

#include "table.h"

#include <stdarg.h>

#include "array.h"
#include "report/html_out.h"
#include "report/quote.h"
#include "report/words.h"

#define COLUMNS_MAX 16u
#define PAGE_ROWS   1000u /* that the page has */

struct table {
	unsigned columns;
	struct column {
		const char *heading;
		size_t length; /* of the heading */
		size_t width;
		bool left, bar, name;
	} column[COLUMNS_MAX];
	struct cell {
		char *text;
		size_t width; /* columns of a terminal, about: characters */
		uint64_t number;
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
		c->bar = headings[0] == '+';
		c->heading = headings + (c->left || c->bar);
		c->length = end ? (size_t)(end - c->heading) : strlen(c->heading);
		c->width = width_of(c->heading, c->length);
		headings = end ? end + 1 : NULL;
	}
	return t;
}

/* Add a cell; takes over the text, NULL: out of memory.  number: for its bar. */
static void add_cell(struct table *t, char *text, uint64_t number)
{
	struct column *c;
	size_t width;

	if (!t) {
		free(text);
		return;
	}
	if (!text || array_add(t->cells, t->room, t->count, (struct cell){ text, 0, number })) {
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
	add_cell(table, strdup(words.text), number);
}

void table_text(struct table *table, const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	add_cell(table, text, 0);
}

void table_bytes(struct table *table, uint64_t bytes)
{
	struct words words = { 0 };

	words_add_bytes(&words, bytes);
	add_cell(table, strdup(words.text), bytes);
}

void table_name(struct table *table, const uint8_t *bytes, size_t length)
{
	char *text = NULL;
	size_t size;
	FILE *out = length ? open_memstream(&text, &size) : NULL;

	if (table)
		table->column[table->count % table->columns].name = true;
	if (!length) {
		add_cell(table, strdup("-"), 0);
		return;
	}
	if (out) {
		quote_print(out, bytes, length);
		if (fclose(out)) {
			free(text);
			text = NULL;
		}
	}
	add_cell(table, text, 0);
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

static void print(const struct table *t, FILE *out)
{
	for (unsigned i = 0; t->count && i < t->columns; i++)
		print_cell(t, i, t->column[i].heading, t->column[i].length,
			   width_of(t->column[i].heading, t->column[i].length), out);
	for (size_t i = 0; t->columns && i < t->count; i++)
		print_cell(t, (unsigned)(i % t->columns), t->cells[i].text, strlen(t->cells[i].text), t->cells[i].width,
			   out);
}

/* ---- the page ---- */

static void put_heading(struct html *page, const struct column *c)
{
	html_put(page, c->left ? "<th>" : "<th class=\"number\">");
	fwrite(c->heading, 1, c->length, html_line(page));
	html_line_end(page);
	html_put(page, c->bar ? "</th><th></th>" : "</th>");
}

/* The greatest number of a column, for its bars. */
static uint64_t longest_of(const struct table *t, unsigned column)
{
	uint64_t longest = 0;

	for (size_t i = column; i < t->count; i += t->columns)
		if (t->cells[i].number > longest)
			longest = t->cells[i].number;
	return longest;
}

static void put_cell(struct html *page, const struct table *t, size_t at, const uint64_t *longest)
{
	const struct column *c = &t->column[at % t->columns];

	html_put(page, c->name ? "<td class=\"name\">" : c->left ? "<td>" : "<td class=\"number\">");
	html_text(page, t->cells[at].text);
	html_put(page, "</td>");
	if (!c->bar)
		return;
	html_put(page, "<td>");
	html_bar(page, (double)t->cells[at].number, (double)longest[at % t->columns]);
	html_put(page, "</td>");
}

/* The order of columns on the page: names first, so that a narrow one shows whose the numbers are. */
static void order_columns(const struct table *t, unsigned *order)
{
	unsigned n = 0;

	for (unsigned name = 2; name-- > 0;)
		for (unsigned i = 0; i < t->columns; i++)
			if (t->column[i].name == (name == 1))
				order[n++] = i;
}

static void put_table(struct html *page, const struct table *t)
{
	const size_t rows = t->count / t->columns, shown = rows < PAGE_ROWS ? rows : PAGE_ROWS;
	uint64_t longest[COLUMNS_MAX];
	unsigned order[COLUMNS_MAX];

	order_columns(t, order);
	html_list_end(page);
	html_put(page, "<div class=\"wide\"><table><thead><tr>");
	for (unsigned i = 0; i < t->columns; i++) {
		put_heading(page, &t->column[order[i]]);
		longest[i] = longest_of(t, i);
	}
	html_put(page, "</tr></thead>\n<tbody>\n");
	for (size_t row = 0; row < shown; row++) {
		html_put(page, "<tr>");
		for (unsigned i = 0; i < t->columns; i++)
			put_cell(page, t, row * t->columns + order[i], longest);
		html_put(page, "</tr>\n");
	}
	html_put(page, "</tbody></table></div>\n");
	if (rows == shown)
		return;
	html_put(page, "<p>and ");
	html_number(page, rows - shown);
	html_put(page, " more, which the text has</p>\n");
}

int table_end(struct table *t, const struct answer *to)
{
	const bool starved = !t || t->starved;

	if (!starved)
		print(t, to->text);
	if (!starved && to->page && t->count)
		put_table(to->page, t);
	for (size_t i = 0; t && i < t->count; i++)
		free(t->cells[i].text);
	if (t)
		free(t->cells);
	free(t);
	return starved ? -ENOMEM : 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the cells of a table, and prints it. */
#define _GNU_SOURCE 1 /* vasprintf(), strchrnul() */

#include "table.h"

#include <inttypes.h>
#include <stdarg.h>

#include "array.h"
#include "names/paths.h"
#include "report/html_out.h"
#include "report/json_out.h"
#include "report/quote.h"
#include "report/words.h"

#define COLUMNS_MAX 16u
#define KEY_MOST    32u
#define PAGE_ROWS   1000u /* on the page */

enum cell_kind { CELL_NUMBER, CELL_REAL, CELL_TEXT, CELL_LABEL, CELL_NAME, CELL_PATH };

struct table {
	unsigned columns;
	struct column {
		const char *heading;
		size_t length; /* of the heading */
		size_t width;
		char key[KEY_MOST]; /* "": not in JSON */
		bool left, bar, name;
		bool hidden; /* in JSON only */
	} column[COLUMNS_MAX];
	struct cell {
		enum cell_kind kind;
		bool hidden; /* of the first cell: the row is in JSON only */
		char *text;
		uint64_t number; /* or inode number */
		double real;
		json_t *name; /* CELL_NAME: its JSON, if wanted */
	} * cells;
	size_t count, room;
	size_t most; /* rows of text and page */
	struct report_json *json;
	struct paths *paths;
	bool starved;
};

/* Returns the characters of a UTF-8 text, roughly its columns on a terminal. */
static size_t width_of(const char *text, size_t length)
{
	size_t width = 0;

	for (size_t i = 0; i < length; i++)
		width += ((uint8_t)text[i] & 0xc0) != 0x80;
	return width;
}

struct table *table_new(const struct answer *to, const char *columns, size_t most)
{
	struct table *t = calloc(1, sizeof(*t));

	while (t && columns && t->columns < COLUMNS_MAX) {
		struct column *c = &t->column[t->columns++];
		const char *next = strchrnul(columns, '|'), *key = memchr(columns, '=', (size_t)(next - columns));

		c->hidden = columns == key;
		c->left = columns[0] == '<';
		c->bar = columns[0] == '+';
		c->heading = columns + (c->left || c->bar);
		c->length = (size_t)((key ? key : next) - c->heading);
		if (key)
			snprintf(c->key, sizeof(c->key), "%.*s", (int)(next - key - 1), key + 1);
		columns = *next ? next + 1 : NULL;
	}
	if (t) {
		t->most = most;
		t->json = to->json;
	}
	return t;
}

/* Adds a cell; takes over its text (NULL: out of memory) and its name. */
static void add_cell(struct table *t, struct cell cell)
{
	if (t && cell.text && !array_add(t->cells, t->room, t->count, cell))
		return;
	if (t)
		t->starved = true;
	free(cell.text);
	json_decref(cell.name);
}

__attribute__((format(printf, 1, 0))) static char *text_of(const char *format, va_list args)
{
	char *text = NULL;

	return vasprintf(&text, format, args) < 0 ? NULL : text;
}

void table_number(struct table *table, uint64_t number)
{
	struct words words = { 0 };

	words_add_number(&words, number);
	add_cell(table, (struct cell){ .kind = CELL_NUMBER, .text = strdup(words.text), .number = number });
}

void table_id(struct table *table, uint64_t id)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, id);
	add_cell(table, (struct cell){ .kind = CELL_NUMBER, .text = strdup(text), .number = id });
}

void table_text(struct table *table, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_cell(table, (struct cell){ .kind = CELL_TEXT, .text = text_of(format, args) });
	va_end(args);
}

void table_label(struct table *table, const char *label)
{
	add_cell(table, (struct cell){ .kind = CELL_LABEL, .text = strdup(label) });
}

void table_real(struct table *table, double number, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_cell(table, (struct cell){ .kind = CELL_REAL, .text = text_of(format, args), .real = number });
	va_end(args);
}

void table_bytes(struct table *table, uint64_t bytes)
{
	struct words words = { 0 };

	words_add_bytes(&words, bytes);
	add_cell(table, (struct cell){ .kind = CELL_NUMBER, .text = strdup(words.text), .number = bytes });
}

/* Returns a name as quote.h prints it; "-" if empty. NULL: out of memory. */
static char *quoted(const uint8_t *bytes, size_t length)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (length)
		quote_print(out, bytes, length);
	else
		putc('-', out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static void mark_name(struct table *t)
{
	if (t)
		t->column[t->count % t->columns].name = true;
}

void table_name(struct table *table, const uint8_t *bytes, size_t length)
{
	json_t *name = NULL;

	if (table && table->json)
		name = length ? json_out_bytes((const char *)bytes, length) : json_null();
	mark_name(table);
	add_cell(table, (struct cell){ .kind = CELL_NAME, .text = quoted(bytes, length), .name = name });
}

void table_path(struct table *table, struct paths *paths, uint64_t ino)
{
	struct path path;

	paths_find(paths, (xino_t){ ino }, &path);
	mark_name(table);
	if (table)
		table->paths = paths;
	add_cell(table, (struct cell){ .kind = CELL_PATH, .text = quoted(path.bytes, path.len), .number = ino });
}

void table_hide(struct table *table)
{
	if (table && !table->starved)
		table->cells[table->count - table->columns].hidden = true;
}

/* ---- the text ---- */

/* Iterates over the rows of text and page, starting with *row 0. Returns the first cell, or NULL at the end. */
static const struct cell *next_row(const struct table *t, size_t *row)
{
	while (*row * t->columns < t->count) {
		const struct cell *cells = &t->cells[(*row)++ * t->columns];

		if (!cells->hidden)
			return cells;
	}
	return NULL;
}

static size_t count_rows(const struct table *t)
{
	size_t count = 0;

	for (size_t row = 0; next_row(t, &row);)
		count++;
	return count;
}

/* Finds the widths of columns for this many rows. */
static void measure(struct table *t, size_t rows)
{
	const struct cell *cells;

	for (unsigned i = 0; i < t->columns; i++)
		t->column[i].width = width_of(t->column[i].heading, t->column[i].length);
	for (size_t row = 0; rows-- > 0 && (cells = next_row(t, &row));)
		for (unsigned i = 0; i < t->columns; i++) {
			const size_t width = width_of(cells[i].text, strlen(cells[i].text));

			if (t->column[i].width < width)
				t->column[i].width = width;
		}
}

/* Prints a cell; a left-aligned last cell gets no trailing spaces. */
static void print_cell(const struct column *c, bool first, bool last, const char *text, size_t length, FILE *out)
{
	const int space = (int)(c->width - width_of(text, length));

	fprintf(out, "%s%*s%.*s%*s", first ? "" : "  ", c->left ? 0 : space, "", (int)length, text,
		c->left && !last ? space : 0, "");
}

/* Prints a row; cells NULL: the headings. */
static void print_row(const struct table *t, const struct cell *cells, FILE *out)
{
	unsigned first = 0, last = t->columns - 1;

	while (t->column[first].hidden && first < last)
		first++;
	while (t->column[last].hidden && last > first)
		last--;
	for (unsigned i = first; i <= last; i++) {
		const struct column *c = &t->column[i];
		const char *text = cells ? cells[i].text : c->heading;

		if (!c->hidden)
			print_cell(c, i == first, i == last, text, cells ? strlen(text) : c->length, out);
	}
	putc('\n', out);
}

static void print(struct table *t, size_t rows, FILE *out)
{
	const struct cell *cells;

	if (!rows)
		return;
	measure(t, rows);
	print_row(t, NULL, out);
	for (size_t row = 0; rows-- > 0 && (cells = next_row(t, &row));)
		print_row(t, cells, out);
}

/* ---- the page ---- */

static void put_heading(struct html *page, const struct column *c)
{
	html_put(page, c->left ? "<th>" : "<th class=\"number\">");
	fwrite(c->heading, 1, c->length, html_line(page));
	html_line_end(page);
	html_put(page, c->bar ? "</th><th></th>" : "</th>");
}

/* Finds the greatest number of each column, for its bars. */
static void find_longest(const struct table *t, uint64_t longest[COLUMNS_MAX])
{
	const struct cell *cells;

	memset(longest, 0, COLUMNS_MAX * sizeof(*longest));
	for (size_t row = 0; (cells = next_row(t, &row));)
		for (unsigned i = 0; i < t->columns; i++)
			if (longest[i] < cells[i].number)
				longest[i] = cells[i].number;
}

static void put_cell(struct html *page, const struct column *c, const struct cell *cell, uint64_t longest)
{
	html_put(page, c->name ? "<td class=\"name\">" : c->left ? "<td>" : "<td class=\"number\">");
	html_text(page, cell->text);
	html_put(page, "</td>");
	if (!c->bar)
		return;
	html_put(page, "<td>");
	html_bar(page, (double)cell->number, (double)longest);
	html_put(page, "</td>");
}

/* Orders columns for the page: names first, so that a narrow screen shows them. Returns their number. */
static unsigned order_columns(const struct table *t, unsigned *order)
{
	unsigned n = 0;

	for (unsigned name = 2; name-- > 0;)
		for (unsigned i = 0; i < t->columns; i++)
			if (!t->column[i].hidden && t->column[i].name == (name == 1))
				order[n++] = i;
	return n;
}

static void put_table(struct html *page, const struct table *t, size_t rows)
{
	const size_t shown = rows < PAGE_ROWS ? rows : PAGE_ROWS;
	uint64_t longest[COLUMNS_MAX];
	unsigned order[COLUMNS_MAX];
	const unsigned columns = order_columns(t, order);

	find_longest(t, longest);
	html_list_end(page);
	html_put(page, "<div class=\"wide\"><table><thead><tr>");
	for (unsigned i = 0; i < columns; i++)
		put_heading(page, &t->column[order[i]]);
	html_put(page, "</tr></thead>\n<tbody>\n");
	for (size_t row = 0, n = 0; n < shown; n++) {
		const struct cell *cells = next_row(t, &row);

		html_put(page, "<tr>");
		for (unsigned i = 0; i < columns; i++)
			put_cell(page, &t->column[order[i]], &cells[order[i]], longest[order[i]]);
		html_put(page, "</tr>\n");
	}
	html_put(page, "</tbody></table></div>\n");
	if (rows == shown)
		return;
	html_put(page, "<p>and ");
	html_number(page, rows - shown);
	html_put(page, " more, which the text has</p>\n");
}

/* ---- JSON ---- */

static void set_cell(const struct table *t, json_t *object, const char *key, const struct cell *cell)
{
	char kind[KEY_MOST + 8];

	switch (cell->kind) {
	case CELL_NUMBER:
		json_out_set(t->json, object, key, json_out_number(cell->number));
		break;
	case CELL_REAL:
		json_out_set(t->json, object, key, json_real(cell->real));
		break;
	case CELL_TEXT:
		json_out_set(t->json, object, key, json_string(cell->text));
		break;
	case CELL_LABEL:
		break;
	case CELL_NAME:
		json_out_set(t->json, object, key, json_incref(cell->name));
		break;
	case CELL_PATH:
		snprintf(kind, sizeof(kind), "%s_kind", key);
		report_json_path(t->json, object, key, kind, (xino_t){ cell->number }, t->paths);
		break;
	}
}

static void set_row(const struct table *t, json_t *object, const struct cell *cells)
{
	for (unsigned i = 0; i < t->columns; i++)
		if (t->column[i].key[0])
			set_cell(t, object, t->column[i].key, &cells[i]);
}

/* Adds the rows to the object as an array, or writes each as a line of this type. */
static void write_rows(const struct table *t, json_t *object, const char *name, const char *type)
{
	json_t *array = type ? NULL : json_array();

	for (size_t i = 0; i + t->columns <= t->count; i += t->columns) {
		json_t *row = type ? json_out_line(t->json, type) : json_object();

		set_row(t, row, &t->cells[i]);
		if (type)
			json_out_put(t->json, row);
		else
			json_out_append(t->json, array, row);
	}
	if (!type)
		json_out_set(t->json, object, name, array);
}

/* ---- the end ---- */

static void print_everywhere(struct table *t, const struct answer *to)
{
	const size_t rows = count_rows(t), shown = rows < t->most ? rows : t->most;
	struct words words = { 0 };

	if (!to->text)
		return;
	print(t, shown, to->text);
	if (to->page && shown)
		put_table(to->page, t, shown);
	if (shown == rows)
		return;
	words_add_number(&words, rows - shown);
	answer_say(to, "... and %s more", words.text);
}

static int end(struct table *t, const struct answer *to, json_t *object, const char *name, const char *type)
{
	const bool starved = !t || t->starved;

	if (!starved) {
		print_everywhere(t, to);
		if (t->json && (object || type))
			write_rows(t, object, name, type);
	}
	for (size_t i = 0; t && i < t->count; i++) {
		free(t->cells[i].text);
		json_decref(t->cells[i].name);
	}
	if (t)
		free(t->cells);
	free(t);
	return starved ? -ENOMEM : 0;
}

int table_end(struct table *table, const struct answer *to, json_t *object, const char *name)
{
	return end(table, to, object, name, NULL);
}

int table_end_lines(struct table *table, const struct answer *to, const char *type)
{
	return end(table, to, NULL, NULL, type);
}

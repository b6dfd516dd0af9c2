/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wraps lines between words, and colours them, on a terminal. */
#include "layout.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define NARROWEST 40u /* columns; lines don't wrap in narrower terminals */

size_t terminal_width(FILE *out)
{
	struct winsize size;

	if (ioctl(fileno(out), TIOCGWINSZ, &size) || size.ws_col < 2)
		return DEFAULT_WIDTH - 1;
	return size.ws_col - 1u;
}

void layout_begin(struct layout *layout, FILE *out, bool colour)
{
	const bool terminal = fileno(out) >= 0 && isatty(fileno(out));

	*layout = (struct layout){ .out = out, .colour = colour };
	if (terminal && terminal_width(out) >= NARROWEST)
		layout->width = (unsigned)terminal_width(out);
}

static const char *tint_code(const struct layout *layout, enum tint tint)
{
	static const char *const codes[] = {
		[TINT_NONE] = "",
		[TINT_HEADING] = "\033[1m",
		[TINT_BAD] = "\033[31m",
		[TINT_GOOD] = "\033[32m",
	};

	return layout->colour ? codes[tint] : "";
}

static const char *tint_off(const struct layout *layout, enum tint tint)
{
	return layout->colour && tint != TINT_NONE ? "\033[0m" : "";
}

void layout_heading(struct layout *layout, const char *title)
{
	fprintf(layout->out, "\n%s%s%s\n", tint_code(layout, TINT_HEADING), title, tint_off(layout, TINT_HEADING));
}

FILE *layout_line(struct layout *layout)
{
	layout->text = NULL;
	layout->line = open_memstream(&layout->text, &layout->size);
	return layout->line ? layout->line : layout->out;
}

/* Returns the columns of a text; continuation bytes of UTF-8 take none. */
static unsigned columns_of(const char *text, size_t length)
{
	unsigned columns = 0;

	for (size_t i = 0; i < length; i++)
		columns += ((unsigned char)text[i] & 0xc0) != 0x80;
	return columns;
}

static void print_wrapped(const struct layout *layout, unsigned indent, unsigned hang)
{
	const char *s = layout->text;
	unsigned column = indent;
	bool begun = false; /* the line has a word */

	fprintf(layout->out, "%*s", (int)indent, "");
	while (*s) {
		const size_t blank = strspn(s, " "), word = strcspn(s + blank, " ");
		const unsigned columns = columns_of(s + blank, word);

		if (layout->width && begun && column + blank + columns > layout->width) {
			column = indent + hang;
			fprintf(layout->out, "\n%*s", (int)column, "");
		} else {
			fprintf(layout->out, "%*s", (int)blank, "");
			column += (unsigned)blank;
		}
		fwrite(s + blank, 1, word, layout->out);
		column += columns;
		begun = true;
		s += blank + word;
	}
}

void layout_end(struct layout *layout, unsigned indent, unsigned hang, enum tint tint)
{
	if (layout->line && !fclose(layout->line) && layout->text) { /* NULL: out of memory, which fclose() hides */
		fputs(tint_code(layout, tint), layout->out);
		print_wrapped(layout, indent, hang);
		fputs(tint_off(layout, tint), layout->out);
	}
	fputc('\n', layout->out);
	free(layout->text);
	layout->line = NULL;
	layout->text = NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layout of the text report: headings, and lines that wrap between words at the width of a terminal. */
#ifndef XFSCK_REPAIR_LAYOUT_H
#define XFSCK_REPAIR_LAYOUT_H

#include <stdbool.h>
#include <stdio.h>

#define DEFAULT_WIDTH 80 /* columns, without a terminal */

/* Returns the usable columns of a terminal: all but the last, after which some wrap. */
size_t terminal_width(FILE *out);

enum tint {
	TINT_NONE,
	TINT_HEADING,
	TINT_BAD,
	TINT_GOOD,
};

struct layout {
	FILE *out;
	unsigned width; /* columns; 0: lines don't wrap */
	bool colour;
	/* the line being written */
	FILE *line; /* NULL: none */
	char *text;
	size_t size;
};

/* Initializes the layout, with the width of the terminal if out is one. */
void layout_begin(struct layout *layout, FILE *out, bool colour);

/* Prints a heading after an empty line. */
void layout_heading(struct layout *layout, const char *title);

/* Begins a line, which is written to the returned stream. Out of memory: returns `out`, and the line does not wrap. */
FILE *layout_line(struct layout *layout);
/*
 * Prints the line, indented by `indent` columns, and by `hang` more where it wraps. A word longer than the line stays
 * whole.
 */
void layout_end(struct layout *layout, unsigned indent, unsigned hang, enum tint tint);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the text report is laid out: headings, and lines that wrap at words where a terminal ends. */
#ifndef XFSCK_REPAIR_LAYOUT_H
#define XFSCK_REPAIR_LAYOUT_H

#include <stdbool.h>
#include <stdio.h>

enum tint {
	TINT_NONE,
	TINT_HEADING,
	TINT_BAD,
	TINT_GOOD,
};

struct layout {
	FILE *out;
	unsigned width; /* columns, 0: lines don't wrap */
	bool colour;
	/* of the line that is being written */
	FILE *line; /* NULL: none */
	char *text;
	size_t size;
};

/* Take the width of the terminal that out is, if it is one; colour: as is. */
void layout_begin(struct layout *layout, FILE *out, bool colour);

/* Print a heading, after an empty line. */
void layout_heading(struct layout *layout, const char *title);

/*
 * Begin a line: what is written to the stream that is returned comes into it. No memory: the stream is out itself, and
 * the line does not wrap.
 */
FILE *layout_line(struct layout *layout);
/*
 * Print the line that was begun, `indent` columns from the left, and what wraps `hang` columns from there. Words are
 * what spaces separate; one that is longer than the line stays whole.
 */
void layout_end(struct layout *layout, unsigned indent, unsigned hang, enum tint tint);

#endif

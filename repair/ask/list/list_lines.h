/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of a list of files, in each of its formats. */
#ifndef XFSCK_REPAIR_LIST_LINES_H
#define XFSCK_REPAIR_LIST_LINES_H

#include <stdio.h>

#include "ask/files.h"
#include "query.h"

/* The name of a field, as --fields has it. */
const char *list_field_name(enum list_field field);

/* The letter of a type, as find(1) has it; "?": it has none. */
char list_type_letter(enum ftype type);

/* Print what stands before all lines: the names of fields, in formats that have such a line. */
void list_heading(FILE *out, const struct query *query);
/* The date that was made last, since many files have the same; begin with { 0 }. */
struct list_clock {
	bool known;
	int64_t minute; /* since 1970 */
	char text[32];
};
/* Add the line of a file under one of its paths to what has been made. 0 or -ENOMEM. */
int list_line(struct byte_buffer *out, struct list_clock *clock, const struct query *query, const struct geometry *geo,
	      const struct file *file, const struct byte_buffer *path);

#endif

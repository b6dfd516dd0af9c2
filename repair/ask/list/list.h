/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --list: its filters, and the format of its lines. */
#ifndef XFSCK_REPAIR_LIST_H
#define XFSCK_REPAIR_LIST_H

#include <stdio.h>

#include "ask/files.h"
#include "query.h"

/* True if the inode passes the filter. */
bool list_wants_file(const struct list_filter *filter, const struct file_record *record);
/* True if a name and its path pass the filter. */
bool list_wants_path(const struct list_filter *filter, const struct file_name *name, const struct byte_buffer *path);

/* Returns the name of a field for --fields. */
const char *list_field_name(enum list_field field);

/* Returns the letter of a type as in find(1); "?": none. */
char list_type_letter(enum ftype type);

/* Prints the field names, in formats with a header line. */
void list_heading(FILE *out, const struct query *query);
/* The last date that was formatted, since many files share it. Start with { 0 }. */
struct list_clock {
	bool known;
	int64_t minute; /* since 1970 */
	char text[32];
};
/* Adds the line of a file with one of its paths. 0 or -ENOMEM. */
int list_line(struct byte_buffer *out, struct list_clock *clock, const struct query *query, const struct geometry *geo,
	      const struct file *file, const struct byte_buffer *path);

#endif

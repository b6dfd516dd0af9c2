/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of a list of files, in each of its formats. */
#ifndef XFSCK_REPAIR_LIST_LINES_H
#define XFSCK_REPAIR_LIST_LINES_H

#include <stdio.h>

#include "files.h"
#include "query.h"

/* The name of a field, as --fields has it. */
const char *list_field_name(enum list_field field);

/* Print what stands before all lines: the names of fields, in formats that have such a line. */
void list_heading(FILE *out, const struct query *query);
/* Print the line of a file under one of its paths.  An error shows in ferror(out). */
void list_line(FILE *out, const struct query *query, const struct geometry *geo, const struct file *file,
	       const struct path_bytes *path);

#endif

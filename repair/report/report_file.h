/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that the user wants written beside the report: JSON, a page, a trace. */
#ifndef XFSCK_REPAIR_REPORT_FILE_H
#define XFSCK_REPAIR_REPORT_FILE_H

#include <stdio.h>

#include "options.h"

/*
 * Create the file `path`, or empty it.  Block devices are refused, and so is every file that other options name.  what:
 * what will be written, for the message.  0, or a negative errno, with the reason printed to err.
 */
int report_file_open(const struct options *options, const char *path, const char *what, FILE *err, FILE **ret_file);

#endif

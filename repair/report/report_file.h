/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that the user wants written beside the report: JSON, a page, a trace. */
#ifndef XFSCK_REPAIR_REPORT_FILE_H
#define XFSCK_REPAIR_REPORT_FILE_H

#include <stdint.h>
#include <stdio.h>

#include "options.h"

/*
 * Create the file `path`, or empty it.  Block devices are refused, and so is every file that other options name.  what:
 * what will be written, for the message.  0, or a negative errno, with the reason printed to err.
 */
int report_file_open(const struct options *options, const char *path, const char *what, FILE *err, FILE **ret_file);

/* A temporary file that takes what a process prints. 0 or negative errno. */
int report_scratch(FILE **ret_file);
/* Append all that such a file has to a stream, whose error indicator tells of failures; NULL: there is none. */
void report_scratch_copy(FILE *from, FILE *to);

/*
 * Tell that a part of the report could not be written (error: negative errno, 0: it was), and how many bytes were
 * written to the device; written: NULL after a rollback.
 */
void report_file_unwritten(FILE *err, const char *program, const char *what, int error, const uint64_t *written);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files written besides the report: JSON, page, trace. */
#ifndef XFSCK_REPAIR_REPORT_FILE_H
#define XFSCK_REPAIR_REPORT_FILE_H

#include <stdint.h>
#include <stdio.h>

#include "options.h"

/*
 * Creates or truncates the file `path`. Refuses block devices, and every file that another option names. what: its
 * contents, for the message. 0, or a negative errno with the reason printed to err.
 */
int report_file_open(const struct options *options, const char *path, const char *what, FILE *err, FILE **ret_file);

/* Opens a temporary file for output. 0 or negative errno. */
int report_scratch(FILE **ret_file);
/* Appends all of such a file to a stream, whose error indicator shows failures. from may be NULL. */
void report_scratch_copy(FILE *from, FILE *to);

/*
 * Prints that a part of the report could not be written, and how many bytes were written to the device. error: negative
 * errno; 0: prints nothing. written: NULL after a rollback.
 */
void report_file_unwritten(FILE *err, const char *program, const char *what, int error, const uint64_t *written);

#endif

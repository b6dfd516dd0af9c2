/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --merge: merges reports of many hosts, as written by --json, into one. */
#ifndef XFSCK_REPAIR_MERGE_H
#define XFSCK_REPAIR_MERGE_H

#include <stdbool.h>
#include <stdio.h>

#include "options.h"

/*
 * Reads the reports named by options->devices ("-": standard input), and writes the outputs; text goes to out. True if
 * all images are sound. *ret_error: 0, or a negative errno if a report could not be read or an output not be written,
 * with the reasons printed to err.
 */
bool merge_reports(const struct options *options, FILE *out, FILE *err, int *ret_error);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --merge: reports of many hosts, as --json has written them, become one of all. */
#ifndef XFSCK_REPAIR_MERGE_H
#define XFSCK_REPAIR_MERGE_H

#include <stdbool.h>
#include <stdio.h>

#include "options.h"

/*
 * Read the reports that options->devices name, "-" for standard input, and write what was asked for; text goes to out.
 * Returns whether all images are sound; *ret_error: 0, or a negative errno if a report could not be read whole, or
 * something not written, with the reasons printed to err.
 */
bool merge_reports(const struct options *options, FILE *out, FILE *err, int *ret_error);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The undo files that repairs have left. */
#ifndef XFSCK_REPAIR_UNDOS_H
#define XFSCK_REPAIR_UNDOS_H

#include <stdio.h>

struct options;

/*
 * --undos: prints the files in the folder of --undo-dir, with device, age, size and the command that uses each; with
 * --json a line for each.  Reports unusable files to err.  Returns 0, or the negative errno of the last of these.
 */
int undos_list(const struct options *options, FILE *out, FILE *err);

#endif

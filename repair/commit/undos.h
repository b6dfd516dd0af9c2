/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The undo files that repairs have left. */
#ifndef XFSCK_REPAIR_UNDOS_H
#define XFSCK_REPAIR_UNDOS_H

#include <stdio.h>

struct options;

/*
 * --undos: print those of the folder of --undo-dir, with device, age, size and the command that uses each; with --json
 * a line for each.  Files that can't be used are told to err.  0, or the negative errno of the last of these.
 */
int undos_list(const struct options *options, FILE *out, FILE *err);

#endif

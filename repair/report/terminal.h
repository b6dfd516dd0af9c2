/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The width of the terminal. */
#ifndef XFSCK_REPAIR_TERMINAL_H
#define XFSCK_REPAIR_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

#define DEFAULT_WIDTH 80 /* columns, without a terminal */

/* Returns the usable columns: all but the last, after which some terminals wrap. */
size_t terminal_width(FILE *out);

#endif

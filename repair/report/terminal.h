/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How wide a line may be. */
#ifndef XFSCK_REPAIR_TERMINAL_H
#define XFSCK_REPAIR_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

#define DEFAULT_WIDTH 80 /* columns, where there is no terminal */

/* Returns the columns that may be used: all but the last, after which some terminals wrap. */
size_t terminal_width(FILE *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a repair is proven (--prove), and what memory that saves. */
#ifndef XFSCK_REPAIR_PROVE_H
#define XFSCK_REPAIR_PROVE_H

#include <stdbool.h>

struct repair;

/*
 * True if a repair is to be proven by the books of the first check (open_books.c), provided that they know all changes:
 * because the user wants that, or because a whole check would cost too much.
 */
bool prove_by_books(const struct repair *rc);
/* True if the first check may remain the only whole one, by its findings so far: then it keeps no blocks. */
bool prove_spares_blocks(const struct repair *rc);

#endif

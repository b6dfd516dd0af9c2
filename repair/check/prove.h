/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a repair is to be proven (--prove), and what memory that spares. */
#ifndef XFSCK_REPAIR_PROVE_H
#define XFSCK_REPAIR_PROVE_H

#include <stdbool.h>

struct repair;

/*
 * True if a repair is to be proven by the books of the first check (open_books.h), should they know all that it
 * changes: because the user wants it, or because a whole check would cost too much.
 */
bool prove_by_books(const struct repair *rc);
/*
 * True if that may be all that follows this check, the first one, so that no blocks are kept in memory for another one:
 * it found nothing yet that needs more.
 */
bool prove_spares_blocks(const struct repair *rc);

#endif

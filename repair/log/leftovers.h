/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a crash left for the next mount. */
#ifndef XFSCK_REPAIR_LEFTOVERS_H
#define XFSCK_REPAIR_LEFTOVERS_H

#include <stdbool.h>
#include <stdint.h>

struct intents;
struct repair;

/* True if no log recovery is due.  Only a recovery frees what a crash left. */
bool leftovers_stay(const struct repair *rc);
/*
 * Tell the user what a crash left for the next mount, which is no damage.  unlinked: how many inodes on
 * the unlinked lists
 */
void leftovers_tell(const struct repair *rc, uint64_t unlinked);
/* The same for JSON and -v; finished: the repair has completed it, so it is not left any more */
void leftovers_report(const struct repair *rc, const struct intents *intents, uint64_t inodes, uint64_t blocks,
		      bool finished);

#endif

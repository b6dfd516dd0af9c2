/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operations and objects that a crash left for the next mount. */
#ifndef XFSCK_REPAIR_LEFTOVERS_H
#define XFSCK_REPAIR_LEFTOVERS_H

#include <stdbool.h>
#include <stdint.h>

struct intents;
struct repair;

/* True if no log recovery is due.  Only a recovery cleans up after a crash. */
bool leftovers_stay(const struct repair *rc);
/* Reports what a crash left for the next mount, which is not damage.  unlinked: inodes on the unlinked lists. */
void leftovers_tell(const struct repair *rc, uint64_t unlinked);
/* Does the same for JSON and -v.  finished: the repair has completed it. */
void leftovers_report(const struct repair *rc, const struct intents *intents, uint64_t inodes, uint64_t blocks,
		      bool finished);

#endif

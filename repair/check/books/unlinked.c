/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the unlinked lists of the AGIs (ondisk 02, "Unlinked buckets").  The ledger compares the inodes on the lists
 * with the inodes that should be there.  That balances, too, if inodes point to each other in a cycle, so each list is
 * followed from its head.
 */

#include "books.h"
#include "disk/agi.h"
#include "doubts.h"
#include "repair.h"
#include "sets/ordered.h"
#include "check/walk/walker.h"

const struct unlinked_inode *unlinked_find(const struct ag_state *ag, uint32_t agino)
{
	const size_t at = ordered_find(ag->unlinked, ag->nunlinked, MEMBER(ag->unlinked, agino), agino);

	return at < ag->nunlinked ? &ag->unlinked[at] : NULL;
}

/* Returns the length of the list from this head; a list with a loop ends after one more than there are inodes. */
static size_t follow(const struct ag_state *ag, agino_t head)
{
	size_t reached = 0;

	for (uint32_t agino = head.v; agino != NULL_AGINO && reached <= ag->nunlinked; reached++) {
		const struct unlinked_inode *inode = unlinked_find(ag, agino);

		if (!inode)
			break;
		agino = inode->next;
	}
	return reached;
}

/* Returns the number of inodes deleted while open: without links, and not in doubt as inodes with entries are. */
static uint64_t count_deleted(const struct repair *rc, const struct ag_state *ag, agno_t agno)
{
	uint64_t count = 0;

	for (size_t i = 0; i < ag->nunlinked; i++) {
		const xino_t ino = ino_of(&rc->geo, agno, (agino_t){ ag->unlinked[i].agino });

		count += rc->doubts ? !doubts_has(rc->doubts, ino)
				    : ledger_inodes_balance(rc->ledger, ledger_bucket(ino), ACCOUNT_LINKS);
	}
	return count;
}

uint64_t unlinked_check(struct repair *rc, struct walker *w)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < rc->geo.agcount; i++) {
		struct ag_state *ag = &rc->traverse->ags[i];
		size_t reached = 0;

		ordered_sort(ag->unlinked, ag->nunlinked, MEMBERS(MEMBER(ag->unlinked, agino)));
		if (!ag->nunlinked || !ag->have_agi)
			continue;
		total += count_deleted(rc, ag, (agno_t){ i });
		for (unsigned b = 0; b < AGI_UNLINKED_BUCKETS; b++)
			reached += follow(ag, ag->agi.unlinked[b]);
		if (reached == ag->nunlinked || !ledger_group_balances(rc->ledger, (group_t){ i }, ACCOUNT_UNLINKED))
			continue;
		w->place = place_of(OBJ_AGI);
		w->place.agno.v = i;
		walk_problem(w, F_AG_UNLINKED_LOOP, NO_INDEX, ag->nunlinked - reached, 0);
	}
	return total;
}

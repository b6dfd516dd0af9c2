/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a crash leaves to the next mount, beside the log itself: operations of several transactions that are not through
 * (ondisk 11), inodes that were deleted while still open (ondisk 02), blocks that were being copied on write (ondisk
 * 03).  All this is in order; a note says what the mount will do about it.
 */
#include <stdio.h>

#include "repair.h"

#define THAT_IS_NO_DAMAGE " That is no damage."

static void tell_intents(const struct repair *rc)
{
	static const char *const purposes[INTENT_KINDS] = {
		[INTENT_EFI] = "free blocks",
		[INTENT_RUI] = "update reverse mappings",
		[INTENT_CUI] = "update reference counts",
		[INTENT_BUI] = "map blocks of files",
		[INTENT_ATTRI] = "change attributes",
		[INTENT_XMI] = "exchange contents of files",
	};
	uint64_t total = intents_waiting(rc->intents);
	char note[512];
	int len;

	if (!total)
		return;
	len = snprintf(note, sizeof(note), "%llu step%s of operations that a crash interrupted wait%s in the log: ",
		       (unsigned long long)total, total == 1 ? "" : "s", total == 1 ? "s" : "");
	for (unsigned kind = 0, told = 0; kind < INTENT_KINDS; kind++) {
		uint64_t count = intents_waiting_of(rc->intents, kind);

		if (count)
			len += snprintf(note + len, sizeof(note) - (size_t)len, "%s%llu to %s", told++ ? ", " : "",
					(unsigned long long)count, purposes[kind]);
	}
	snprintf(note + len, sizeof(note) - (size_t)len,
		 ". The next mount finishes %s, and %s booked as finished here." THAT_IS_NO_DAMAGE,
		 total == 1 ? "it" : "them", total == 1 ? "it is" : "they are");
	report_note(rc->report, note);
}

static void tell_unlinked(const struct repair *rc, uint64_t unlinked)
{
	char note[160];

	if (!unlinked)
		return;
	snprintf(note, sizeof(note),
		 "%llu inode%s deleted while still open; the next mount frees %s." THAT_IS_NO_DAMAGE,
		 (unsigned long long)unlinked, unlinked == 1 ? " was" : "s were", unlinked == 1 ? "it" : "them");
	report_note(rc->report, note);
}

static void tell_staged(const struct repair *rc)
{
	uint64_t staged = (uint64_t)intents_staged(rc->intents);
	char note[200];

	for (unsigned i = 0; i < rc->traverse->nwalkers; i++)
		staged += rc->traverse->walkers[i]->rt_staged;
	for (uint32_t ag = 0; ag < rc->geo.agcount; ag++)
		staged += rc->traverse->ags[ag].staged;
	if (!staged || staged > INT64_MAX)
		return;
	snprintf(note, sizeof(note),
		 "%llu block%s set aside for copies of shared blocks that were never made; the next mount frees "
		 "%s." THAT_IS_NO_DAMAGE,
		 (unsigned long long)staged, staged == 1 ? " was" : "s were", staged == 1 ? "it" : "them");
	report_note(rc->report, note);
}

void leftovers_tell(const struct repair *rc, uint64_t unlinked)
{
	tell_intents(rc);
	tell_unlinked(rc, unlinked);
	tell_staged(rc);
}

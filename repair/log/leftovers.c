/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports what a crash left for the next mount, apart from the log: incomplete operations of several transactions
 * (ondisk 11), inodes that were deleted while open (ondisk 02), and blocks staged for copy on write (ondisk 03).  None
 * of this is damage; a note says what the mount will do, or what a repair has to complete.
 */
#include "leftovers.h"
#include "repair.h"
#include "report.h"
#include "report/words.h"
#include "run.h"
#include "check/walk/walker.h"

void leftovers_report(const struct repair *rc, const struct intents *intents, uint64_t inodes, uint64_t blocks,
		      bool finished)
{
	const struct crash_summary summary = {
		.finished = finished,
		.kinds = {
			{ "extents_to_free", intents_waiting_of(intents, INTENT_EFI), "" },
			{ "reverse_mappings_to_update", intents_waiting_of(intents, INTENT_RUI), "" },
			{ "reference_counts_to_update", intents_waiting_of(intents, INTENT_CUI), "" },
			{ "extents_to_map", intents_waiting_of(intents, INTENT_BUI), "" },
			{ "attributes_to_change", intents_waiting_of(intents, INTENT_ATTRI), "" },
			{ "contents_to_exchange", intents_waiting_of(intents, INTENT_XMI), "" },
			{ "deleted_inodes", inodes, "" },
			{ "blocks_set_aside", blocks, "" },
		},
	};

	if (intents_waiting(intents) + inodes + blocks)
		report_crash(rc->report, &summary);
}

/* Returns the part of a note that holds only if this run does not complete the operation. */
static const char *for_mount(const struct repair *rc, const char *sentence)
{
	return rc->run->options->no_modify ? sentence : "";
}

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
	uint64_t total = intents_waiting(rc->run->intents);
	struct words note = { 0 };

	if (!total)
		return;
	words_add_count(&note, total, "step of interrupted operations is in the log: ",
			"steps of interrupted operations are in the log: ");
	for (unsigned kind = 0, summary = 0; kind < INTENT_KINDS; kind++) {
		uint64_t count = intents_waiting_of(rc->run->intents, kind);

		if (!count)
			continue;
		words_add(&note, "%s", summary++ ? ", " : "");
		words_add_number(&note, count);
		words_add(&note, " to %s", purposes[kind]);
	}
	words_add(&note, ".%s That is no damage.",
		  for_mount(rc, total == 1 ? " The next mount finishes it; this check treats it as finished."
					   : " The next mount finishes them; this check treats them as finished."));
	report_note(rc->report, note.text);
}

/* Returns the blocks that will be staged for copy on write after recovery; 0 if damage makes that negative. */
static uint64_t count_staged(const struct repair *rc)
{
	uint64_t staged = (uint64_t)intents_staged(rc->run->intents);

	for (uint32_t i = 0; i < group_count(&rc->geo); i++)
		staged += traverse_staged(rc->traverse, (group_t){ i });
	return staged > INT64_MAX ? 0 : staged;
}

bool leftovers_stay(const struct repair *rc)
{
	return rc->log.condition == LOG_CLEAN && !rc->run->log_replayed;
}

/* Notes objects that log recovery frees.  one, several: the start of the sentence for either number; what: its end. */
static void tell_freed(const struct repair *rc, uint64_t count, const char *one, const char *several, const char *what)
{
	struct words note = { 0 };

	if (!count)
		return;
	words_add_count(&note, count, one, several);
	words_add(&note, " %s", what);
	if (leftovers_stay(rc))
		words_add(&note, "%s", for_mount(rc, "; the log is clean, so only a repair frees "));
	else
		words_add(&note, "%s", for_mount(rc, "; the next mount frees "));
	words_add(&note, "%s. That is no damage.", for_mount(rc, count == 1 ? "it" : "them"));
	report_note(rc->report, note.text);
}

void leftovers_tell(const struct repair *rc, uint64_t unlinked)
{
	const uint64_t staged = count_staged(rc);

	tell_intents(rc);
	tell_freed(rc, unlinked, "inode was", "inodes were", "deleted while still open");
	if (!leftovers_stay(rc)) /* else it is a finding, see phase_links.c */
		tell_freed(rc, staged, "block was", "blocks were",
			   "reserved for copies of shared blocks that were never made");
	leftovers_report(rc, rc->run->intents, unlinked, staged, false);
}

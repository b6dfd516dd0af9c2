/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether what is staged may be written: only if the file system is sound with it.  What there was to find has been
 * printed before anything is written.
 */
#include "commit/commit.h"

/* What is left is to be written all the same: but for the log, which is the user's to give up by another option. */
static bool is_wanted_unproven(const struct repair *rc)
{
	return rc->options->commit_unproven && rc->mended.done && rc->mended.left && !rc->log_lost;
}

/* All that was found is mended, and the check that came last proves it; or nothing was found. */
static bool is_sound(const struct repair *rc)
{
	return rc->mended.done ? rc->mended.left == 0 : !report_any_damage(rc->report);
}

static uint64_t bytes_written(const struct repair *rc)
{
	return device_written(rc->device) + (rc->log_device ? device_written(rc->log_device) : 0) +
	       (rc->rt_device ? device_written(rc->rt_device) : 0);
}

enum phase_result phase_commit(struct repair *rc)
{
	enum written what = WRITTEN_SOUND;
	enum phase_result result;
	bool sound;

	if (rc->options->no_modify)
		return PHASE_DONE;
	report_findings(rc->report, rc->findings, rc->paths);
	sound = is_sound(rc);
	if (!sound && !is_wanted_unproven(rc)) {
		rc->log_kept = rc->log_replayed && !report_any_damage(rc->report);
		return PHASE_DONE;
	}
	if (rc->log_kept || (rc->log.condition == LOG_DIRTY && !rc->log_replayed))
		return PHASE_DONE;
	if (intents_waiting(rc->intents)) { /* marked clean, the log would take them along */
		report_note(rc->report,
			    "Nothing is written: some of the operations that a crash interrupted can't be finished, as "
			    "the files that they are about are not what they were. They stay in the log.");
		rc->log_kept = true;
		return PHASE_DONE;
	}
	result = commit(rc);
	rc->committed = result == PHASE_DONE;
	if (rc->committed && !sound)
		what = WRITTEN_UNPROVEN;
	else if (rc->committed && rc->mended.done && rc->mended.damage)
		what = WRITTEN_REPAIRED;
	report_written(rc->report, bytes_written(rc), what, device_mounted(rc->device));
	return result;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether what is staged may be written: only if the file system is sound with it.  What there was to find has been
 * printed before anything is written.
 */
#include "commit.h"

/* All that was found is mended, and the check that came last proves it; or nothing was found. */
static bool is_sound(const struct repair *rc)
{
	return rc->mended.done ? rc->mended.left == 0 : !report_any_damage(rc->report);
}

enum phase_result phase_commit(struct repair *rc)
{
	enum phase_result result;
	uint64_t written;

	if (rc->options->no_modify)
		return PHASE_DONE;
	report_findings(rc->report, rc->findings, rc->paths);
	if (!is_sound(rc))
		rc->log_kept = rc->log_replayed && !report_any_damage(rc->report);
	if (!is_sound(rc) || rc->log_kept || (rc->log.condition == LOG_DIRTY && !rc->log_replayed))
		return PHASE_DONE;
	if (intents_waiting(rc->intents)) { /* marked clean, the log would take them along */
		report_note(rc->report,
			    "Nothing is written: some of the operations that a crash interrupted can't be finished, as "
			    "the files that they are about are not what they were. They stay in the log.");
		rc->log_kept = true;
		return PHASE_DONE;
	}
	result = commit(rc);
	written = device_written(rc->device) + (rc->log_device ? device_written(rc->log_device) : 0) +
		  (rc->rt_device ? device_written(rc->rt_device) : 0);
	rc->committed = result == PHASE_DONE;
	report_written(rc->report, written, rc->committed && rc->mended.done && rc->mended.damage);
	return result;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the staged changes if the file system is sound with them, or if --commit-unproven is given.  All findings are
 * printed before anything is written.
 */
#include "commit/commit.h"
#include "repair.h"
#include "report.h"
#include "run.h"

/* True if the user wants the repair written although damage is left.  Not if a log is lost: only -L discards it. */
static bool is_wanted_unproven(const struct repair *rc)
{
	return rc->run->options->commit_unproven && rc->run->mended.done && rc->run->mended.left && !rc->run->log_lost;
}

/* True if the last check after mending found nothing or, if nothing was mended, the first check. */
static bool is_sound(const struct repair *rc)
{
	return rc->run->mended.done ? rc->run->mended.left == 0 : !report_any_damage(rc->report);
}

static uint64_t bytes_written(const struct repair *rc)
{
	return device_written(rc->run->device) + (rc->run->log_device ? device_written(rc->run->log_device) : 0) +
	       (rc->run->rt_device ? device_written(rc->run->rt_device) : 0);
}

enum phase_result phase_commit(struct repair *rc)
{
	enum written what = WRITTEN_SOUND;
	enum phase_result result;
	bool sound;

	if (rc->run->options->no_modify && rc->run->applied && is_sound(rc))
		report_note(rc->report,
			    "The preview fits what is on the device, and the result is sound: it can be applied.");
	if (rc->run->options->no_modify && !rc->run->options->preview)
		return PHASE_DONE;
	report_findings(rc->report, rc->findings, rc->paths);
	if (rc->run->beside)
		return PHASE_DONE;
	sound = is_sound(rc);
	if (!sound && !is_wanted_unproven(rc)) {
		rc->run->log_kept = rc->run->log_replayed && !report_any_damage(rc->report);
		return PHASE_DONE;
	}
	if (rc->run->log_kept || (rc->log.condition == LOG_DIRTY && !rc->run->log_replayed))
		return PHASE_DONE;
	if (intents_waiting(rc->run->intents)) { /* marking the log clean would lose them */
		report_note(rc->report,
			    "Nothing is written: some of the operations that a crash interrupted can't be finished, as "
			    "the files that they are about are not what they were. They stay in the log.");
		rc->run->log_kept = true;
		return PHASE_DONE;
	}
	result = commit(rc);
	if (rc->run->options->preview)
		return result;
	rc->run->committed = result == PHASE_DONE;
	if (rc->run->committed && !sound)
		what = WRITTEN_UNPROVEN;
	else if (rc->run->committed && rc->run->mended.done && rc->run->mended.damage)
		what = WRITTEN_REPAIRED;
	report_written(rc->report, bytes_written(rc), what, device_mounted(rc->run->device));
	return result;
}

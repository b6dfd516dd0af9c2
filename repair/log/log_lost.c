/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides whether anything is lost with an unreadable log.  If its end is known, nothing is: everything in it has been
 * replayed.  If the end can't be found, the rest of the log may show that the file system was unmounted, and the file
 * system whether that is plausible: a crash leaves outdated counters, partly written transactions, or inodes that were
 * deleted while open.  The file system alone is no evidence: until the first change in the log is written to its place,
 * everything is as the last unmount left it, and no superblock says that it is mounted.  So if the log does not show
 * it, the user decides whether to discard it.
 */
#include "base/devices.h"
#include "log_lost.h"
#include "repair.h"
#include "replay.h"
#include "report.h"
#include "report/findings.h"
#include "report/words.h"
#include "run.h"
#include "check/walk/walker.h"

static struct log_survey survey(struct repair *rc)
{
	struct log_source log = log_source_of(&rc->geo, rc->run->device, rc->run->log_device);
	struct log_survey survey;

	log_source_read_ahead(&log); /* without memory for it, reading only takes longer */
	log_survey(&rc->geo, log_source_read, &log, log_bbs(&rc->geo), &survey);
	log_source_forget(&log);
	return survey;
}

/* True if this is only a mark of an unfinished repair, which may have been about to make a new log. */
static bool is_mark(const struct found *found)
{
	return found->problem.finding == F_SB_NEEDSREPAIR || found->problem.finding == F_SB_INPROGRESS ||
	       found->problem.finding == F_SB_REPAIR_CUT_SHORT;
}

/* True if only the log is damaged, and there is nothing that an unmount would have cleaned up. */
static bool looks_unmounted(const struct repair *rc)
{
	const struct found *found;
	bool only_log = !rc->geo.log_xattrs && !rc->geo.log_unknown && !findings_starved(rc->findings);

	findings_rewind(rc->findings);
	while ((found = findings_next(rc->findings)))
		only_log &=
			found->place.object == OBJ_LOG || is_mark(found) || !finding_is_damage(found->problem.finding);
	findings_rewind(rc->findings);
	for (uint32_t ag = 0; ag < rc->geo.agcount && only_log; ag++)
		only_log = !rc->traverse->ags[ag].nunlinked && !rc->traverse->ags[ag].staged;
	return only_log;
}

/* True if nothing can be lost with a log whose head or tail can't be found. */
static bool end_unknown_is_harmless(struct repair *rc)
{
	const struct log_survey left = survey(rc);

	return left.blank || left.ended || (left.unmounted && looks_unmounted(rc));
}

/* True if a finding is about a log record or its blocks, not about the transactions in it. */
static bool of_record(enum finding finding)
{
	switch (finding) {
	case F_LOG_UNREADABLE:
	case F_LOG_CYCLE:
	case F_LOG_RECORD_MAGIC:
	case F_LOG_RECORD_VERSION:
	case F_LOG_RECORD_LEN:
	case F_LOG_RECORD_SIZE:
	case F_LOG_RECORD_LSN:
	case F_LOG_RECORD_TAIL:
	case F_LOG_RECORD_CRC:
	case F_LOG_RECORD_OPS:
	case F_LOG_RECORD_FORMAT:
	case F_LOG_RECORD_UUID:
		return true;
	default:
		return false;
	}
}

/*
 * True if nothing is lost with the faults of a log that has been replayed up to its head.  All must be about records or
 * skipped items; and if one is at the head, the rest of the log must show an unmount.
 */
static bool behind_replay_is_harmless(struct repair *rc, const struct found *found, size_t count)
{
	bool harmless = true, at_head = false;

	for (size_t i = 0; i < count; i++) {
		harmless &= of_record(found[i].problem.finding) || replay_leaves_out(found[i].problem.finding);
		at_head |= found[i].problem.index == (uint32_t)rc->log.head.v;
	}
	return harmless && (!at_head || survey(rc).unmounted);
}

bool log_is_ended(const struct repair *rc)
{
	return rc->log.condition == LOG_CLEAN && rc->log.head.v && !rc->log.foreign;
}

bool log_lost_foreign(struct repair *rc)
{
	return rc->log.foreign && !survey(rc).records;
}

bool log_lost_elsewhere(struct repair *rc, char *message, size_t size)
{
	struct device_contents other = { 0 };
	struct log_survey left;

	if (!rc->run->log_device || log_is_ended(rc))
		return false;
	left = survey(rc);
	if (rc->log.foreign || (left.foreign && !left.records)) {
		snprintf(message, size,
			 "%s holds the log of another file system: name the right device with -l, or if this is to be "
			 "the log, overwrite it with zeroes first, and run this with -L",
			 device_name(rc->run->log_device));
		return true;
	}
	if (!left.records)
		device_describe(rc->run->log_device, "xfs_external_log", &other);
	snprintf(message, size,
		 "%s %s, and nothing on it is of this file system's log: name the right device with -l, or if this "
		 "is to be the log, clear it first, as with wipefs(8)",
		 device_name(rc->run->log_device), other.what);
	return other.what[0];
}

bool log_lost_nothing(struct repair *rc, const struct found *found, size_t count)
{
	bool end_known;

	if (rc->log.condition == LOG_DIRTY)
		return rc->run->log_replayed && (rc->run->options->log == LOG_UPTO || rc->run->log_cut ||
						 behind_replay_is_harmless(rc, found, count));
	end_known = rc->log.condition == LOG_CLEAN && rc->log.head.v;
	/* a log device without any record of this file system may be the wrong one */
	if (rc->run->log_device && !log_is_ended(rc) && !survey(rc).records)
		return false;
	return end_known || end_unknown_is_harmless(rc);
}

bool log_lost_may_wait(struct repair *rc, struct log_losses *ret_losses)
{
	const struct log_survey left = survey(rc);

	*ret_losses = (struct log_losses){ .records = left.waiting, .at_least = true };
	return !left.blank && !left.unmounted && !(rc->log.foreign && !left.records);
}

void log_lost_tell(struct repair *rc)
{
	const struct log_survey left = survey(rc);
	struct words note = { 0 };

	if (rc->log.foreign && !left.records) {
		words_add(&note, "All records of the log are of another file system: %s",
			  rc->run->log_device ? "is that the right device?" : "nothing of it belongs here.");
	} else if (left.blank) {
		words_add(&note, "The log is blank: any changes in it are lost.");
	} else if (!left.records) {
		words_add(&note, "No log record is intact: any changes in the log are lost.");
	} else {
		words_add_count(&note, left.records, "log record is intact", "log records are intact");
		if (left.unmounted) {
			words_add(&note, ", and the newest is an unmount record; later records may have been lost.");
		} else {
			words_add(&note, "; ");
			words_add_number(&note, left.waiting);
			words_add(&note, " of them may still need replay, which is impossible without the records "
					 "between and behind them.");
		}
	}
	report_note(rc->report, note.text);
}

void log_lost_refuse(struct repair *rc)
{
	if (rc->run->log_lost)
		return; /* already reported */
	rc->run->log_lost = true;
	if (!log_has_place(rc))
		report_note(rc->report, "The place of the log is unknown: any changes in it are lost.");
	else if (rc->log.condition == LOG_DIRTY)
		report_note(rc->report, "The unreadable end of the log may hold changes.");
	else
		log_lost_tell(rc);
	report_log_lost(rc->report);
}

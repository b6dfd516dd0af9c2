/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays a dirty log into the overlay, so that all later phases see the file system as the next mount would.  With
 * options of the user, ignores or discards the log.  If the log can't be replayed completely, the run ends here, unless
 * the user chooses to replay it up to the damage or across it (--log).
 */
#include "log/replay.h"

#include <errno.h>

#include "base/devices.h"
#include "disk/sb.h"
#include "features.h"
#include "log/intents.h"
#include "log/log_bits.h"
#include "log/log_hole.h"
#include "log/log_lost.h"
#include "log/log_losses.h"
#include "trials/trial.h"
#include "repair.h"
#include "report.h"
#include "run.h"
#include "sb/belongs.h"
#include "sb/superblock.h"

static void tell_replayed(const struct repair *rc, enum log_fate fate)
{
	const struct replay_counts *counts = &rc->run->replay_counts;
	const struct log_summary summary = {
		.fate = fate,
		.transactions = counts->transactions,
		.items = counts->items,
		.bytes = device_staged(rc->run->device, LAYER_REPLAY),
		.lost = rc->run->log_losses,
		.kinds = {
			{ "buffers", counts->buffers, "" },
			{ "buffers_cancelled", counts->cancelled, "" },
			{ "inodes", counts->inodes, "" },
			{ "inode_chunks_created", counts->icreates, "" },
			{ "quota_records", counts->dquots, "" },
			{ "intents_and_ends", counts->intents, "" },
			{ "newer_on_disk", counts->newer, "" },
		},
	};

	report_log(rc->report, &summary);
}

/* Reports what ignoring or discarding the log loses. */
static enum phase_result tell_losses(struct repair *rc)
{
	struct log_summary summary = { .fate = LOG_FATE_IGNORED };
	const bool discarded = rc->run->options->discard_log;
	int ret = log_losses(rc, (struct log_mark){ 0 }, discarded, &summary.lost);

	if (ret)
		return failed(rc, "reading the log", ret);
	if (discarded) {
		summary.fate = LOG_FATE_DISCARDED;
		rc->run->log_losses = summary.lost;
	}
	report_log(rc->report, &summary);
	return PHASE_DONE;
}

/* Reports the losses of -L for a log whose head or tail can't be found. */
static void tell_unknown_losses(struct repair *rc)
{
	struct log_summary summary = { .fate = LOG_FATE_DISCARDED };

	log_lost_tell(rc);
	if (!log_lost_may_wait(rc, &summary.lost))
		return;
	rc->run->log_losses = summary.lost;
	report_log(rc->report, &summary);
}

static enum phase_result ignore_log(struct repair *rc)
{
	enum phase_result result = tell_losses(rc);

	rc->run->log_left_out = true;
	return result == PHASE_DONE && rc->log_before_superblock ? superblock_settle(rc) : result;
}

/* -L: stages a clean log at once, so that all later phases see the file system without the changes in the log. */
static enum phase_result discard(struct repair *rc)
{
	enum phase_result result = PHASE_DONE;
	int ret;

	if (rc->log.condition == LOG_DIRTY)
		result = tell_losses(rc);
	else
		tell_unknown_losses(rc);
	ret = result == PHASE_DONE ? log_end_stage(rc) : 0;
	if (ret == -ERANGE)
		return PHASE_DONE; /* the superblock gives no valid place for the log; already reported */
	if (ret)
		return failed(rc, "making a new log", ret);
	return result == PHASE_DONE ? superblock_log_again(rc) : result;
}

/* Does the work of replay(), without repairing the log first. */
static int replay_once(struct repair *rc, struct log_mark until, struct log_mark *ret_end)
{
	int ret;

	intents_free(rc->run->intents);
	rc->run->intents = intents_new();
	ret = rc->run->intents ? replay_log(rc, until, ret_end) : -ENOMEM;
	rc->run->log_replayed = !ret && log_mark_same(*ret_end, until);
	rc->run->frextents_stale = rc->run->log_replayed;
	return ret;
}

/* Replays all commits before `until`, restoring bits of the log if need be.  *ret_end: as in replay_log(). */
static int replay(struct repair *rc, struct log_mark until, struct log_mark *ret_end)
{
	bool restored = false;
	int ret = replay_once(rc, until, ret_end);

	if (!ret && !rc->run->log_replayed)
		ret = log_bits_restore(rc, &restored);
	if (restored && !ret)
		ret = replay_once(rc, until, ret_end);
	if (restored && !ret && rc->run->log_replayed && ret_end->record.v == rc->log.head.v)
		rc->log.hole.v = 0;
	return ret;
}

/* Settles the waiting intents.  Frees them if the replay failed, since they belong to a state that was not reached. */
static int settle_intents(struct repair *rc)
{
	struct spot spot = spot_of(rc, OBJ_LOG, NO_AGNO);
	const struct check check = spot_check(&spot);

	if (rc->run->log_replayed)
		return intents_settle(rc->run->intents, &check);
	intents_free(rc->run->intents);
	rc->run->intents = NULL;
	return 0;
}

/* True if the log is to be replayed across the hole.  Sets *ret_upto if it is to be replayed up to the hole. */
static bool wants_across(const struct repair *rc, const struct log_ways *ways, bool *ret_upto)
{
	const struct options *o = rc->run->options;

	*ret_upto = false;
	if (o->log == LOG_ACROSS) {
		if (!ways->across.usable)
			report_note(rc->report, "The log can't be replayed across the hole.");
		else if (!o->no_modify && !o->accept_loss)
			report_note(rc->report, "--log=across writes nothing without --accept-loss.");
		return ways->across.usable && (o->no_modify || o->accept_loss);
	}
	*ret_upto = o->accept_loss && !log_ways_is_across(ways);
	return o->accept_loss && log_ways_is_across(ways);
}

/*
 * Handles a replay that stopped at a hole, at *end.  Reports what lies behind it, tries both ways to continue, and
 * takes the one that the user wants or accepts.  *ret_upto: replay up to the hole.  Returns 0 or a negative errno.
 */
static int settle_hole(struct repair *rc, struct log_mark *end, bool *ret_upto)
{
	const struct log_mark head = { rc->log.head, 0 };
	struct log_ways ways;
	int ret = log_hole_tell(rc);

	*ret_upto = rc->run->options->log == LOG_UPTO;
	if (ret || *ret_upto || !rc->log.behind.records || rc->run->shrunk)
		return ret;
	ret = log_ways_try(rc, replay_once, *end, &ways);
	rc->run->log_replayed = false;
	if (!ret) {
		log_ways_tell(rc, &ways);
		if (wants_across(rc, &ways, ret_upto)) {
			rc->run->log_across = ways.learnt;
			ways.learnt = NULL;
			ret = replay_once(rc, head, end);
		}
		rc->run->log_cut = rc->run->log_across || *ret_upto;
	}
	log_ways_free(&ways);
	return ret;
}

static enum phase_result settle_log(struct repair *rc)
{
	const struct log_mark head = { rc->log.head, 0 };
	bool upto = rc->run->options->log == LOG_UPTO;
	enum phase_result result = PHASE_DONE;
	struct log_mark end;
	char message[512];
	int ret;

	if (log_lost_elsewhere(rc, message, sizeof(message)))
		return trouble(rc, message);
	if (rc->run->options->discard_log && !log_is_ended(rc) && log_has_place(rc))
		return discard(rc);
	if (rc->log.condition != LOG_DIRTY)
		return PHASE_DONE;
	if (rc->run->options->log == LOG_IGNORE)
		return ignore_log(rc);
	/* like the kernel, refuse to replay a log with unknown features */
	if (rc->geo.log_unknown) {
		struct spot spot = spot_of(rc, OBJ_SUPERBLOCK, 0);
		const struct check check = spot_check(&spot);

		problem(&check, F_SB_LOG_INCOMPAT_UNSUPPORTED, offsetof(struct sb_disk, features_log_incompat),
			rc->geo.log_unknown, 0);
		return PHASE_STOP;
	}
	if (log_lost_foreign(rc)) {
		log_lost_tell(rc); /* like the kernel, refuse to replay the log of another file system */
		return PHASE_STOP;
	}
	ret = replay(rc, head, &end);
	if (!ret && rc->log.hole.v)
		ret = settle_hole(rc, &end, &upto);
	while (!ret && !rc->run->log_replayed && upto)
		ret = replay(rc, end, &end);
	if (!ret && rc->run->log_replayed && !log_mark_same(end, head))
		ret = log_losses(rc, end, true, &rc->run->log_losses);
	if (ret)
		return failed(rc, "replaying the log", ret);
	if (rc->run->log_replayed)
		tell_replayed(rc, rc->run->log_across	     ? LOG_FATE_REPLAYED_ACROSS
				  : log_mark_same(end, head) ? LOG_FATE_REPLAYED
							     : LOG_FATE_REPLAYED_UPTO);
	if (rc->log_before_superblock)
		result = superblock_settle(rc);
	ret = result == PHASE_DONE ? settle_intents(rc) : 0;
	if (ret)
		return failed(rc, "replaying the log", ret);
	return result == PHASE_DONE && !rc->run->log_replayed ? PHASE_STOP : result;
}

/* Notes devices that were given but are not needed.  Scripts give them in any case, so that is no error. */
static void note_needless(const struct repair *rc)
{
	const struct options *o = rc->run->options;

	if (o->log_device && !rc->run->log_device)
		report_note(rc->report, "-l is not needed: the log of this file system is on the device itself.");
	if (o->rt_device && !rc->run->rt_device)
		report_note(rc->report, rc->geo.rblocks
						? "-r is not needed: the realtime section of this file system "
						  "is on the device itself."
						: "-r is not needed: this file system has no realtime section.");
}

enum phase_result phase_log(struct repair *rc)
{
	enum phase_result result = shifted_copy_by_headers(rc);

	if (result == PHASE_DONE)
		result = wrong_order_by_headers(rc);
	if (result == PHASE_DONE)
		result = settle_log(rc);
	if (result == PHASE_DONE)
		note_needless(rc);

	/* not in phase superblock, since the superblock may be chosen only after the replay */
	return result == PHASE_DONE ? features_examine(rc) : result;
}

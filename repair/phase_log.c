/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A dirty log is replayed into the overlay, so that everything behind this
 * phase speaks of the file system as the next mount would see it.
 */
#include "replay.h"

#include <errno.h>

#include "intents.h"

static void tell(struct repair *rc)
{
	const struct replay_counts *counts = &rc->replay_counts;
	char note[160];

	snprintf(note, sizeof(note), "The log was replayed in memory: %llu changes, %llu KiB of metadata.",
		 (unsigned long long)counts->items,
		 (unsigned long long)(device_staged(rc->device, LAYER_REPLAY) >> 10));
	report_note(rc->report, note);
}

/* Intents mean something only in a state that has been replayed whole. */
static int settle_intents(struct repair *rc)
{
	struct spot spot = spot_of(rc, OBJ_LOG, NO_AGNO);
	const struct check check = spot_check(&spot);

	if (rc->log_replayed)
		return intents_settle(rc->intents, &check);
	intents_free(rc->intents);
	rc->intents = NULL;
	return 0;
}

enum phase_result phase_log(struct repair *rc)
{
	enum phase_result result = PHASE_DONE;
	int ret;

	if (rc->log.condition != LOG_DIRTY)
		return PHASE_DONE;
	rc->intents = intents_new();
	ret = rc->intents ? replay_log(rc, rc->log.head, &rc->log_replayed) : -ENOMEM;
	if (ret)
		return failed(rc, "replaying the log", ret);
	if (rc->log_replayed)
		tell(rc);
	if (rc->log_before_superblock)
		result = superblock_settle(rc);
	ret = result == PHASE_DONE ? settle_intents(rc) : 0;
	return ret ? failed(rc, "replaying the log", ret) : result;
}

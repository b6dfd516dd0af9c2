/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Deciding by trying.  Where beliefs of wide consequence contradict each other, and much hangs on them, the file system
 * is checked by each, in silence, and what each keeps is measured.
 */
#ifndef XFSCK_REPAIR_TRIAL_H
#define XFSCK_REPAIR_TRIAL_H

#include <stdbool.h>

#include "check/kept.h"
#include "base/sink.h"

/* A superblock to try. */
struct trial {
	/* fills geo and primary of a check, which otherwise begins as the one that wants to know */
	enum phase_result (*adopt)(void *ctx, struct repair *check);
	void *ctx;
	const struct sink *beside; /* also gets all facts; NULL: none */
	bool usable;		   /* set by the trial: the file system could be checked by it */
	struct kept kept;
};

/* Nothing is staged, and nothing told but progress.  0 or negative errno. */
int trial_run(struct repair *rc, struct trial *trial);

#endif

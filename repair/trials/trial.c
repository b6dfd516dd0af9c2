/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a check only to find out what it keeps (trial.h). */
#include "trial.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mend/rounds/check_again.h"
#include "check/memory.h"
#include "repair.h"
#include "sb/sb_candidates.h"
#include "sb/superblock.h"
#include "base/sink.h"

/* Traverses the file system, and measures it.  Returns 0, or a negative errno if that was impossible. */
static int measure(struct repair *check, const struct sink *with, struct kept *ret)
{
	struct keeping *keeping;
	struct sink_both both;
	struct sink beside;
	int error = keeping_new(check, &keeping);

	if (error)
		return error;
	beside = keeping_sink(keeping);
	if (with)
		beside = sink_both(&both, &beside, with);
	error = check_sums(check, &beside) == PHASE_DONE ? keeping_end(keeping, check, ret) : -EIO;
	keeping_free(keeping);
	return error;
}

int trial_run(struct repair *rc, struct trial *trial)
{
	struct repair *check = check_within(rc);
	enum phase_result result;
	int ret = 0;

	if (!check)
		return -ENOMEM;
	check->primary = malloc(SB_READ_BYTES);
	if (!check->primary) {
		check_again_free(check);
		return -ENOMEM;
	}
	memcpy(check->primary, rc->primary, SB_READ_BYTES);
	/* as after damage: count inodes in doubt, and keep blocks for other trials and the following check */
	check->early.over = true;
	check->log_sound = false;
	memory_keep_blocks(rc);
	result = trial->adopt(trial->ctx, check);
	if (result == PHASE_DONE)
		result = superblock_use(check);
	if (result == PHASE_DONE)
		ret = measure(check, trial->beside, &trial->kept);
	else if (result == PHASE_FAILED)
		ret = -EIO;
	trial->usable = result == PHASE_DONE && !ret;
	check_again_free(check);
	return ret;
}

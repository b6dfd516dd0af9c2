/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers the user's questions about files.  The facts come from the first check, or, if anything was mended, from
 * another sweep of the repaired state in the overlay.
 */
#include <errno.h>

#include "mend/rounds/check_again.h"
#include "ask/inventory.h"
#include "repair.h"
#include "report.h"
#include "run.h"

/* Reports that an answer failed, unless that has been reported (-ENOENT). */
static enum phase_result failed_answer(const struct repair *rc, int error)
{
	return error == -ENOENT ? PHASE_FAILED : failed(rc, "what was asked", error);
}

/* Completes the work on the questions, and answers them.  rc: the first check.  check: a finished check. */
static enum phase_result answer(const struct repair *rc, struct repair *check)
{
	const int done = inventory_work(rc->inventory, check);
	FILE *out;
	int ret;

	if (done < 0)
		return failed_answer(rc, done);
	out = report_answer_begin(rc->report);
	if (!out)
		return failed_answer(rc, -ENOMEM);
	ret = inventory_answer(rc->inventory, check, out);
	report_answer_end(rc->report);
	if (ret)
		return failed_answer(rc, ret);
	rc->run->answered_short |= done > 0;
	return PHASE_DONE;
}

/* Collects the facts from the repaired state in memory, and answers. */
static enum phase_result answer_anew(const struct repair *rc)
{
	struct repair *again = check_within(rc);
	enum phase_result result;

	if (!again)
		return failed(rc, "what was asked", -ENOMEM);
	again->inventory = rc->inventory;
	report_step(rc->report, "reading what is mended", NULL);
	result = phase_superblock(again);
	if (result == PHASE_DONE)
		result = check_sums(again, NULL);
	if (result == PHASE_DONE)
		result = answer(rc, again);
	check_again_free(again);
	return result;
}

enum phase_result phase_inventory(struct repair *rc)
{
	if (!rc->inventory)
		return PHASE_DONE;
	return rc->run->mended.done ? answer_anew(rc) : answer(rc, rc);
}

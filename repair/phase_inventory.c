/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers what the user asks about the files.  The facts have come from the first check; if anything was mended, or
 * found beyond repair, they are collected again from what the overlay shows now.
 */
#include <errno.h>

#include "check_again.h"
#include "inventory/inventory.h"
#include "repair.h"
#include "report.h"
#include "run.h"

/* Tell that an answer failed, unless that has been said. */
static enum phase_result failed_answer(struct repair *rc, int error)
{
	return error == -ENOENT ? PHASE_FAILED : failed(rc, "what was asked", error);
}

/* Collect from what is mended in memory, and answer. */
static enum phase_result answer_anew(struct repair *rc, FILE *out)
{
	struct repair *again = check_within(rc);
	enum phase_result result = PHASE_FAILED;
	int ret = 0;

	if (!again)
		return failed(rc, "what was asked", -ENOMEM);
	again->inventory = rc->inventory;
	report_step(rc->report, "reading what is mended", NULL);
	result = phase_superblock(again);
	if (result == PHASE_DONE)
		result = check_sums(again, NULL);
	if (result == PHASE_DONE)
		ret = inventory_answer(rc->inventory, again, out);
	check_again_free(again);
	return ret ? failed_answer(rc, ret) : result;
}

enum phase_result phase_inventory(struct repair *rc)
{
	enum phase_result result = PHASE_DONE;
	FILE *out;
	int ret;

	if (!rc->inventory)
		return PHASE_DONE;
	out = report_answer_begin(rc->report);
	if (!out)
		return failed(rc, "what was asked", -ENOMEM);
	if (rc->run->mended.done) {
		result = answer_anew(rc, out);
	} else {
		ret = inventory_answer(rc->inventory, rc, out);
		if (ret)
			result = failed_answer(rc, ret);
	}
	report_answer_end(rc->report);
	return result;
}

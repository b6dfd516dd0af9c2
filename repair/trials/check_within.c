/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A check within a run, silent except for progress: how it begins and ends, and its sums. */
#include <stdlib.h>

#include "check/books/doubts.h"
#include "check/books/ledger.h"
#include "mend/rounds/check_again.h"
#include "check/locate/locate_early.h"
#include "repair.h"
#include "report.h"
#include "report/findings.h"
#include "run.h"
#include "check/walk/quota.h"
#include "check/walk/traverse.h"

struct totals check_totals(const struct repair *check)
{
	return check->base ? check->totals : traverse_totals(check->traverse);
}

void check_forget(struct repair *rc)
{
	if (rc->base) {
		rc->quota = NULL;
		if (rc->dirs.packed == rc->base->dirs.packed)
			rc->dirs = (struct dir_table){ 0 };
		rc->base = NULL;
	}
	paths_free(rc->paths);
	ino_set_free(&rc->namers);
	ino_set_free(&rc->strays);
	rc->strays_known = false;
	dir_table_free(&rc->dirs);
	traverse_free(rc->traverse);
	ledger_free(rc->ledger);
	doubts_free(rc->doubts);
	locate_early_free(rc);
	quota_free(rc->quota);
	findings_free(rc->findings);
	free(rc->primary);
	rc->paths = NULL;
	rc->traverse = NULL;
	rc->ledger = NULL;
	rc->doubts = NULL;
	rc->quota = NULL;
	rc->findings = NULL;
	rc->primary = NULL;
}

void check_again_free(struct repair *again)
{
	if (!again)
		return;
	report_silent_free(again->report);
	check_forget(again);
	free(again);
}

enum phase_result check_sums(struct repair *check, struct sink *beside)
{
	static enum phase_result (*const phases[])(struct repair *) = { phase_groups, phase_inodes, phase_links };
	enum phase_result result = PHASE_DONE;

	check->beside = beside;
	for (size_t i = 0; i < sizeof(phases) / sizeof(phases[0]) && result == PHASE_DONE; i++)
		result = phases[i](check);
	check->beside = NULL;
	return result;
}

struct repair *check_within(const struct repair *rc)
{
	struct repair *check = calloc(1, sizeof(*check));

	if (!check)
		return NULL;
	check->run = rc->run;
	check->geo = rc->geo; /* the superblock is read again, the devices' sizes are not */
	check->log = rc->log;
	check->log_before_superblock = rc->log_before_superblock;
	check->log_sound = rc->log_sound;
	check->report = report_within(rc->report);
	check->findings = findings_new(rc->run->max_workers);
	if (!check->report || !check->findings) {
		check_again_free(check);
		return NULL;
	}
	findings_keep(check->findings, memory_findings(rc));
	return check;
}

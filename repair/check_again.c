/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A check within a run, after a round of mending: the same phases once more, on what the overlay shows by now.  It is
 * silent but for its progress.
 */
#include <errno.h>
#include <stdlib.h>

#include "check_again.h"
#include "locate/locate.h"
#include "mend/collect/mend_survey.h"
#include "repair.h"
#include "report.h"
#include "report/findings.h"
#include "run.h"
#include "walk/quota.h"
#include "walk/traverse.h"

struct totals check_totals(const struct repair *check)
{
	return check->base ? check->totals : traverse_totals(check->traverse);
}

void check_forget(struct repair *rc)
{
	if (rc->base) {
		rc->traverse = NULL;
		rc->quota = NULL;
		rc->dirs = (struct dir_table){ 0 };
		rc->base = NULL;
	}
	paths_free(rc->paths);
	ino_set_free(&rc->namers);
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

/* Begin a survey of all AGs that comes with the check; *ret stays NULL if there is no room for it. 0 or -ENOMEM. */
static int survey_begin(const struct repair *again, struct surveying **ret)
{
	if (mend_survey_bytes(&again->geo) > again->run->memory.survey)
		return 0;
	return surveying_new(again, NULL, ret);
}

static int survey_end(struct surveying *surveying, struct mend_survey **ret)
{
	struct mend_survey *survey = calloc(1, sizeof(*survey));
	int error = survey ? surveying_end(surveying, survey) : -ENOMEM;

	if (error)
		free(survey);
	else
		*ret = survey;
	return error;
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

/* Choose the superblock and go on to the sums, with a survey if there is room for one. */
static enum phase_result screen(struct repair *again, struct mend_survey **ret_survey)
{
	enum phase_result result = phase_superblock(again);
	struct surveying *surveying = NULL;
	struct sink beside;
	int error = result == PHASE_DONE ? survey_begin(again, &surveying) : 0;

	if (surveying)
		beside = surveying_sink(surveying);
	if (result == PHASE_DONE && !error)
		result = check_sums(again, surveying ? &beside : NULL);
	if (surveying && !error && result == PHASE_DONE)
		error = survey_end(surveying, ret_survey);
	surveying_free(surveying);
	return error ? failed(again, "a survey of blocks", error) : result;
}

struct repair *check_within(const struct repair *rc)
{
	struct repair *check = calloc(1, sizeof(*check));

	if (!check)
		return NULL;
	check->run = rc->run;
	check->geo = rc->geo; /* what the superblock says is asked again, what devices say is not */
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

int check_again(struct repair *rc, struct doubts *before, struct repair **ret_again, bool *ret_whole,
		struct mend_survey **ret_survey)
{
	struct repair *again = check_within(rc);
	struct mend_survey *survey = NULL;
	enum phase_result result;

	if (!again) {
		doubts_free(before);
		return -ENOMEM;
	}
	again->early.before = before;
	again->early.over = rc->early.over;
	if (rc->run->log_end.kind != LOG_END_NONE) {
		again->log_before_superblock = false; /* the log is clean now: have it examined again */
		again->log_sound = false;
	}
	result = screen(again, &survey);
	if (result == PHASE_FAILED) {
		check_again_free(again);
		return -EIO;
	}
	findings_settle(again->findings);
	*ret_again = again;
	*ret_survey = survey;
	*ret_whole = result == PHASE_STOP; /* nothing more can be checked, so no exact places will follow */
	return 0;
}

int check_again_exactly(struct repair *again, unsigned parts)
{
	if (locate_parts(again, parts) == PHASE_FAILED)
		return -EIO;
	findings_settle(again->findings);
	return 0;
}

void check_again_free(struct repair *again)
{
	if (!again)
		return;
	report_silent_free(again->report);
	check_forget(again);
	free(again);
}

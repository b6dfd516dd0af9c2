/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A check within a run, after a round of mending: repeats the phases on the overlay, silently except for progress. */
#include <errno.h>
#include <stdlib.h>

#include "check_again.h"
#include "check/locate/locate.h"
#include "mend/collect/mend_survey.h"
#include "repair.h"
#include "report/findings.h"
#include "run.h"

/* Starts a survey of all AGs along with the check. *ret stays NULL without memory for it. 0 or -ENOMEM. */
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

/* Chooses the superblock and runs the phases up to the sums, with a survey if there is memory for one. */
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

int check_again(struct repair *rc, struct locate_before *before, struct repair **ret_again, bool *ret_whole,
		struct mend_survey **ret_survey)
{
	struct repair *again = check_within(rc);
	struct mend_survey *survey = NULL;
	enum phase_result result;

	if (!again)
		return -ENOMEM;
	again->early.before = *before;
	*before = (struct locate_before){ 0 };
	again->early.over = rc->early.over;
	if (rc->run->log_end.kind != LOG_END_NONE) {
		again->log_before_superblock = false; /* the log is clean now: examine it again */
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
	*ret_whole = result == PHASE_STOP; /* nothing more can be checked, so there will be no exact places */
	return 0;
}

int check_again_exactly(struct repair *again, unsigned accounts)
{
	if (locate_accounts(again, accounts) == PHASE_FAILED)
		return -EIO;
	findings_settle(again->findings);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log is made clean by a record at its head, or by a new log, if nothing is lost by that or the user has said that
 * it is to be given up (log_lost.c).  A new log is also made if metadata has dates (LSNs) beyond its head (ondisk 00
 * section 6; 11), as after a tool has zeroed the log without looking at these.  Relies on the findings of the whole
 * check for whether anything may have been waiting in the log.  The result is staged in LAYER_LOG, where the next check
 * reads it as the log.  So it is certain that nothing is lost by that, or it is the user's decision.
 */
#include <errno.h>

#include "devices.h"
#include "log/log_lost.h"
#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "repair.h"
#include "report/mender.h"
#include "run.h"

#define MANY_AHEAD 8u /* if fewer objects have dates beyond the log's head, these dates are wrong, not the log */

struct dates {
	uint64_t ahead;	 /* objects whose date is beyond the head of the log, but possible */
	uint32_t newest; /* the highest cycle among these */
	const struct found *first;
};

/* Count the date of a finding. One that no log can have says nothing about the log: its object is damaged. */
static void add_date(const struct geometry *geo, const struct found *found, struct dates *dates)
{
	uint32_t cycle = (uint32_t)(found->problem.got >> 32), bb = (uint32_t)found->problem.got;

	if (cycle > LOG_CYCLE_MAX || bb >= log_bbs(geo))
		return;
	dates->ahead++;
	dates->newest = cycle > dates->newest ? cycle : dates->newest;
	dates->first = dates->first ? dates->first : found;
}

/* The findings about the log itself: the first, and how many. They follow each other, since findings are sorted. */
static size_t of_log(const struct found *found, size_t count, const struct found **ret_first)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		if (found[i].place.object != OBJ_LOG)
			continue;
		*ret_first = n++ ? *ret_first : &found[i];
	}
	return n;
}

/* Report what was done with the log, unless ret is an error. Returns ret; 0 if the log has no place on its device. */
static int done(struct mend *m, const struct found *found, int ret)
{
	static const char *const texts[] = {
		[LOG_END_NONE] = "",
		[LOG_END_RECORD] = "marked clean by a new record",
		[LOG_END_NEW] = "a new log written in its place",
	};

	if (!ret) {
		m->rc->run->log_end.told = true;
		mend_done_so(m, found, mender_sure(MEND_log), texts[m->rc->run->log_end.kind]);
	}
	return ret == -ERANGE ? 0 : ret;
}

/* Make the log clean because of findings about it. 0 or negative errno. */
static int end_log(struct mend *m, const struct found *found, size_t count)
{
	struct repair *rc = m->rc;

	if (rc->run->log_end.kind != LOG_END_NONE && !rc->run->log_end.told)
		return done(m, found, 0); /* -L: that was done before the first check */
	if (!log_has_place(rc))
		return 0;
	if (rc->run->log_end.kind != LOG_END_NONE)
		return done(m, found, log_end_stage_new(rc, 0));
	if (!log_lost_nothing(rc, found, count)) {
		log_lost_refuse(rc);
		return 0;
	}
	return done(m, found, log_end_stage(rc));
}

bool mend_log_wants(const struct found *found)
{
	/* dates (LSNs) that are too new: either they are wrong, or the log is */
	return found->problem.finding == F_BLOCK_LSN || found->problem.finding == F_DQUOT_LSN;
}

int mend_log(struct mend *m, const struct found *found, size_t count)
{
	struct repair *rc = m->rc;
	struct dates dates = { 0 };
	const struct found *first = NULL;
	size_t n = of_log(found, count, &first);

	if (n)
		return end_log(m, first, n);
	for (size_t i = 0; i < count; i++)
		add_date(&m->now->geo, &found[i], &dates);
	if (rc->run->log_lost || rc->run->log_left_out ||
	    dates.ahead < (rc->run->log_end.kind == LOG_END_NEW ? 1 : MANY_AHEAD))
		return 0;
	return done(m, dates.first, log_end_stage_new(rc, dates.newest));
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log: made clean by a record at its head, or by a new log, where nothing is lost by it or the user has said that
 * it is to be given up (log_lost.c); and made new where it is behind the dates of metadata (ondisk 00 section 6; 11),
 * as after it was zeroed by somebody who did not look at these.  Relies on the findings of the whole check for whether
 * anything may have been waiting in it.  Leaves behind, in LAYER_LOG, what the next check reads as the log.
 */
#include <errno.h>

#include "log/log_lost.h"
#include "mend/mend.h"

#define MANY_AHEAD 8u /* objects: less than that have wrong dates themselves */

struct dates {
	uint64_t ahead;	 /* objects dated by a place in a log that is beyond the head of this one */
	uint32_t newest; /* cycle among these */
	const struct found *first;
};

/* A date that can't be of any log is its object's fault. */
static void add_date(const struct geometry *geo, const struct found *found, struct dates *dates)
{
	uint32_t cycle = (uint32_t)(found->problem.got >> 32), bb = (uint32_t)found->problem.got;

	if (cycle > LOG_CYCLE_MAX || bb >= log_bbs(geo))
		return;
	dates->ahead++;
	dates->newest = cycle > dates->newest ? cycle : dates->newest;
	dates->first = dates->first ? dates->first : found;
}

/* What was found of the log comes first, as far as it matters here: its objects sort together. */
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

/* 0, also if the log has no place on its device. */
static int done(struct mend *m, const struct found *found, int ret)
{
	static const char *const texts[] = {
		[LOG_END_NONE] = "",
		[LOG_END_RECORD] = "marked clean by a new record",
		[LOG_END_NEW] = "a new log written in its place",
	};

	if (!ret) {
		m->rc->log_end.told = true;
		mend_done_so(m, found, texts[m->rc->log_end.kind]);
	}
	return ret == -ERANGE ? 0 : ret;
}

static int end_log(struct mend *m, const struct found *found, size_t count)
{
	struct repair *rc = m->rc;

	if (rc->log_end.kind != LOG_END_NONE && !rc->log_end.told)
		return done(m, found, 0); /* -L: it has been done already */
	if (!log_has_place(rc))
		return 0;
	if (rc->log_end.kind != LOG_END_NONE)
		return done(m, found, log_end_stage_new(rc, 0));
	if (!log_lost_nothing(rc, found, count)) {
		log_lost_refuse(rc);
		return 0;
	}
	return done(m, found, log_end_stage(rc));
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
	if (rc->log_lost || rc->log_left_out || dates.ahead < (rc->log_end.kind == LOG_END_NEW ? 1 : MANY_AHEAD))
		return 0;
	return done(m, dates.first, log_end_stage_new(rc, dates.newest));
}

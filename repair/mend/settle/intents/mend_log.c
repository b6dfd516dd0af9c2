/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the log clean, by a record at its head or a new log, if that loses nothing or the user wants the log discarded
 * (log_lost.c).  Also makes a new log if metadata has LSNs at or beyond its head (ondisk 00 section 6; 11), as after a
 * tool zeroed the log regardless of them, or after its last writes were lost.  Relies on the findings of the whole
 * check to decide if the log may have pending changes.  The result is staged in LAYER_LOG, which the next check reads
 * as the log.  It is certain: either nothing is lost, or the user has decided.
 */
#include <errno.h>

#include "base/devices.h"
#include "log/log_lost.h"
#include "mend/base/mend.h"
#include "repair.h"
#include "report/mender.h"
#include "run.h"
#include "mend/base/menders.h"

/* The LSNs that show that the log has lost its newest records. */
struct dates {
	uint32_t newest;	   /* the highest cycle among them */
	const struct found *first; /* NULL: none */
};

static bool is_date(const struct found *found)
{
	return found->problem.finding == F_BLOCK_LSN || found->problem.finding == F_DQUOT_LSN;
}

static bool is_checksum(const struct found *found)
{
	return found->problem.finding == F_BLOCK_CRC || found->problem.finding == F_DQUOT_CRC;
}

/* True if both are about the same object, or the same record of a quota block. */
static bool same_object(const struct found *a, const struct found *b)
{
	return place_compare(&a->place, &b->place) == 0 && a->problem.index == b->problem.index;
}

/* True if another finding reports a wrong checksum of the same object. Findings are sorted by place. */
static bool has_wrong_checksum(const struct found *found, size_t count, size_t at)
{
	size_t first = at;

	while (first > 0 && place_compare(&found[first - 1].place, &found[at].place) == 0)
		first--;
	for (size_t i = first; i < count && place_compare(&found[i].place, &found[at].place) == 0; i++)
		if (is_checksum(&found[i]) && same_object(&found[i], &found[at]))
			return true;
	return false;
}

/* True if an LSN is damaged itself: it is invalid, or the checksum that covers it is wrong. */
static bool is_damaged(const struct geometry *geo, const struct found *found, size_t count, size_t at)
{
	const uint32_t cycle = (uint32_t)(found[at].problem.got >> 32), bb = (uint32_t)found[at].problem.got;

	return cycle > LOG_CYCLE_MAX || bb >= log_bbs(geo) || has_wrong_checksum(found, count, at);
}

/*
 * Notes blocks with damaged LSNs.  Their objects are rewritten elsewhere; but if such a block is reused, log recovery
 * considers its old contents newer than the log, and does not replay writes to it.  So the LSNs are reset when the
 * blocks become free (mend_ag_space.c).  0 or -ENOMEM.
 */
static int note_damaged(struct mend *m, const struct found *found, size_t count)
{
	const struct geometry *geo = &m->now->geo;
	int ret = 0;

	for (size_t i = 0; i < count && ret >= 0; i++) {
		const struct place *p = &found[i].place;

		if (found[i].problem.finding != F_BLOCK_LSN || p->agbno.v == NULL_AGBNO ||
		    !(object_is_file_block(p->object) || object_is_ag_btree(p->object)) ||
		    !is_damaged(geo, found, count, i))
			continue;
		ret = number_set_add(&m->notes.damaged_dates, bytes_of_daddr(daddr_of(geo, p->agno, p->agbno)));
	}
	return ret < 0 ? ret : 0;
}

/* Resets LSNs in blocks of the free lists, which are unowned, for the same reason. 0 or negative errno. */
static int reset_free(struct mend *m, const struct found *found, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		if (found[i].problem.finding != F_AGFL_LSN)
			continue;
		ret = mend_reset_lsn(m, bytes_of_daddr(daddr_of(&m->now->geo, found[i].place.agno,
								(agbno_t){ found[i].problem.index })));
		if (!ret)
			mend_done_so(m, &found[i], mender_sure(MEND_log),
				     "old log sequence number in a free block reset");
	}
	return ret;
}

/* Collects the LSNs that only a log with newer records can have assigned; damaged ones don't count. */
static struct dates collect_dates(const struct geometry *geo, const struct found *found, size_t count)
{
	struct dates dates = { 0 };

	for (size_t i = 0; i < count; i++) {
		const uint32_t cycle = (uint32_t)(found[i].problem.got >> 32);

		if (!is_date(&found[i]) || is_damaged(geo, found, count, i))
			continue;
		dates.newest = cycle > dates.newest ? cycle : dates.newest;
		dates.first = dates.first ? dates.first : &found[i];
	}
	return dates;
}

/* Gets the findings about the log itself, which are adjacent: the first one, and their number. */
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

/* Reports what was done with the log, unless ret is an error. Returns ret; 0 if the log does not fit on its device. */
static int done(struct mend *m, const struct found *found, int ret)
{
	static const char *const texts[] = {
		[LOG_END_NONE] = "",
		[LOG_END_RECORD] = "log marked clean by a new record",
		[LOG_END_NEW] = "log reformatted",
	};

	if (!ret) {
		m->rc->run->log_end.reported = true;
		mend_done_so(m, found, mender_sure(MEND_log), texts[m->rc->run->log_end.kind]);
	}
	return ret == -ERANGE ? 0 : ret;
}

/* Makes the log clean because of findings about it. 0 or negative errno. */
static int end_log(struct mend *m, const struct found *found, size_t count)
{
	struct repair *rc = m->rc;

	if (rc->run->log_end.kind != LOG_END_NONE && !rc->run->log_end.reported)
		return done(m, found, 0); /* -L: done before the first check */
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
	/* LSNs that are too new: either they are wrong, as checksums show, or the log is */
	return is_date(found) || is_checksum(found);
}

int mend_log(struct mend *m, const struct found *found, size_t count)
{
	struct repair *rc = m->rc;
	const struct found *first = NULL;
	const size_t n = of_log(found, count, &first);
	struct dates dates;
	int ret = note_damaged(m, found, count);

	if (!ret)
		ret = reset_free(m, found, count);
	if (ret)
		return ret;
	if (n)
		return end_log(m, first, n);
	dates = collect_dates(&m->now->geo, found, count);
	if (!dates.first || rc->run->log_lost || rc->run->log_left_out)
		return 0;
	return done(m, dates.first, log_end_stage_new(rc, dates.newest));
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mending: round after round, until a check finds nothing, or nothing more can be mended (mend.h). */
#include <string.h>

#include "features.h"
#include "log/log_lost.h"
#include "mend/mend_survey.h"
#include "mend/quota/mend_quota.h"
#include "report/findings.h"
#include "rounds.h"

#define ROUNDS_MAX 32u
#define ROUNDS_ALL 256u /* with those that were given a part of what is wrong: there was no memory for all of it */
#define LEFT_SHOWN 100u /* of the findings that could not be mended: most of them have been told already */

/*
 * What a crash left comes first, if that is all there is; where anything is damaged, it waits until that is mended.
 */
static int finish_crash(struct rounds *r)
{
	bool changed;
	int ret = mend_crash(r->m, r->damage.found, r->damage.count, &changed);

	r->m->inodes_begun |= !ret && changed;
	return ret || !changed ? ret : rounds_check_anew(r);
}

/* Whether anything else can be done now that there is nothing left that could be mended first. */
static bool is_last_resort(struct mend *m)
{
	struct mend_resort *const resorts[] = { &m->blank, &m->lodging };
	bool any = false;

	for (size_t i = 0; i < sizeof(resorts) / sizeof(resorts[0]); i++) {
		any |= resorts[i]->wanted && !resorts[i]->allowed;
		resorts[i]->allowed |= resorts[i]->wanted;
	}
	return any;
}

static int run_rounds(struct rounds *r)
{
	bool any = true;
	int ret = 0;

	memset(r->attempts, 0, sizeof(r->attempts));
	for (unsigned round = 0, whole = 0; !ret && r->damage.count && !mend_exhausted(r->m); round++) {
		whole += !findings_cut(r->m->now->findings);
		if (round == ROUNDS_ALL || whole > ROUNDS_MAX)
			break;
		ret = rounds_run_one(r, &any);
		if (!ret && !any && r->depth != DEPTH_WHOLE) {
			ret = rounds_look_further(r);
			continue;
		}
		if (!ret && !any && is_last_resort(r->m)) {
			memset(r->attempts, 0, sizeof(r->attempts));
			continue;
		}
		if (ret || !any)
			break;
		ret = rounds_check(r);
	}
	/* the last word has a whole check */
	return ret ? ret : rounds_look_at_everything(r);
}

/* Where usage could not be compared, what was mended may have changed it. */
static int recount_quotas(struct rounds *r)
{
	bool changed = false;
	int ret = r->m->done ? mend_quota_recount(r->m, &changed) : 0;

	if (ret || !changed)
		return ret;
	ret = rounds_check_anew(r);
	return ret ? ret : rounds_look_at_everything(r);
}

/* What the user wants to be different in a file system that is sound; what follows from it is mended in its turn. */
static int change_features(struct rounds *r)
{
	bool changed;
	int ret = features_change(r->m, &changed);

	if (ret || !changed)
		return ret;
	ret = rounds_check_anew(r);
	return ret ? ret : run_rounds(r);
}

/* Where everything is now that has got a name again, as the last check sees it. */
static void tell_reattached(struct repair *rc, struct repair *again)
{
	if (!rc->reattached.count)
		return;
	reattached_settle(&rc->reattached);
	again->reattached = rc->reattached;
	phase_paths(again);
	report_reattached(rc->report, &rc->reattached, rc->paths, again->paths);
}

/* All that can be done. waits: something is damaged. 0 or negative errno. */
static int mend_all(struct rounds *r, bool waits)
{
	int ret = finish_crash(r);

	if (!ret)
		ret = run_rounds(r);
	if (!ret && waits && !r->damage.count)
		ret = finish_crash(r);
	if (!ret && waits)
		ret = run_rounds(r);
	if (!ret && !r->damage.count)
		ret = change_features(r);
	if (!ret && !r->damage.count)
		ret = recount_quotas(r);
	return ret;
}

/* Settle what becomes of it, and tell the user: what was done, what is left, and where things are now. */
static void conclude(struct rounds *r, bool waits, bool completed)
{
	struct mend *m = r->m;
	struct repair *rc = m->rc;
	const bool refused = completed && !r->damage.count && mend_shrink_refused(m);
	const uint64_t left = r->damage.count + refused;

	if (left && (refused || m->shrunk.log_told))
		report_too_short(rc->report);
	if (left && !m->now->geo.logblocks && !rc->options->log_device && !rc->options->discard_log)
		log_lost_refuse(rc);
	mend_crash_end(m, completed && !left);
	rc->mended = (struct mended){ waits, m->done, left };
	if (!completed)
		return;
	if (m->done && (waits || left))
		report_mended(rc->report, m->done, left);
	if (r->again && (!left || rc->options->commit_unproven))
		tell_reattached(rc, r->again);
	if (refused)
		report_left(rc->report, &m->shrunk.found, rc->paths);
	for (size_t i = 0; i < r->damage.count && i < LEFT_SHOWN && m->done; i++)
		report_left(rc->report, &r->damage.found[i], rc->paths);
}

enum phase_result phase_mend(struct repair *rc)
{
	struct mend m = { .rc = rc, .now = rc };
	struct rounds r = { .m = &m, .depth = DEPTH_WHOLE };
	int ret = damage_collect(&r.damage, rc->findings);
	const bool waits = r.damage.count > 0;

	m.quiet = !waits;
	if (waits) {
		memory_for_survey(rc, mend_survey_bytes(&rc->geo));
		memory_for_findings(rc);
		memory_keep_blocks(rc);
	}
	if (!ret)
		ret = mend_all(&r, waits);
	conclude(&r, waits, !ret);
	damage_free(&r.damage);
	mend_end(&m);
	check_again_free(r.again);
	return ret ? failed(rc, "mending", ret) : PHASE_DONE;
}

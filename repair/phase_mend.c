/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs rounds of mending and checks, until a check finds nothing or nothing more can be mended (mend.h). */
#include <stdlib.h>
#include <string.h>

#include "consent.h"
#include "mend/rounds/check_again.h"
#include "features.h"
#include "log/log_lost.h"
#include "mend/loss/loss.h"
#include "mend/base/fix_plan.h"
#include "mend/collect/mend_survey.h"
#include "mend/make/mend_stale.h"
#include "mend/plan/mend_run.h"
#include "mend/restore/mend_logged.h"
#include "mend/settle/intents/mend_crash.h"
#include "mend/settle/quota/mend_quota.h"
#include "mend/settle/sb/mend_sb.h"
#include "check/names/search.h"
#include "check/prove.h"
#include "repair.h"
#include "report/trace.h"
#include "report.h"
#include "report/findings.h"
#include "report/words.h"
#include "mend/rounds/rounds.h"
#include "run.h"
#include "sb/belongs.h"

#define ROUNDS_MAX 32u	/* rounds with all findings */
#define ROUNDS_ALL 256u /* all rounds, including those for which only a part of the findings fitted into memory */

/*
 * Completes the operations that a crash interrupted, and checks again if there were any.  While anything is damaged,
 * most of them wait (mend_crash()).  Returns 0 or a negative errno.
 */
static int finish_crash(struct rounds *r)
{
	bool changed;
	int ret = mend_crash(r->m, r->damage.found, r->damage.count, &changed);

	r->m->inodes_begun |= !ret && changed;
	return ret || !changed ? ret : rounds_check_anew(r);
}

/* Allows the last resorts that menders want.  True if one was not allowed before: another round is worthwhile. */
static bool allow_last_resorts(struct mend *m)
{
	struct mend_resort *const resorts[] = { &m->share, &m->zeroes, &m->orphans_anywhere };
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
		ret = loss_areas_note(&r->areas, r->m->rc, r->damage.found, r->damage.count);
		if (!ret)
			ret = rounds_run_one(r, &any);
		if (!ret && !any && r->depth != DEPTH_WHOLE) {
			ret = rounds_look_further(r);
			continue;
		}
		if (!ret && !any && allow_last_resorts(r->m)) {
			memset(r->attempts, 0, sizeof(r->attempts));
			continue;
		}
		if (ret || !any)
			break;
		ret = rounds_prove(r);
	}
	/* only a check of everything can prove the repair */
	return ret ? ret : rounds_look_at_everything(r);
}

/* Makes the next mount recount quotas, if mending may have changed usage that could not be compared. */
static int recount_quotas(struct rounds *r)
{
	bool changed = false;
	int ret = r->m->done ? mend_quota_recount(r->m, &changed) : 0;

	if (ret || !changed)
		return ret;
	ret = rounds_check_anew(r);
	return ret ? ret : rounds_look_at_everything(r);
}

/* Changes features (-c) in a sound file system, and mends what must change with them. */
static int change_features(struct rounds *r)
{
	bool changed;
	int ret = features_change(r->m, &changed);

	if (ret || !changed)
		return ret;
	ret = rounds_check_anew(r);
	return ret ? ret : run_rounds(r);
}

/* Reports the old and new paths of reconnected inodes.  again: the last check, for the new paths. */
static void tell_reattached(struct repair *rc, struct repair *again)
{
	if (!rc->run->reattached.count)
		return;
	phase_paths(again);
	report_reattached(rc->report, &rc->run->reattached, rc->paths, again->paths);
}

static bool same_losses(const struct losses *a, const struct losses *b)
{
	const struct loss_figures *x = &a->figures, *y = &b->figures;

	return !memcmp(a->of, b->of, sizeof(a->of)) && a->files == b->files && a->top_directory == b->top_directory &&
	       x->in_place == y->in_place && x->moved == y->moved && x->damaged == y->damaged &&
	       x->unconfirmed == y->unconfirmed && x->lost == y->lost && x->missing == y->missing &&
	       x->missing_most == y->missing_most && x->missing_known == y->missing_known &&
	       x->counters_old == y->counters_old;
}

/*
 * Compares what existed before with what is kept: by the changed inodes alone if these are enough, else by everything.
 * With -o compare_books both are done, and must agree.  names: as for loss_account().  Returns 0 or a negative errno.
 */
static int account(struct rounds *r, struct loss_names *names, struct loss_list *list)
{
	const struct totals totals = check_totals(r->again);
	const struct loss_changes changes = { r->books.changed.inos, r->books.changed.ninos, &totals };
	struct repair *rc = r->m->rc;
	struct losses of_changed;
	bool whole = false;
	int ret = loss_areas_find(rc, &r->m->drops, &r->areas);

	*list = (struct loss_list){ 0 };
	if (!ret && !r->areas.count && (r->books.clean || r->books.files_known))
		ret = loss_account_of(rc, r->again, &r->m->drops, &changes, list, &whole);
	of_changed = list->totals;
	if (!ret && (!whole || rc->run->options->compare_books)) {
		loss_list_free(list);
		ret = loss_account(rc, r->again, &r->m->drops, &r->areas, names, list);
	}
	if (!ret && whole && !same_losses(&of_changed, &list->totals))
		report_note(rc->report, BOOKS_DIFFER "so it is with the account of what is kept.");
	return ret;
}

/* Compares the file system before and after the repair, and reports the losses. */
static void tell_losses(struct rounds *r)
{
	struct paths *before = NULL, *after = NULL;
	struct repair *rc = r->m->rc, *again = r->again;
	struct trace *trace = rc->run->trace;
	const uint64_t start = trace_now(trace);
	struct loss_names names = { 0 };
	struct loss_list list = { 0 };

	report_step(rc->report, "what is kept", NULL);
	if (mend_crash_before(r->m) || account(r, &names, &list)) {
		report_note(rc->report, "What the repair keeps could not be compared with what was there before.");
	} else {
		loss_paths(rc, again, &list, &names, report_answer_json(rc->report), &before, &after);
		trace_say(trace, "account of what is kept: %zu differences", list.count);
		trace_end(trace, start);
		rc->run->losses = list.totals;
		if (!rc->run->options->no_modify && consent_lacking(rc, rc->run->options->keep != UNDO_NONE))
			report_planned(rc->report);
		report_losses(rc->report, &list, before, after);
	}
	paths_free(before);
	paths_free(after);
	loss_names_free(&names);
	loss_list_free(&list);
}

/* Does everything that can be done.  damaged: the first check found damage.  Returns 0 or a negative errno. */
static int mend_all(struct rounds *r, bool damaged)
{
	int ret = damaged ? mend_stale_find(r->m, r->damage.found, r->damage.count) : 0;

	if (!ret)
		ret = finish_crash(r);
	if (!ret)
		ret = run_rounds(r);
	if (!ret && damaged && !r->damage.count)
		ret = finish_crash(r);
	if (!ret && damaged)
		ret = run_rounds(r);
	if (!ret && !r->damage.count)
		ret = change_features(r);
	if (!ret && !r->damage.count)
		ret = recount_quotas(r);
	return ret ? ret : mend_stale_spread(r->m);
}

/* Reports the number of fixes.  Operations that the log completes count as certain. */
static void tell_mended(const struct mend *m, uint64_t left, bool by_books)
{
	const struct fixes fixes = { .count = { [SURE_CERTAIN] = m->done - m->likely - m->guesses,
						[SURE_LIKELY] = m->likely,
						[SURE_GUESS] = m->guesses },
				     .by_books = by_books };
	struct ino_set inos = { 0 };
	struct paths *later = NULL;

	/* else places that were first found in later rounds have no paths */
	if (!report_fix_inodes(m->rc->report, &inos) && ino_set_count(&inos))
		paths_seek(m->now, &inos, NULL, NULL, &later);
	report_mended(m->rc->report, &fixes, left, later);
	paths_free(later);
	ino_set_free(&inos);
}

/* Reports why menders left these findings. */
static void tell_reasons(struct mend *m, const struct found *found, size_t count)
{
	static const char *const reasons[LEFT_NR] = {
		[LEFT_NO_ROOM] = "for lack of free space",
		[LEFT_UNREADABLE] = "since metadata that is needed is unreadable or corrupt",
		[LEFT_NOT_PLANNED] = "since the plan does not list the fix",
		[LEFT_TOO_LARGE] = "since that takes too much memory or reading",
	};

	for (enum left_reason reason = 0; reason < LEFT_NR; reason++) {
		const uint64_t left = mend_left_count(m, reason, found, count);
		struct words note = { 0 };

		if (!left)
			continue;
		words_add_count(&note, left, "problem was", "problems were");
		words_add(&note, " not repaired, %s.", reasons[reason]);
		report_note(m->rc->report, note.text);
	}
}

/*
 * Sets rc->run->mended, and reports the fixes, the remaining findings and the places of reconnected inodes.  damaged:
 * as for mend_all().  completed: mend_all() returned 0.
 */
static void conclude(struct rounds *r, bool damaged, bool completed)
{
	struct mend *m = r->m;
	struct repair *rc = m->rc;
	const bool refused = completed && !r->damage.count && mend_shrink_refused(m);
	const uint64_t left = r->damage.count + refused;

	if (left && (refused || m->shrunk.log_reported))
		report_too_short(rc->report);
	if (left && !m->now->geo.logblocks && !rc->run->options->log_device && !rc->run->options->discard_log)
		log_lost_refuse(rc);
	mend_crash_end(m, completed && !left);
	rc->run->mended = (struct mended){ damaged, m->done, left };
	if (!completed)
		return;
	if (m->done && (damaged || left))
		tell_mended(m, left, r->by_books);
	if (r->by_books)
		report_note(rc->report,
			    "The repair was proven by a check of what it changed, and the sums of the first check, "
			    "corrected by that. With --prove=whole everything is checked again.");
	if (r->again && (!left || rc->run->options->commit_unproven)) {
		rc->run->after = check_totals(r->again);
		reattached_settle(&rc->run->reattached);
		tell_reattached(rc, r->again);
		if (damaged)
			tell_losses(r);
	}
	if (damaged)
		unfinished_ask(rc);
	if (refused)
		report_left(rc->report, &m->shrunk.found, 1, rc->paths);
	if (m->done)
		report_left(rc->report, r->damage.found, r->damage.count, rc->paths);
	tell_reasons(m, r->damage.found, r->damage.count);
}

static enum phase_result begin_plan(const struct mend *m, uint64_t found)
{
	struct plan_of of = { .found = found };

	memcpy(of.uuid, m->now->geo.uuid, sizeof(of.uuid));
	if (fix_plan_begin(m->rc->run->plan, &of))
		return PHASE_DONE;
	return trouble(m->rc,
		       "the plan is of another file system, or this one, or what is found in it, has changed since: "
		       "make a new plan; nothing was changed");
}

#define DAMAGED_MEMBER 32u   /* findings: an outdated member of an array causes at least as many */
#define SPARED_MOST    100u  /* findings, or ... */
#define SPARED_SHARE   1000u /* ... one for so many inodes */

/* Refuses arrays in a wrong order and copies that lack bytes, and asks about arrays with an outdated member. */
static enum phase_result look_at_array(const struct repair *rc, size_t count)
{
	struct dates *dates = count >= DAMAGED_MEMBER ? old_member_dates(rc) : NULL;
	enum phase_result result = shifted_copy_by_findings(rc);

	if (result == PHASE_DONE)
		result = wrong_order_by_findings(rc, dates);
	if (result == PHASE_DONE)
		old_member_ask(rc, dates);
	free(dates);
	return result;
}

/* True if few findings were made, so that books may prove the repair and few sweeps will follow. */
static bool is_spared(const struct repair *rc, size_t count)
{
	return prove_spares_blocks(rc) && (count <= SPARED_MOST || count <= inodes_expected(rc) / SPARED_SHARE);
}

enum phase_result phase_mend(struct repair *rc)
{
	struct mend m = { .rc = rc, .now = rc };
	struct rounds r = { .m = &m, .depth = DEPTH_WHOLE };
	int ret = damage_collect(&r.damage, rc->findings);
	const bool damaged = r.damage.count > 0;
	enum phase_result result = PHASE_DONE;

	m.checks = 1;
	mend_trace_check(&m, &r.damage, "whole", 0);
	if (!ret && damaged && look_at_array(rc, r.damage.count) != PHASE_DONE) {
		damage_free(&r.damage);
		return PHASE_FAILED;
	}
	if (!ret && rc->run->applied) {
		damage_free(&r.damage);
		mend_end(&m);
		return damaged ? trouble(rc, "with what the preview holds, the file system would still have problems, "
					     "which "
					     "are listed above; nothing was changed")
			       : PHASE_DONE;
	}
	if (!ret && rc->run->plan && begin_plan(&m, r.damage.all) != PHASE_DONE) {
		damage_free(&r.damage);
		mend_end(&m);
		return PHASE_FAILED;
	}
	m.quiet = !damaged;
	if (damaged) {
		memory_for_survey(rc, mend_survey_bytes(&rc->geo));
		memory_judge_mending(rc);
		memory_for_findings(rc);
		if (!is_spared(rc, r.damage.count))
			memory_keep_blocks(rc);
	}
	if (!ret)
		ret = mend_all(&r, damaged);
	conclude(&r, damaged, !ret);
	if (!ret && rc->run->plan)
		result = plan_end(&m, &r.damage);
	if (!ret && result == PHASE_DONE)
		ret = mend_exchanged_settle(&m);
	if (!ret)
		ret = dir_table_error(r.again ? &r.again->dirs : &rc->dirs);
	damage_free(&r.damage);
	mend_end(&m);
	check_again_free(r.again);
	open_books_close(&r.books);
	loss_areas_free(&r.areas);
	return ret ? failed(rc, "mending", ret) : result;
}

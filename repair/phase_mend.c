/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mending: round after round, until a check finds nothing, or nothing more can be mended (mend.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "features.h"
#include "log/log_lost.h"
#include "mend/damage.h"
#include "mend/mend_facts.h"
#include "mend/mend_lost.h"
#include "mend/mend_space.h"
#include "mend/mend_survey.h"
#include "mend/quota/mend_quota.h"
#include "report/findings.h"

#define ROUNDS_MAX 32u
#define ROUNDS_ALL 256u /* with those that were given a part of what is wrong: there was no memory for all of it */
#define LEFT_SHOWN 100u /* of the findings that could not be mended: most of them have been told already */

/*
 * What each way of mending was given last, as a fingerprint: what did not help is not tried again and again.  Where
 * nothing could be done that may have been for something else's sake: then it is tried again when anything is
 * different.
 */
struct attempts {
	uint64_t last[MEND_NR];
	uint64_t idle[MEND_NR]; /* all there was when nothing was done; 0: something was */
};

/* Leave out what is about inodes that are another now; returns how many there are left. */
static size_t leave_out_changed(const struct mend *m, const struct ino_set *changed, struct found *some, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		const xino_t ino = some[i].place.ino;

		if (ino.v == NULL_INO || !(ino_set_has(changed, ino) || ino_set_has(&m->round.settled, ino)))
			some[n++] = some[i];
	}
	return n;
}

/* One way of mending, unless it was given the same before. */
static int try_kind(struct mend *m, const struct damage *damage, struct attempts *attempts,
		    const struct ino_set *changed)
{
	const uint64_t now = damage->prints[m->kind], done = m->done;
	uint64_t *idle = &attempts->idle[m->kind];
	struct found *some;
	size_t count;
	int ret = 0;

	if (now == attempts->last[m->kind] && (*idle == 0 || *idle == damage->all))
		return 0;
	some = calloc(damage->count + 1, sizeof(*some));
	if (!some)
		return -ENOMEM;
	attempts->last[m->kind] = now;
	count = leave_out_changed(m, changed, some, damage_of_kind(damage, m->kind, some));
	if (count)
		ret = mend_run(m, some, count);
	free(some);
	*idle = m->done == done ? damage->all : 0;
	mend_shrink_note(m, done);
	return ret;
}

/*
 * How far a check went.  What blocks say by themselves takes a fraction of what exact places take, so as long as that
 * leads to anything that must be mended first, accounts are not gone into.  Menders of names take blocks that are free
 * by two witnesses, and give others up: the groups' trees are built when they have done all they can.
 */
enum depth {
	DEPTH_BLOCKS,
	DEPTH_NAMES,	/* and the accounts of inodes */
	DEPTH_ACCOUNTS, /* and which groups' accounts don't balance: only after mending that must have changed them */
	DEPTH_WHOLE,	/* and where */
	DEPTH_NR,
};

/* Whether a check of that depth says all that a stage needs, and its turn has come. */
static bool has_turn(enum mend_stage stage, enum depth depth)
{
	switch (depth) {
	case DEPTH_BLOCKS:
		return stage <= STAGE_INODES;
	case DEPTH_NAMES:
		return stage <= STAGE_LINKS && stage != STAGE_REALTIME;
	case DEPTH_ACCOUNTS:
		return stage == STAGE_REALTIME || stage == STAGE_SPACE;
	default:
		return true;
	}
}

/* Rounds, and the check that came last. */
struct rounds {
	struct mend *m;
	struct repair *again; /* NULL: the run itself */
	enum depth depth;     /* of the check */
	bool names_begun;     /* what exact places of blocks tell has been made use of: accounts will do */
	bool lost_is_all;     /* which blocks are lost is known without exact places: mend_lost_is_all() */
	struct damage damage; /* of the check */
	struct attempts attempts[DEPTH_NR];
};

/*
 * There are inodes without names, and menders of names are to mend none but what directories say of where they are
 * themselves: then who has no name has none after that.
 */
static bool names_stay(const struct damage *damage)
{
	bool orphans = false;

	for (size_t i = 0; i < damage->count; i++) {
		const enum finding finding = damage->found[i].problem.finding;

		orphans |= finding == F_INODE_ORPHAN;
		if (finding != F_DIR_DOTDOT_PARENT && finding != F_INODE_ORPHAN &&
		    damage->kinds[i] & (1ull << MEND_dir | 1ull << MEND_attr))
			return false;
	}
	return orphans;
}

#define FEW_NAMES 1000u /* findings: mending more leads to others that must be mended */

/* Then the groups' trees, which would be out of date at once, wait for the last of them. */
static bool names_go_on(const struct rounds *r)
{
	size_t names = 0;

	for (size_t i = 0; i < r->damage.count; i++)
		names += (r->damage.kinds[i] & (1ull << MEND_dir | 1ull << MEND_attr)) != 0;
	return names > FEW_NAMES && !r->m->round.names_stay;
}

/*
 * The groups' trees are made anew from what owners claim by then, so that need not wait for another check once those
 * claims are settled.  Where they are not, there will be no trees.  What links others have does not depend on those
 * who get a name again, whose links are known (mend_orphan.c); only usage does.  What blocks say of the forks of an
 * inode does not change with the cores of others, unlike who has which blocks.
 */
static bool goes_along(const struct rounds *r, enum mend_kind kind, enum mend_stage first)
{
	switch (mend_stage(kind)) {
	case STAGE_INODES:
		return first == STAGE_CORES && r->depth == DEPTH_BLOCKS;
	case STAGE_SPACE:
		return first == STAGE_INODES || (first >= STAGE_NAMES && !names_go_on(r));
	case STAGE_ORPHANS:
		return first == STAGE_NAMES && r->m->round.names_stay;
	case STAGE_LINKS:
		return kind != MEND_dquot &&
		       (first == STAGE_ORPHANS || (first == STAGE_NAMES && r->m->round.names_stay));
	default:
		return false;
	}
}

/* Groups whose trees are to be built again, whatever in them is out of date. */
static int add_accounts(struct rounds *r)
{
	struct found found;
	int ret = 0;

	for (uint32_t g = 0; g < group_count(&r->m->now->geo) && !ret; g++)
		if (accounts_say_space(r->m->now, (group_t){ g }, &found))
			ret = damage_add(&r->damage, &found);
	r->depth = DEPTH_ACCOUNTS;
	return ret;
}

/* The inodes that were just mended: what was found in their forks may be another now, and so may who has which block.
 */
static int note_changed(const struct rounds *r, struct ino_set *changed)
{
	int ret = 0;

	for (size_t i = 0; i < r->damage.count && !ret; i++) {
		const xino_t ino = r->damage.found[i].place.ino;

		if (r->damage.kinds[i] >> r->m->kind & 1 && ino.v && ino.v != NULL_INO)
			ret = ino_set_put(changed, ino);
	}
	if (r->m->kind != MEND_inode_core) { /* which tells of claims as it finds them, and of whom names may be new */
		mend_space_forget(r->m);
		mend_facts_forget(r->m);
	}
	return ret;
}

/*
 * Who looks in blocks that nobody has need not wait for another check: who has which is known when inodes and their
 * maps are mended, unless more is wrong.
 */
static int add_lost(struct rounds *r)
{
	bool all;
	int ret = mend_lost_is_all_now(r->m, &all);

	return ret || !all ? ret : mend_lost_add(r->m, &r->damage);
}

/* All ways of mending of a stage, as far as it is their turn. */
static int run_stage(struct rounds *r, enum mend_stage stage, enum mend_stage first, struct ino_set *changed)
{
	struct mend *m = r->m;
	int ret = 0;

	for (m->kind = MEND_NOTHING + 1; m->kind < MEND_NR && !ret; m->kind++) {
		const uint64_t so_far = m->done;

		if (mend_stage(m->kind) != stage || (first != STAGE_NR && !goes_along(r, m->kind, first)))
			continue;
		if (m->kind == MEND_fork_lost && first == STAGE_CORES)
			ret = add_lost(r);
		if (!ret)
			ret = try_kind(m, &r->damage, &r->attempts[r->depth], changed);
		if (!ret && stage == STAGE_CORES && m->done != so_far)
			ret = note_changed(r, changed);
	}
	if (!ret)
		ret = mend_follows_run(m);
	mend_facts_forget(m);
	return ret;
}

/*
 * All that was done up to that stage is what the log still had.  What is found of other inodes' cores, and of what
 * leads to them, is as true as before, and that much of the round goes on: a check less.  What is found of names and
 * claims may have come of what was missing.
 */
static bool only_logged(const struct mend *m, enum mend_stage stage, uint64_t done, uint64_t logged)
{
	return stage == STAGE_GEOMETRY && m->logged != logged && m->done - done == m->logged - logged;
}

/* The earliest stage in which anything can be mended, and what goes along. *ret_any: false if there is none. */
static int run_round(struct rounds *r, bool *ret_any)
{
	struct mend *m = r->m;
	enum mend_stage first = STAGE_NR; /* in which anything was done: none yet */
	struct ino_set changed = { 0 };
	bool from_log = false;
	int ret = 0;

	m->round.names_stay = names_stay(&r->damage);
	for (enum mend_stage stage = 0; stage < STAGE_NR && !ret; stage++) {
		const uint64_t so_far = m->done, logged = m->logged;

		if (from_log && first == STAGE_NR && stage > STAGE_CORES)
			break;
		/* with the last names, the groups' trees need not wait for another check */
		if (stage == STAGE_SPACE && r->depth == DEPTH_NAMES && first != STAGE_NR &&
		    (m->round.names_stay || (r->lost_is_all && !names_go_on(r))))
			ret = add_accounts(r);
		if (!has_turn(stage, r->depth))
			continue;
		if (!ret)
			ret = run_stage(r, stage, first, &changed);
		if (only_logged(m, stage, so_far, logged))
			from_log = true;
		else if (m->done != so_far && first == STAGE_NR)
			first = stage;
	}
	*ret_any = from_log || first != STAGE_NR;
	if (from_log || first <= STAGE_GEOMETRY)
		ino_set_free(&m->notes.past_help);
	if (first != STAGE_NR) {
		r->names_begun |= first >= STAGE_NAMES;
		m->inodes_begun |= first > STAGE_GEOMETRY;
	}
	/* who claims which block does not change with names, but for blocks that are handed out */
	if (from_log || first < STAGE_NAMES)
		mend_space_forget(m);
	mend_round_end(m);
	ino_set_free(&changed);
	return ret;
}

/* Whether there is anything that has not been tried yet, and must be before the check needs to go further. */
static bool says_enough(const struct rounds *r)
{
	for (enum mend_kind kind = MEND_NOTHING + 1; kind < MEND_NR; kind++) {
		uint64_t now;

		if (!has_turn(mend_stage(kind), r->depth))
			continue;
		now = r->damage.prints[kind];
		if (now && now != r->attempts[r->depth].last[kind])
			return true;
	}
	return false;
}

static int collect_again(struct rounds *r)
{
	int ret = damage_collect(&r->damage, r->again->findings);

	return ret || !r->lost_is_all ? ret : mend_lost_add(r->m, &r->damage);
}

static int look_further(struct rounds *r)
{
	unsigned parts = LOCATE_GROUPS;
	int ret;

	if (r->depth == DEPTH_NAMES)
		return add_accounts(r);
	r->lost_is_all &= r->depth == DEPTH_BLOCKS && r->m->survey;
	if (r->depth == DEPTH_BLOCKS)
		parts = r->names_begun || r->lost_is_all ? LOCATE_INODES : LOCATE_GROUPS | LOCATE_INODES;
	ret = check_again_exactly(r->again, parts);
	r->depth = parts & LOCATE_GROUPS ? DEPTH_WHOLE : DEPTH_NAMES;
	return ret ? ret : collect_again(r);
}

static int look_at_everything(struct rounds *r)
{
	int ret = 0;

	while (r->depth != DEPTH_WHOLE && !ret)
		ret = look_further(r);
	return ret;
}

/* Who was in doubt in the last check, if that went into it: the next one will. The caller's; NULL: not so. */
static struct doubts *doubts_before(const struct rounds *r)
{
	struct doubts *doubts = r->again && r->depth != DEPTH_BLOCKS ? r->again->doubts : NULL;

	if (doubts)
		r->again->doubts = NULL;
	return doubts;
}

static int check_mended(struct rounds *r)
{
	struct doubts *before = doubts_before(r);
	struct mend_survey *survey;
	struct repair *next;
	bool whole;
	int ret;

	/* one check at a time: each takes memory for itself */
	r->m->now = r->m->rc;
	check_again_free(r->again);
	r->again = NULL;
	memory_keep_blocks(r->m->rc);
	mend_space_forget_survey(r->m);
	ret = check_again(r->m->rc, before, &next, &whole, &survey);
	if (ret)
		return ret;
	r->m->now = r->again = next;
	if (survey) { /* which knows more than is known so far */
		mend_space_forget(r->m);
		r->m->survey = survey;
	}
	r->depth = whole ? DEPTH_WHOLE : DEPTH_BLOCKS;
	r->lost_is_all = !whole && !r->names_begun && mend_lost_is_all(r->m);
	ret = collect_again(r);
	while (!ret && r->depth != DEPTH_WHOLE && !says_enough(r))
		ret = look_further(r);
	return ret;
}

/* The same after what may have changed anything. */
static int check_anew(struct rounds *r)
{
	mend_space_forget(r->m);
	r->names_begun = false;
	return check_mended(r);
}

/*
 * What a crash left comes first, if that is all there is; where anything is damaged, it waits until that is mended.
 */
static int finish_crash(struct rounds *r)
{
	bool changed;
	int ret = mend_crash(r->m, r->damage.found, r->damage.count, &changed);

	r->m->inodes_begun |= !ret && changed;
	return ret || !changed ? ret : check_anew(r);
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
		ret = run_round(r, &any);
		if (!ret && !any && r->depth != DEPTH_WHOLE) {
			ret = look_further(r);
			continue;
		}
		if (!ret && !any && is_last_resort(r->m)) {
			memset(r->attempts, 0, sizeof(r->attempts));
			continue;
		}
		if (ret || !any)
			break;
		ret = check_mended(r);
	}
	/* the last word has a whole check */
	return ret ? ret : look_at_everything(r);
}

/* Where usage could not be compared, what was mended may have changed it. */
static int recount_quotas(struct rounds *r)
{
	bool changed = false;
	int ret = r->m->done ? mend_quota_recount(r->m, &changed) : 0;

	if (ret || !changed)
		return ret;
	ret = check_anew(r);
	return ret ? ret : look_at_everything(r);
}

/* What the user wants to be different in a file system that is sound; what follows from it is mended in its turn. */
static int change_features(struct rounds *r)
{
	bool changed;
	int ret = features_change(r->m, &changed);

	if (ret || !changed)
		return ret;
	ret = check_anew(r);
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

enum phase_result phase_mend(struct repair *rc)
{
	struct mend m = { .rc = rc, .now = rc };
	struct rounds r = { .m = &m, .depth = DEPTH_WHOLE };
	bool waits, refused;
	uint64_t left;
	int ret = damage_collect(&r.damage, rc->findings);

	waits = r.damage.count > 0;
	m.quiet = !waits;
	if (waits) {
		memory_for_survey(rc, mend_survey_bytes(&rc->geo));
		memory_keep_blocks(rc);
	}
	if (!ret)
		ret = finish_crash(&r);
	if (!ret)
		ret = run_rounds(&r);
	if (!ret && waits && !r.damage.count)
		ret = finish_crash(&r);
	if (!ret && waits)
		ret = run_rounds(&r);
	if (!ret && !r.damage.count)
		ret = change_features(&r);
	if (!ret && !r.damage.count)
		ret = recount_quotas(&r);
	refused = !ret && !r.damage.count && mend_shrink_refused(&m);
	left = r.damage.count + refused;
	if (left && (refused || m.shrunk.log_told))
		report_too_short(rc->report);
	if (left && !m.now->geo.logblocks && !rc->options->log_device && !rc->options->discard_log)
		log_lost_refuse(rc);
	mend_crash_end(&m, !ret && !left);
	rc->mended = (struct mended){ waits, m.done, left };
	if (!ret && m.done && (waits || left))
		report_mended(rc->report, m.done, left);
	if (!ret && r.again && (!left || rc->options->commit_unproven))
		tell_reattached(rc, r.again);
	if (refused)
		report_left(rc->report, &m.shrunk.found, rc->paths);
	for (size_t i = 0; i < r.damage.count && i < LEFT_SHOWN && !ret && m.done; i++)
		report_left(rc->report, &r.damage.found[i], rc->paths);
	damage_free(&r.damage);
	mend_end(&m);
	check_again_free(r.again);
	return ret ? failed(rc, "mending", ret) : PHASE_DONE;
}

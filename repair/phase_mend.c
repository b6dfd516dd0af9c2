/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mending: round after round, until a check finds nothing, or nothing more can be mended (mend.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "features.h"
#include "findings.h"
#include "mend/mend_new_inode.h"
#include "mend/mend_quota.h"
#include "mend/mend_space.h"

#define ROUNDS_MAX 32u
#define LEFT_SHOWN 100u /* of the findings that could not be mended: most of them have been told already */

/* The findings of one check that are damage. */
struct damage {
	struct found *found;
	size_t count;
	bool excess; /* there are more */
};

static int collect(struct findings *findings, struct damage *damage)
{
	const struct found *found;
	size_t room = 0;

	*damage = (struct damage){ 0 };
	findings_rewind(findings);
	while ((found = findings_next(findings))) {
		if (!severity_is_damage(finding_severity(found->problem.finding)))
			continue;
		if (array_grow(&damage->found, &room, damage->count, sizeof(*found)))
			return -ENOMEM;
		damage->found[damage->count++] = *found;
	}
	findings_rewind(findings);
	return 0;
}

/*
 * What each way of mending was given last, as a fingerprint: what did not help is not tried again and again.  Where
 * nothing could be done that may have been for something else's sake: then it is tried again when anything is
 * different.
 */
struct attempts {
	uint64_t last[MEND_NR];
	uint64_t idle[MEND_NR]; /* all there was when nothing was done; 0: something was */
};

/* Of the findings that one way of mending hears of, MEND_NR: of all; 0: there are none. */
static uint64_t fingerprint(const struct damage *damage, enum mend_kind kind)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < damage->count; i++) {
		const struct found *f = &damage->found[i];
		const uint64_t parts[] = { f->problem.finding, f->problem.got, f->problem.want,	 f->problem.index,
					   f->place.agno.v,    f->place.ino.v, f->place.agbno.v, f->place.fileoff.v };

		if (kind != MEND_NR && !mend_concerns(f, kind))
			continue;
		for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++)
			sum = (sum ^ parts[k]) * 0x9e3779b97f4a7c15u + 1; /* to tell them apart, not to be safe */
	}
	return sum;
}

/* Hand what leads to one way of mending to its mender. */
static int run_mender(struct mend *m, const struct damage *damage, struct found *some)
{
	size_t count = 0;

	for (size_t i = 0; i < damage->count; i++)
		if (mend_concerns(&damage->found[i], m->kind))
			some[count++] = damage->found[i];
	return count ? mend_run(m, some, count) : 0;
}

/* One way of mending, unless it was given the same before. */
static int try_kind(struct mend *m, const struct damage *damage, struct attempts *attempts, struct found *some)
{
	uint64_t now = fingerprint(damage, m->kind), all = fingerprint(damage, MEND_NR), done = m->done;
	uint64_t *idle = &attempts->idle[m->kind];
	int ret;

	if (now == attempts->last[m->kind] && (*idle == 0 || *idle == all))
		return 0;
	attempts->last[m->kind] = now;
	ret = run_mender(m, damage, some);
	*idle = m->done == done ? all : 0;
	mend_shrink_note(m, done);
	return ret;
}

/*
 * How far a check went.  What blocks say by themselves takes a fraction of what exact places take, so as long as that
 * leads to anything that must be mended first, accounts are not gone into.  Menders of names take blocks that are free
 * by two witnesses, and give others up: the groups' trees need to be right before they begin, and again when they have
 * done all they can, not in between.
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
		return stage <= STAGE_LINKS && stage != STAGE_REALTIME && stage != STAGE_SPACE;
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
	bool groups_settled;  /* the groups' trees were right once: menders of names can begin, or have */
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
		const struct found *f = &damage->found[i];

		orphans |= f->problem.finding == F_INODE_ORPHAN;
		if (f->problem.finding != F_DIR_DOTDOT_PARENT && f->problem.finding != F_INODE_ORPHAN &&
		    (mend_concerns(f, MEND_dir) || mend_concerns(f, MEND_attr)))
			return false;
	}
	return orphans;
}

/*
 * The groups' trees are made anew from what owners claim by then, so that need not wait for another check once those
 * claims are settled.  Where they are not, there will be no trees.  Names need nothing of that but the trees, which
 * tell what is free.  What links others have does not depend on those who get a name again, whose links are known
 * (mend_orphan.c); only usage does.
 */
static bool goes_along(const struct rounds *r, enum mend_kind kind, enum mend_stage first)
{
	switch (mend_stage(kind)) {
	case STAGE_SPACE:
		return first == STAGE_INODES;
	case STAGE_NAMES:
		return first == STAGE_SPACE;
	case STAGE_ORPHANS:
		return first == STAGE_NAMES && r->m->names_stay;
	case STAGE_LINKS:
		return kind != MEND_dquot && (first == STAGE_ORPHANS || (first == STAGE_NAMES && r->m->names_stay));
	default:
		return false;
	}
}

/* The earliest stage in which anything can be mended, and what goes along. *ret_any: false if there is none. */
static int run_round(struct rounds *r, bool *ret_any)
{
	struct found *some = calloc(r->damage.count, sizeof(*some));
	struct mend *m = r->m;
	enum mend_stage first = STAGE_NR; /* in which anything was done: none yet */
	int ret = some ? 0 : -ENOMEM;

	m->names_stay = names_stay(&r->damage);
	for (enum mend_stage stage = 0; stage < STAGE_NR && !ret; stage++) {
		uint64_t so_far = m->done;

		if (!has_turn(stage, r->depth))
			continue;
		for (m->kind = MEND_NOTHING + 1; m->kind < MEND_NR && !ret; m->kind++)
			if (mend_stage(m->kind) == stage && (first == STAGE_NR || goes_along(r, m->kind, first)))
				ret = try_kind(m, &r->damage, &r->attempts[r->depth], some);
		if (!ret)
			ret = mend_follows_run(m);
		if (m->done != so_far && first == STAGE_NR)
			first = stage;
	}
	*ret_any = first != STAGE_NR;
	if (*ret_any)
		r->groups_settled |= first >= STAGE_SPACE;
	/* who claims which block does not change with names, but for blocks that are handed out */
	if (first < STAGE_SPACE || first == STAGE_NR)
		mend_space_forget(m);
	mend_new_inodes_forget(m);
	ino_set_free(&m->homed);
	free(some);
	return ret;
}

/* Whether there is anything that has not been tried yet, and must be before the check needs to go further. */
static bool says_enough(const struct rounds *r)
{
	for (enum mend_kind kind = MEND_NOTHING + 1; kind < MEND_NR; kind++) {
		uint64_t now;

		if (!has_turn(mend_stage(kind), r->depth))
			continue;
		now = fingerprint(&r->damage, kind);
		if (now && now != r->attempts[r->depth].last[kind])
			return true;
	}
	return false;
}

static int collect_again(struct rounds *r)
{
	free(r->damage.found);
	return collect(r->again->findings, &r->damage);
}

/* Groups whose trees are to be built again, whatever in them is out of date. */
static int add_accounts(struct rounds *r)
{
	const uint32_t groups = group_count(&r->again->geo);
	struct damage *d = &r->damage;
	struct found *all = reallocarray(d->found, d->count + groups, sizeof(*all));

	if (!all)
		return -ENOMEM;
	d->found = all;
	for (uint32_t g = 0; g < groups; g++)
		d->count += accounts_say_space(r->again, (group_t){ g }, &all[d->count]);
	r->depth = DEPTH_ACCOUNTS;
	return 0;
}

static int look_further(struct rounds *r)
{
	unsigned parts = LOCATE_GROUPS;
	int ret;

	if (r->depth == DEPTH_NAMES)
		return add_accounts(r);
	if (r->depth == DEPTH_BLOCKS)
		parts = r->groups_settled ? LOCATE_INODES : LOCATE_GROUPS | LOCATE_INODES;
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

static int check_mended(struct rounds *r)
{
	struct repair *next;
	bool whole;
	int ret;

	/* one check at a time: each takes memory for itself */
	r->m->now = r->m->rc;
	check_again_free(r->again);
	r->again = NULL;
	memory_keep_blocks(r->m->rc);
	ret = check_again(r->m->rc, &next, &whole);
	if (ret)
		return ret;
	r->m->now = r->again = next;
	r->depth = whole ? DEPTH_WHOLE : DEPTH_BLOCKS;
	ret = collect_again(r);
	while (!ret && r->depth != DEPTH_WHOLE && !says_enough(r))
		ret = look_further(r);
	return ret;
}

/* The same after what may have changed anything. */
static int check_anew(struct rounds *r)
{
	mend_space_forget(r->m);
	r->groups_settled = false;
	return check_mended(r);
}

/*
 * What a crash left comes first, if that is all there is; where anything is damaged, it waits until that is mended.
 */
static int finish_crash(struct rounds *r)
{
	bool changed;
	int ret = mend_crash(r->m, r->damage.found, r->damage.count, &changed);

	return ret || !changed ? ret : check_anew(r);
}

static int run_rounds(struct rounds *r)
{
	bool any = true;
	int ret = 0;

	memset(r->attempts, 0, sizeof(r->attempts));
	for (unsigned round = 0; !ret && r->damage.count && round < ROUNDS_MAX && !mend_exhausted(r->m); round++) {
		ret = run_round(r, &any);
		if (!ret && !any && r->depth != DEPTH_WHOLE) {
			ret = look_further(r);
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
	int ret = collect(rc->findings, &r.damage);

	waits = r.damage.count > 0;
	m.quiet = !waits;
	if (waits)
		memory_keep_blocks(rc);
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
	mend_crash_end(&m, !ret && !left);
	rc->mended = (struct mended){ waits, m.done, left };
	if (!ret && m.done && (waits || left))
		report_mended(rc->report, m.done, left);
	if (!ret && r.again && (!left || rc->options->commit_unproven))
		tell_reattached(rc, r.again);
	if (refused)
		report_left(rc->report, &m.shrunk, rc->paths);
	for (size_t i = 0; i < r.damage.count && i < LEFT_SHOWN && !ret && m.done; i++)
		report_left(rc->report, &r.damage.found[i], rc->paths);
	free(r.damage.found);
	mend_space_forget(&m);
	free(m.taken);
	free(m.rt_taken);
	ino_set_free(&m.bereft);
	check_again_free(r.again);
	return ret ? failed(rc, "mending", ret) : PHASE_DONE;
}

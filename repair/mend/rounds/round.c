/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One round of mending: decides which findings each mender gets, in which order, and where the round ends. */
#include <errno.h>
#include <stdlib.h>

#include "mend/base/mend_table.h"
#include "mend/blocks/mend_space.h"
#include "mend/collect/mend_facts.h"
#include "mend/plan/mend_run.h"
#include "mend/settle/sb/mend_sb.h"
#include "repair.h"
#include "rounds.h"

/*
 * Removes findings about inodes that were mended or settled in this round, and those that the mender has settled too
 * often.  Returns how many are left.
 */
static size_t leave_out_settled(const struct mend *m, const struct ino_set *changed, struct found *some, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		const xino_t ino = some[i].place.ino;

		if (mend_repeats_is_stuck(m, &some[i]))
			continue;
		if (ino.v == NULL_INO || !(ino_set_has(changed, ino) || ino_set_has(&m->round.settled, ino)))
			some[n++] = some[i];
	}
	return n;
}

/*
 * Removes findings about inodes with intact maps whose nblocks does not match.  Other claimants show which blocks are
 * too many, and unowned blocks which are missing; a check of DEPTH_BLOCKS knows neither, so the count would be
 * considered wrong.  0 or -ENOMEM.
 */
static int leave_out_miscounted(struct found *some, size_t *count)
{
	struct ino_set miscounted = { 0 }, broken = { 0 };
	size_t n = 0;
	int ret = 0;

	for (size_t i = 0; i < *count && !ret; i++) {
		const enum finding finding = some[i].problem.finding;

		if (finding == F_INODE_NBLOCKS_XREF)
			ret = ino_set_put(&miscounted, some[i].place.ino);
		else if (finding != F_INODE_NEXTENTS_XREF && finding != F_INODE_ANEXTENTS_XREF)
			ret = ino_set_put(&broken, some[i].place.ino);
	}
	for (size_t i = 0; i < *count && !ret; i++)
		if (!ino_set_has(&miscounted, some[i].place.ino) || ino_set_has(&broken, some[i].place.ino))
			some[n++] = some[i];
	*count = n;
	ino_set_free(&miscounted);
	ino_set_free(&broken);
	return ret;
}

/* Runs the mender m->kind on its findings, unless it got the same ones before (struct attempts). */
static int try_kind(struct rounds *r, const struct ino_set *changed)
{
	struct mend *m = r->m;
	const struct damage *damage = &r->damage;
	struct attempts *attempts = &r->attempts[r->depth];
	const uint64_t now = damage->prints[m->kind], done = m->done;
	uint64_t *idle = &attempts->idle[m->kind];
	struct found *some;
	size_t count;
	int ret = 0;

	if (now == attempts->last[m->kind] && (*idle == 0 || *idle == damage->all)) {
		if (now)
			mend_trace_same(m, damage);
		return 0;
	}
	some = calloc(damage->count + 1, sizeof(*some));
	if (!some)
		return -ENOMEM;
	attempts->last[m->kind] = now;
	count = leave_out_settled(m, changed, some, damage_of_kind(damage, m->kind, some));
	if (m->kind == MEND_inode_fork && r->depth == DEPTH_BLOCKS)
		ret = leave_out_miscounted(some, &count);
	if (count && !ret)
		ret = mend_run(m, some, count);
	free(some);
	*idle = m->done == done ? damage->all : 0;
	mend_shrink_note(m, done);
	return ret;
}

/* True if orphans can be named in this round: no directory or attribute needs mending, except `..`. */
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

#define FEW_NAMES 1000u /* number of findings about names beyond which mending them leads to more */

/* True if more rounds will mend names: rebuild AG btrees after the last of them; earlier ones would be stale. */
static bool names_go_on(const struct rounds *r)
{
	size_t names = 0;

	for (size_t i = 0; i < r->damage.count; i++)
		names += (r->damage.kinds[i] & (1ull << MEND_dir | 1ull << MEND_attr)) != 0;
	return names > FEW_NAMES && !r->m->round.names_stay;
}

/* True if a mender has its turn without another check after stage `first` mended something. */
static bool goes_along(const struct rounds *r, enum mend_kind kind, enum mend_stage first)
{
	const bool after_names = first == STAGE_NAMES && r->m->round.names_stay;

	switch (mend_joins(kind)) {
	case JOINS_CORES: /* owners of blocks may change with the cores; a deeper check has already compared them */
		return first == STAGE_CORES && r->depth == DEPTH_BLOCKS;
	case JOINS_CLAIMS:
		return !r->m->round.names_wait &&
		       ((first == STAGE_INODES && !r->claims_wait) || (first >= STAGE_NAMES && !names_go_on(r)));
	case JOINS_NAMES:
		return after_names;
	case JOINS_LINKS:
		return first == STAGE_ORPHANS || after_names;
	default:
		return false;
	}
}

/*
 * Notes the inodes of the last mender of cores: findings about their forks may be out of date, and so may the known
 * owners of blocks.  0 or -ENOMEM.
 */
static int note_changed(const struct rounds *r, struct ino_set *changed)
{
	int ret = 0;

	for (size_t i = 0; i < r->damage.count && !ret; i++) {
		const xino_t ino = r->damage.found[i].place.ino;

		if (r->damage.kinds[i] >> r->m->kind & 1 && ino.v && ino.v != NULL_INO)
			ret = ino_set_put(changed, ino);
	}
	if (!mend_tells_claims(r->m->kind)) {
		mend_space_outdated(r->m);
		mend_facts_forget(r->m);
	}
	return ret;
}

/*
 * Adds findings about unowned blocks, for menders that search these, without waiting for another check: unowned blocks
 * are known once inodes and their maps are mended, unless more is wrong (mend_unowned.c).  0 or negative errno.
 */
static int add_unowned(struct rounds *r)
{
	bool all;
	int ret = mend_unowned_is_all_now(r->m, &all);

	return ret || !all ? ret : mend_unowned_add(r->m, &r->damage);
}

/*
 * Adds a finding for each AG that menders have taken blocks from since there were `before` runs, or where objects
 * may have given some up: its space btrees are out of date, which the next check would report.  0 or -ENOMEM.
 */
static int add_taken(struct rounds *r, size_t before)
{
	const struct mend *m = r->m;
	struct found found = { place_of(OBJ_AG), { F_AG_SPACE, 0, NO_INDEX, 0, 0 }, 1, false };
	struct group_set groups = { 0 };
	int ret = 0;

	/* the first block taken may have extended the last earlier run */
	for (size_t i = before ? before - 1 : 0; i < m->taken.count && !ret; i++)
		ret = group_set_put(&groups, agno_of_fsbno(&m->now->geo, m->taken.ranges[i].start));
	for (uint32_t i = 0; i < m->now->geo.agcount && !ret; i++) {
		found.place.agno.v = i;
		if (group_set_has(&groups, found.place.agno) || group_set_has(&m->round.given_up, found.place.agno))
			ret = damage_add(&r->damage, &found);
	}
	group_set_free(&groups);
	return ret < 0 ? ret : 0;
}

/*
 * Runs the menders of a stage; if stage `first` has mended something, only those that need no check.  changed: inodes
 * mended in this round.  0 or negative errno.
 */
static int run_stage(struct rounds *r, enum mend_stage stage, enum mend_stage first, struct ino_set *changed)
{
	struct mend *m = r->m;
	int ret = 0;

	for (m->kind = MEND_NOTHING; !ret && (m->kind = mend_next(stage, m->kind)) != MEND_NOTHING;) {
		const uint64_t so_far = m->done;

		if (first != STAGE_NR && !goes_along(r, m->kind, first))
			continue;
		if (m->kind == MEND_fork_lost && first == STAGE_CORES)
			ret = add_unowned(r);
		if (!ret)
			ret = try_kind(r, changed);
		if (!ret && stage == STAGE_CORES && m->done != so_far)
			ret = note_changed(r, changed);
	}
	if (!ret)
		ret = mend_follows_run(m);
	mend_facts_forget(m);
	return ret;
}

/*
 * True if a stage has only restored objects from the log.  done, logged: the counts before it.  The round goes on then,
 * which saves a check: findings about cores of other inodes, about inode btrees and, at DEPTH_BLOCKS, about forks, are
 * still valid.  Findings about names and claims may be consequences of what was missing.
 */
static bool only_logged(const struct mend *m, enum mend_stage stage, uint64_t done, uint64_t logged)
{
	return stage == STAGE_GEOMETRY && m->logged != logged && m->done - done == m->logged - logged;
}

/*
 * True if findings show which files should own which blocks: rebuilding AG btrees would hide those that are left after
 * forks have been mended.
 */
static bool tells_of_claims(const struct damage *damage)
{
	for (size_t i = 0; i < damage->count; i++) {
		const enum finding finding = damage->found[i].problem.finding;

		if (damage->kinds[i] >> MEND_inode_fork & 1 &&
		    (finding == F_RMAP_LACKS || finding == F_RMAP_STRAY || finding == F_REFCOUNT_COUNT ||
		     finding == F_SPACE_SHARED_OFTEN))
			return true;
	}
	return false;
}

int rounds_run_one(struct rounds *r, bool *ret_any)
{
	struct mend *m = r->m;
	enum mend_stage first = STAGE_NR; /* the first stage that mended something; STAGE_NR: none yet */
	const size_t taken = m->taken.count;
	struct ino_set changed = { 0 };
	bool from_log = false;
	int ret = 0;

	m->rounds++;
	m->round.done = m->done;
	m->round.names_stay = names_stay(&r->damage);
	if (r->depth == DEPTH_WHOLE)
		r->claims_wait = tells_of_claims(&r->damage);
	for (enum mend_stage stage = 0; stage < STAGE_NR && !ret; stage++) {
		const uint64_t so_far = m->done, logged = m->logged;
		/* restored objects are like mended cores for forks */
		const enum mend_stage begun =
			from_log && first == STAGE_NR && stage > STAGE_CORES ? STAGE_CORES : first;

		if (from_log && first == STAGE_NR && stage > (r->depth == DEPTH_BLOCKS ? STAGE_INODES : STAGE_CORES))
			break;
		/* AG btrees can be rebuilt in the round that mends the last names, or only link counts and the like */
		if (stage == STAGE_SPACE && r->depth == DEPTH_NAMES && first != STAGE_NR &&
		    (m->round.names_stay || first >= STAGE_LINKS || (r->unowned_is_all && !names_go_on(r))))
			ret = rounds_add_accounts(r);
		if (!depth_has_turn(stage, r->depth))
			continue;
		if (stage == STAGE_SPACE && !ret)
			ret = add_taken(r, taken);
		if (!ret)
			ret = run_stage(r, stage, begun, &changed);
		if (only_logged(m, stage, so_far, logged))
			from_log = true;
		else if (m->done != so_far && first == STAGE_NR)
			first = stage;
	}
	*ret_any = from_log || first != STAGE_NR;
	if (r->depth == DEPTH_WHOLE && first > STAGE_INODES)
		r->claims_wait = false;
	if (from_log || first <= STAGE_GEOMETRY)
		ino_set_free(&m->notes.gave_up);
	if (first != STAGE_NR) {
		r->names_begun |= first >= STAGE_NAMES;
		m->inodes_begun |= first > STAGE_GEOMETRY;
	}
	/* mending names changes claims only by allocating blocks, which is known */
	if (from_log || first < STAGE_NAMES)
		mend_space_forget(m);
	mend_round_end(m);
	ino_set_free(&changed);
	return ret;
}

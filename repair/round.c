/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One round of mending: which findings are handed to their menders, in which order, and where it ends. */
#include <errno.h>
#include <stdlib.h>

#include "mend/mend_facts.h"
#include "mend/mend_lost.h"
#include "mend/mend_space.h"
#include "rounds.h"

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

static bool has_surplus(const struct found *found)
{
	return found->problem.finding == F_INODE_NBLOCKS_XREF && found->problem.got < found->problem.want;
}

/*
 * Where maps that can be read have more blocks than their inode counts, it shows by who else has them which are too
 * many: that is not known as long as only blocks were asked.  Without, the count would be taken for wrong.
 */
static int leave_out_surplus(struct found *some, size_t *count)
{
	struct ino_set surplus = { 0 }, broken = { 0 };
	size_t n = 0;
	int ret = 0;

	for (size_t i = 0; i < *count && !ret; i++) {
		const enum finding finding = some[i].problem.finding;

		if (has_surplus(&some[i]))
			ret = ino_set_put(&surplus, some[i].place.ino);
		else if (finding != F_INODE_NEXTENTS_XREF && finding != F_INODE_ANEXTENTS_XREF)
			ret = ino_set_put(&broken, some[i].place.ino);
	}
	for (size_t i = 0; i < *count && !ret; i++)
		if (!ino_set_has(&surplus, some[i].place.ino) || ino_set_has(&broken, some[i].place.ino))
			some[n++] = some[i];
	*count = n;
	ino_set_free(&surplus);
	ino_set_free(&broken);
	return ret;
}

/* One way of mending, unless it was given the same before. */
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

	if (now == attempts->last[m->kind] && (*idle == 0 || *idle == damage->all))
		return 0;
	some = calloc(damage->count + 1, sizeof(*some));
	if (!some)
		return -ENOMEM;
	attempts->last[m->kind] = now;
	count = leave_out_changed(m, changed, some, damage_of_kind(damage, m->kind, some));
	if (m->kind == MEND_inode_fork && r->depth == DEPTH_BLOCKS)
		ret = leave_out_surplus(some, &count);
	if (count && !ret)
		ret = mend_run(m, some, count);
	free(some);
	*idle = m->done == done ? damage->all : 0;
	mend_shrink_note(m, done);
	return ret;
}

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
 * All that was done up to that stage is what the log still had.  What is found of other inodes' cores, and of what
 * leads to them, is as true as before, and that much of the round goes on: a check less.  What is found of names and
 * claims may have come of what was missing.
 */
static bool only_logged(const struct mend *m, enum mend_stage stage, uint64_t done, uint64_t logged)
{
	return stage == STAGE_GEOMETRY && m->logged != logged && m->done - done == m->logged - logged;
}

int rounds_run_one(struct rounds *r, bool *ret_any)
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
			ret = rounds_add_accounts(r);
		if (!depth_has_turn(stage, r->depth))
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

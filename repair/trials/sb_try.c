/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides between superblocks that contradict each other by trying them (trial.h): the one that keeps most wins, then
 * the one with the fewest faults found, then the one that the kernel would use.  The primary has been in use, whatever
 * its backups say: features and AGs are often added to it alone.
 */
#include <string.h>

#include "disk/sb.h"
#include "repair.h"
#include "report.h"
#include "report/words.h"
#include "run.h"
#include "sb/sb_choose.h"
#include "trial.h"

#define TRIES 4u /* each costs a check */

/* A candidate superblock and the result of its trial. */
struct runner {
	const struct sb_candidate *candidate;
	struct trial trial;
};

struct attempt {
	const struct sb_candidates *all;
	const struct sb_candidate *chosen;
};

static enum phase_result adopt_for_trial(void *ctx, struct repair *check)
{
	const struct attempt *attempt = ctx;
	enum phase_result result = sb_adopt(check, attempt->all, attempt->chosen);

	if (result == PHASE_DONE && sb_uuid_learn(check))
		result = PHASE_FAILED;
	return result;
}

/* True if the superblock needs exactly the devices that the user names: otherwise it can't be tried. */
static bool fits_options(const struct options *o, const struct geometry *geo)
{
	return !o->log_device == (geo->logstart.v != 0) && !o->rt_device == (geo->rblocks == 0 || geo->rtstart != 0);
}

static bool is_plausible(const struct repair *rc, const struct sb_candidate *c)
{
	return c->usable && c->alike && c->support.headers >= c->support.against &&
	       fits_options(rc->run->options, &c->geo);
}

/* True if a candidate contradicts all runners in something that matters. */
static bool is_new(const struct runner *runners, unsigned count, const struct sb_candidate *c)
{
	for (unsigned i = 0; i < count; i++)
		if (!sb_candidates_compete(runners[i].candidate, c))
			return false;
	return true;
}

static bool comes_before(const struct sb_candidate *a, const struct sb_candidate *b)
{
	const unsigned of_a = sb_candidate_faults(a), of_b = sb_candidate_faults(b);

	return of_a != of_b ? of_a < of_b : a->alike > b->alike;
}

/* Returns the one to try next: with the fewest faults, then with the most agreeing copies; NULL: none. */
static const struct sb_candidate *next(const struct repair *rc, const struct sb_candidates *all,
				       const struct runner *runners, unsigned count)
{
	const struct sb_candidate *best = NULL;

	for (size_t i = 0; i < all->count; i++) {
		const struct sb_candidate *c = &all->all[i];

		if (is_plausible(rc, c) && (!best || comes_before(c, best)) && is_new(runners, count, c))
			best = c;
	}
	return best;
}

/*
 * Returns the superblock that outvotes this one: more backups agree with it, and it differs only in fields that a trial
 * can't judge and that no backup changes after mkfs.xfs.  Without such a superblock, returns this one.
 */
static const struct sb_candidate *by_vote(const struct sb_candidates *all, const struct sb_candidate *c)
{
	const struct sb_candidate *best = c;

	for (size_t i = 0; i < all->count; i++)
		if (all->all[i].usable && all->all[i].alike > best->alike && sb_candidates_same_use(c, &all->all[i]))
			best = &all->all[i];
	return best;
}

/* Selects the primary, if the kernel would mount it and it is not outvoted, then the others.  Returns their number. */
static unsigned line_up(const struct repair *rc, const struct sb_candidates *all, struct runner *runners)
{
	const struct sb_candidate *primary = all->all, *c;
	unsigned count = 0;

	if (is_plausible(rc, primary) && !sb_candidate_faults(primary))
		runners[count++].candidate = by_vote(all, primary);
	while (count < TRIES && (c = next(rc, all, runners, count)) != NULL)
		runners[count++].candidate = c;
	return count;
}

/* True if an upgrade of the primary was interrupted, so that its additions may still be missing. */
static bool is_upgrade(const struct sb_candidates *all, const struct runner *r)
{
	const struct geometry *geo = &r->candidate->geo;

	return r->candidate == all->all && geo->crc &&
	       be32_get(((const struct sb_disk *)r->candidate->sector)->features_incompat) & SB_INCOMPAT_NEEDSREPAIR;
}

/* True if the superblock of b, which comes later, is better than that of a. */
static bool better(const struct sb_candidates *all, const struct runner *a, const struct runner *b)
{
	if (!a->trial.usable || !b->trial.usable)
		return b->trial.usable;
	if (a->trial.kept.things != b->trial.kept.things)
		return b->trial.kept.things > a->trial.kept.things;
	return !is_upgrade(all, a) && b->trial.kept.wrong < a->trial.kept.wrong;
}

static void tell_best(const struct repair *rc, const struct runner *runners, unsigned tried, const struct runner *best)
{
	static const char *const numbers[] = { "", "One superblock was", "Two superblocks were",
					       "Three superblocks were", "Four superblocks were" };
	struct words note = { 0 };

	words_add(&note, "%s tried, since they contradict each other: by", numbers[tried]);
	for (unsigned i = 0; i < tried; i++) {
		const struct sb_candidate *c = runners[i].candidate;

		words_add(&note, "%s that of AG %u ", i ? ", by" : "", (unsigned)(c->position / bytes_of_ag(&c->geo)));
		words_add_number(&note, runners[i].trial.kept.things);
		words_add(&note, "%s", i ? "" : " names, inodes and blocks of files are sound");
	}
	words_add(&note, ". That of AG %u is used.",
		  (unsigned)(best->candidate->position / bytes_of_ag(&best->candidate->geo)));
	report_note(rc->report, note.text);
}

/* Tries them in turn, until one has no faults.  Returns 0 or a negative errno. */
static int try_all(struct repair *rc, const struct sb_candidates *all, struct runner *runners, unsigned count,
		   const struct runner **ret_best, unsigned *ret_tried)
{
	const struct runner *best = &runners[0];
	unsigned tried = 0;

	while (tried < count && (!tried || best->trial.kept.wrong || !best->trial.usable)) {
		struct runner *r = &runners[tried];
		struct attempt attempt = { all, r->candidate };
		int ret;

		r->trial.adopt = adopt_for_trial;
		r->trial.ctx = &attempt;
		ret = trial_run(rc, &r->trial);
		if (ret)
			return ret;
		if (tried++ && better(all, best, r))
			best = r;
	}
	*ret_best = best;
	*ret_tried = tried;
	return 0;
}

static const struct sb_candidate *at_position(const struct sb_candidates *all, uint64_t position)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->all[i].position == position && all->all[i].usable)
			return &all->all[i];
	return NULL;
}

/* Returns the earlier decision; NULL: there was none, or the primary has been mended since. */
static const struct sb_candidate *decided_before(const struct repair *rc, const struct sb_candidates *all)
{
	const struct sb_tried *tried = &rc->run->sb_tried;

	if (!tried->any || memcmp(tried->primary, all->all[0].sector, sizeof(tried->primary)) != 0)
		return NULL;
	return at_position(all, tried->position);
}

int sb_try(struct repair *rc, const struct sb_candidates *all, const struct sb_candidate **chosen)
{
	struct runner runners[TRIES] = { 0 };
	const struct sb_candidate *before = decided_before(rc, all);
	const struct runner *best = &runners[0];
	unsigned count = line_up(rc, all, runners), tried = 0;
	int ret;

	if (before)
		*chosen = before;
	if (before || !count)
		return 0;
	if (count > 1 && !rc->run->shrunk) {
		ret = try_all(rc, all, runners, count, &best, &tried);
		if (ret)
			return ret;
	}
	*chosen = best->candidate;
	if (tried > 1)
		tell_best(rc, runners, tried, best);
	if (tried) {
		rc->run->sb_tried.any = true;
		rc->run->sb_tried.position = best->candidate->position;
		memcpy(rc->run->sb_tried.primary, all->all[0].sector, sizeof(rc->run->sb_tried.primary));
	}
	return 0;
}

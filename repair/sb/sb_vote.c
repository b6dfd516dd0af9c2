/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first choice among several superblocks: it decides whether to look for more, and is final if none can be tried
 * (sb_try.c).  Those that describe the same file system are counted together.  AG headers count more than any number of
 * superblocks, because they are written at other times: a file system that has just grown has old backups and a new
 * primary, but its new AGs have headers already.
 */
#include "sb_candidates.h"

#include "libxfs/ag.h"

/* Counts any difference, except in the log's feature bits, which change all the time, and only in the primary. */
static void differs(void *ctx, const struct problem *problem)
{
	bool *alike = ctx;

	if (problem->finding != F_SB2_FEATURES_LOG_INCOMPAT)
		*alike = false;
}

bool sb_candidates_alike(const struct sb_candidate *a, const struct sb_candidate *b)
{
	bool alike = true;
	const struct check check = { NULL, differs, &alike };

	sb_compare(&check, a->sector, b->sector);
	return alike;
}

/* Ignores differences in fields that don't affect how the device is read or judged. */
static void competes(void *ctx, const struct problem *problem)
{
	bool *compete = ctx;

	switch (problem->finding) {
	case F_SB2_FNAME:
	case F_SB2_IMAX_PCT:
	case F_SB2_FLAGS:
	case F_SB2_SHARED_VN:
	case F_SB2_BAD_FEATURES2:
	case F_SB2_FEATURES_COMPAT:
	case F_SB2_FEATURES_LOG_INCOMPAT:
	case F_SB_PAD:
		break;
	default:
		*compete = true;
		break;
	}
}

bool sb_candidates_compete(const struct sb_candidate *a, const struct sb_candidate *b)
{
	bool compete = false;
	const struct check check = { NULL, competes, &compete };

	sb_compare(&check, a->sector, b->sector);
	return compete;
}

/* Counts any difference, except in fields that nothing on the device depends on, and that only mkfs.xfs writes. */
static void used_otherwise(void *ctx, const struct problem *problem)
{
	bool *same = ctx;

	*same &= problem->finding == F_SB2_RTRESERVED;
}

bool sb_candidates_same_use(const struct sb_candidate *a, const struct sb_candidate *b)
{
	bool same = true;
	const struct check check = { NULL, used_otherwise, &same };

	sb_compare(&check, a->sector, b->sector);
	return same;
}

/* Returns how many usable candidates agree with this one; 0 if an earlier one in the list does. */
static unsigned count_alike(const struct sb_candidates *list, size_t which)
{
	unsigned alike = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (!list->all[i].usable || !sb_candidates_alike(&list->all[which], &list->all[i]))
			continue;
		if (i < which)
			return 0;
		alike++;
	}
	return alike;
}

static bool better(const struct sb_candidate *a, const struct sb_candidate *b)
{
	int64_t for_a = (int64_t)a->support.headers - a->support.against;
	int64_t for_b = (int64_t)b->support.headers - b->support.against;

	if (for_a != for_b)
		return for_a > for_b;
	return a->alike != b->alike ? a->alike > b->alike : sb_candidate_faults(a) < sb_candidate_faults(b);
}

const struct sb_candidate *sb_vote(struct sb_candidates *list, void (*weigh)(void *ctx, struct sb_candidate *candidate),
				   void *ctx)
{
	struct sb_candidate *best = NULL;

	for (size_t i = 0; i < list->count; i++) {
		struct sb_candidate *candidate = &list->all[i];

		if (!candidate->usable)
			continue;
		candidate->alike = count_alike(list, i);
		if (candidate->alike == 0)
			continue;
		weigh(ctx, candidate);
		if (!best || better(candidate, best))
			best = candidate;
	}
	return best;
}

bool sb_confirmed(const struct sb_candidate *candidate)
{
	const struct sb_support *s = &candidate->support;

	return candidate->alike > 1 || s->headers + s->log + s->root > s->against;
}

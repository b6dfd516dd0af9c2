/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs menders: each on its findings, then on those that menders have added (mend.c). */
#include <errno.h>
#include <stdlib.h>

#include "mend/base/fix_plan.h"
#include "mend/base/mend_table.h"
#include "mend/base/menders.h"
#include "mend/blocks/mend_space.h"
#include "mend/collect/mend_facts.h"
#include "mend_run.h"
#include "repair.h"
#include "report.h"
#include "report/words.h"
#include "run.h"

#define FOLLOWS_MAX 4u /* how often menders of added findings may add findings themselves */

static void look_at_mender(const void *ctx, struct report_work_state *state)
{
	const struct mend_ahead *ahead = ctx;

	state->done = __atomic_load_n(&ahead->settled, __ATOMIC_RELAXED);
	state->number = __atomic_load_n(&ahead->ino, __ATOMIC_RELAXED);
	state->object = state->number ? "inode" : NULL;
}

/* Shows the mender at work and the number of its findings in the progress. */
static void tell_step(const struct mend *m, size_t count)
{
	struct words step = { 0 };

	words_add(&step, "round %u, %s", m->rounds, mend_stage_words(mend_stage(m->kind)));
	report_step(
		m->rc->report, step.text,
		&(struct report_work){ .look = look_at_mender, .ctx = &m->ahead, .total = count, .unit = "findings" });
}

/* Removes findings that the user does not want to have mended. 0 or -ENOMEM. */
static int leave_out_unplanned(struct mend *m, struct found *found, size_t *count)
{
	const struct fix_plan *plan = m->rc->run->plan;
	size_t n = 0;
	int ret = 0;

	if (!plan || m->quiet)
		return 0;
	for (size_t i = 0; i < *count && !ret; i++) {
		if (fix_plan_forbids(plan, &m->now->geo, m->kind, &found[i]))
			ret = mend_left(m, &found[i], 1, -ECANCELED);
		else
			found[n++] = found[i];
	}
	*count = n;
	return ret;
}

int mend_run(struct mend *m, struct found *found, size_t count)
{
	static mender *const menders[MEND_NR] = {
#define x(name, stage, rank, joins, wants, space, sure, text) [MEND_##name] = mend_##name,
		MEND_TABLE(x)
#undef x
	};
	const enum mend_stage stage = mend_stage(m->kind);
	const struct mend_trace before = mend_trace_begin(m);
	const uint64_t done = m->done;
	int ret = leave_out_unplanned(m, found, &count);

	if (ret || !count)
		return ret;
	qsort(found, count, sizeof(*found), mend_found_order);
	m->ahead = (struct mend_ahead){ .found = found, .count = count };
	m->dates_before.on = m->kind != MEND_exchanged;
	tell_step(m, count);
	ret = menders[m->kind](m, found, count);
	report_step(m->rc->report, "", NULL);
	mend_trace_mender(m, count, &before, ret);
	m->ahead = (struct mend_ahead){ 0 };
	free(m->dates_before.dates);
	m->dates_before = (struct mend_dates_before){ 0 };
	device_ahead(m->rc->run->device, NULL, 0);
	memory_trim();
	/* free blocks may now belong to restored inodes or new btrees */
	if ((stage <= STAGE_TREES && m->done != done && !mend_tells_claims(m->kind)) || stage == STAGE_SPACE)
		mend_space_outdated(m);
	/* a map that is restored may claim blocks that the bnobt lists as free, and only an rmapbt shows that */
	m->round.claims_unknown |= stage == STAGE_INODES && m->done != done && !m->now->geo.rmapbt;
	return ret;
}

static void following_free(struct mend_following *f)
{
	for (size_t i = 0; i < f->count; i++)
		found_drop(&f->found[i]);
	free(f->found);
	*f = (struct mend_following){ 0 };
}

/* Has a mender settle the findings that were added for it; those that it adds for itself come next time. */
static int run_following(struct mend *m, enum mend_kind kind)
{
	struct mend_following f = m->follows[kind];
	int ret = 0;

	m->follows[kind] = (struct mend_following){ 0 };
	m->kind = kind;
	if (f.count)
		ret = mend_run(m, f.found, f.count);
	following_free(&f);
	return ret;
}

static bool any_left(const struct mend *m)
{
	for (enum mend_kind kind = MEND_NOTHING + 1; kind < MEND_NR; kind++)
		if (m->follows[kind].count)
			return true;
	return false;
}

int mend_follows_run(struct mend *m)
{
	const enum mend_kind kind_before = m->kind;
	int ret = 0;

	for (unsigned i = 0; i < FOLLOWS_MAX && any_left(m) && !ret; i++)
		for (enum mend_stage stage = 0; stage < STAGE_NR; stage++)
			for (enum mend_kind kind = 0; !ret && (kind = mend_next(stage, kind)) != MEND_NOTHING;)
				ret = run_following(m, kind);
	for (enum mend_kind kind = MEND_NOTHING + 1; kind < MEND_NR; kind++)
		following_free(&m->follows[kind]);
	m->kind = kind_before;
	return ret;
}

void mend_round_end(struct mend *m)
{
	struct mend_round *r = &m->round;

	ino_set_free(&r->blocks_reported);
	ino_set_free(&r->settled);
	ino_set_free(&r->reattached);
	ino_set_free(&r->given);
	ino_set_free(&r->usage);
	ino_set_free(&r->named);
	ino_set_free(&r->led);
	ino_set_free(&r->gone);
	group_set_free(&r->given_up);
	number_set_free(&r->repeats);
	free(r->extra_links.of);
	*r = (struct mend_round){ 0 };
}

void mend_end(struct mend *m)
{
	struct mend_notes *n = &m->notes;

	mend_space_forget(m);
	mend_strays_free(m);
	for (size_t i = 0; i < m->nfinished; i++)
		free(m->finished[i].bytes);
	free(m->finished);
	drops_free(&m->drops);
	mend_repeats_free(&m->repeats);
	free(m->taken.ranges);
	free(m->rt_taken.ranges);
	ino_set_free(&n->map_mended);
	ino_set_free(&n->parent_unknown);
	ino_set_free(&n->rebuilt);
	ino_set_free(&n->stray_dirs);
	ino_set_free(&n->freed);
	ino_set_free(&n->gave_up);
	ino_set_free(&n->stale);
	ino_set_free(&n->odd_links);
	ino_set_free(&n->asked.inodes);
	ino_set_free(&n->asked.names);
	sector_set_free(&n->asked.blocks);
	group_set_free(&n->asked.groups);
	group_set_free(&n->old_groups);
	group_set_free(&n->doubted_groups);
	fsblock_set_free(&n->two_owners);
	sector_set_free(&n->names_known);
	sector_set_free(&n->names_noted);
	number_set_free(&n->names_unsure);
	number_set_free(&n->damaged_dates);
	free(n->wrong);
	mend_left_free(m);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mending: round after round, until a check finds nothing, or nothing more can be mended (mend.h). */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "findings.h"
#include "mend_space.h"

#define ROUNDS_MAX 32u
#define LEFT_SHOWN                                                                                                     \
	100u /* findings that could not be mended; there are no more of one kind than the first check told of */

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

/* The same, finding by finding: what was done has changed nothing. */
static bool same_damage(const struct damage *a, const struct damage *b)
{
	for (size_t i = 0; i < a->count && i < b->count; i++)
		if (found_compare(&a->found[i], &b->found[i]))
			return false;
	return a->count == b->count;
}

/* Hand what leads to one way of mending to its mender. */
static int run_mender(struct mend *m, mender *run, const struct damage *damage, struct found *some)
{
	size_t count = 0;

	for (size_t i = 0; i < damage->count; i++)
		if (mend_of(&damage->found[i]) == m->kind)
			some[count++] = damage->found[i];
	return count ? run(m, some, count) : 0;
}

/* The earliest stage from *stage on, which is set to it, in which anything can be mended. */
static int run_round(struct mend *m, const struct damage *damage, enum mend_stage *stage)
{
	static mender *const menders[MEND_NR] = {
#define x(name, stage, text) [MEND_##name] = mend_##name,
		MEND_TABLE(x)
#undef x
	};
	struct found *some = calloc(damage->count, sizeof(*some));
	uint64_t before = m->done;
	int ret = some ? 0 : -ENOMEM;

	for (; *stage < STAGE_NR && !ret; ++*stage) {
		for (m->kind = MEND_NOTHING + 1; m->kind < MEND_NR && !ret; m->kind++)
			if (mend_stage(m->kind) == *stage)
				ret = run_mender(m, menders[m->kind], damage, some);
		if (m->done != before)
			break;
	}
	mend_space_forget(m);
	free(some);
	return ret;
}

/* Check again; *damage and *again are of that check then. *ret_same: it found what the last one had found. */
static int check_mended(struct mend *m, struct damage *damage, struct repair **again, bool *ret_same)
{
	struct repair *next = NULL;
	struct damage found = { 0 };
	int ret = check_again(m->rc, &next);

	if (!ret)
		ret = collect(next->findings, &found);
	*ret_same = !ret && same_damage(damage, &found);
	free(damage->found);
	*damage = found;
	check_again_free(*again);
	m->now = *again = next;
	return ret;
}

/*
 * What a crash left comes first, if that is all there is; where anything is damaged, it waits until that is mended.
 */
static int finish_crash(struct mend *m, struct damage *damage, struct repair **again)
{
	bool changed, same;
	int ret = mend_crash(m, damage->found, damage->count, &changed);

	return ret || !changed ? ret : check_mended(m, damage, again, &same);
}

static int run_rounds(struct mend *m, struct damage *damage, struct repair **again)
{
	enum mend_stage stage = 0;
	int ret = 0;

	for (unsigned round = 0; !ret && damage->count && round < ROUNDS_MAX; round++) {
		bool same = false;

		ret = run_round(m, damage, &stage);
		if (ret || stage == STAGE_NR)
			break;
		ret = check_mended(m, damage, again, &same);
		/* what does not help is not tried again and again */
		stage = same ? stage + 1 : 0;
	}
	return ret;
}

enum phase_result phase_mend(struct repair *rc)
{
	struct mend m = { .rc = rc, .now = rc };
	struct repair *again = NULL;
	struct damage damage = { 0 };
	bool waits;
	int ret = collect(rc->findings, &damage);

	waits = damage.count > 0;
	if (!ret)
		ret = finish_crash(&m, &damage, &again);
	if (!ret)
		ret = run_rounds(&m, &damage, &again);
	if (!ret && waits && !damage.count)
		ret = finish_crash(&m, &damage, &again);
	if (!ret && waits)
		ret = run_rounds(&m, &damage, &again);
	mend_crash_end(&m, !ret && !damage.count);
	rc->mended = (struct mended){ m.done, damage.count };
	if (!ret && m.done)
		report_mended(rc->report, m.done, damage.count);
	for (size_t i = 0; i < damage.count && i < LEFT_SHOWN && !ret && m.done; i++)
		report_left(rc->report, &damage.found[i], rc->paths);
	free(damage.found);
	check_again_free(again);
	return ret ? failed(rc, "mending", ret) : PHASE_DONE;
}

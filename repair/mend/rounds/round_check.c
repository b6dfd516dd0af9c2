/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks after a round of mending, only as deep as needed to know what can be mended next. */
#include <errno.h>
#include <stdlib.h>

#include "check/books/books.h"
#include "cache.h"
#include "check_again.h"
#include "check/locate/locate.h"
#include "mend/base/mend_table.h"
#include "mend/blocks/mend_space.h"
#include "mend/collect/mend_evidence.h"
#include "mend/collect/mend_survey.h"
#include "mend/plan/mend_run.h"
#include "repair.h"
#include "report/trace.h"
#include "report.h"
#include "report/words.h"
#include "rounds.h"
#include "run.h"

/* Prints the depth of the last check to the trace. */
static void trace_check(const struct rounds *r, uint64_t start)
{
	static const char *const depths[DEPTH_NR] = { "blocks", "names", "accounts", "whole" };

	mend_trace_check(r->m, &r->damage, depths[r->depth], start);
}

bool depth_has_turn(enum mend_stage stage, enum depth depth)
{
	enum { NONE, BLOCKS = 1 << DEPTH_BLOCKS, NAMES = 1 << DEPTH_NAMES, ACCOUNTS = 1 << DEPTH_ACCOUNTS };
	static const uint8_t depths_of[STAGE_NR] = {
#define x(name, words, depths) [STAGE_##name] = (depths),
		MEND_STAGES(x)
#undef x
	};

	return depth == DEPTH_WHOLE || depths_of[stage] >> depth & 1;
}

int rounds_add_accounts(struct rounds *r)
{
	struct found found;
	int ret = 0;

	for (uint32_t g = 0; g < group_count(&r->m->now->geo) && !ret; g++)
		if (accounts_say_space(r->m->now, (group_t){ g }, &found))
			ret = damage_add(&r->damage, &found);
	r->depth = DEPTH_ACCOUNTS;
	return ret;
}

/* True if a mender with a turn at this depth has findings that it did not get before: this is deep enough. */
static bool says_enough(const struct rounds *r)
{
	for (enum mend_kind kind = MEND_NOTHING + 1; kind < MEND_NR; kind++) {
		uint64_t now;

		if (!depth_has_turn(mend_stage(kind), r->depth))
			continue;
		now = r->damage.prints[kind];
		if (now && now != r->attempts[r->depth].last[kind])
			return true;
	}
	return false;
}

/* Collects the findings of the last check so far, with unowned blocks if they are known. 0 or -ENOMEM. */
static int collect_again(struct rounds *r)
{
	int ret = damage_collect(&r->damage, r->again->findings);

	return ret || !r->unowned_is_all ? ret : mend_unowned_add(r->m, &r->damage);
}

static int look_further(struct rounds *r)
{
	unsigned accounts = LOCATE_GROUPS;
	int ret;

	if (r->depth == DEPTH_NAMES)
		return rounds_add_accounts(r);
	r->unowned_is_all &= r->depth == DEPTH_BLOCKS && r->m->survey;
	if (r->depth == DEPTH_BLOCKS)
		accounts = r->names_begun || r->unowned_is_all ? LOCATE_INODES : LOCATE_GROUPS | LOCATE_INODES;
	ret = check_again_exactly(r->again, accounts);
	r->groups_located = accounts & LOCATE_GROUPS;
	r->depth = accounts & LOCATE_GROUPS ? DEPTH_WHOLE : DEPTH_NAMES;
	return ret ? ret : collect_again(r);
}

int rounds_look_further(struct rounds *r)
{
	const uint64_t start = trace_now(r->m->rc->run->trace);
	int ret = look_further(r);

	if (!ret)
		trace_check(r, start);
	return ret;
}

int rounds_look_at_everything(struct rounds *r)
{
	int ret = 0;

	while (r->depth != DEPTH_WHOLE && !ret)
		ret = rounds_look_further(r);
	return ret;
}

/*
 * Sets what was in doubt in the last check, for the caller to free, as far as the next one will probably go: inodes if
 * the last one went beyond DEPTH_BLOCKS, and groups if it had to locate them and no names were mended.  0 or -ENOMEM.
 */
static int doubts_before(const struct rounds *r, struct locate_before *ret)
{
	*ret = (struct locate_before){ .inodes = r->again && r->depth != DEPTH_BLOCKS ? r->again->doubts : NULL };
	if (!ret->inodes)
		return 0;
	r->again->doubts = NULL;
	if (!r->groups_located || r->names_begun)
		return 0;
	ret->groups = calloc(group_count(&r->again->geo), sizeof(*ret->groups));
	for (uint32_t g = 0; ret->groups && g < group_count(&r->again->geo); g++)
		ret->groups[g] = accounts_any_unbalanced(r->again, (group_t){ g })
					 ? mend_free_tree(r->again, (group_t){ g })
					 : BT_NR;
	return ret->groups ? 0 : -ENOMEM;
}

int rounds_check(struct rounds *r)
{
	const uint64_t start = trace_now(r->m->rc->run->trace);
	struct locate_before before;
	struct words step = { 0 };
	struct mend_survey *survey;
	struct repair *next;
	bool whole;
	int ret = doubts_before(r, &before);

	/* free the last check first: there is memory for only one */
	r->m->now = r->m->rc;
	check_again_free(r->again);
	r->again = NULL;
	r->by_books = false;
	memory_trim();
	if (r->books.files_known) /* the account will read little, so this check may be the last traversal */
		device_keep(r->m->rc->run->device, 0);
	else
		memory_keep_blocks(r->m->rc);
	mend_space_forget_survey(r->m);
	words_add(&step, "check after round %u", r->m->rounds);
	report_step(r->m->rc->report, step.text, NULL);
	if (!ret)
		ret = check_again(r->m->rc, &before, &next, &whole, &survey);
	locate_before_free(&before);
	if (ret)
		return ret;
	r->m->now = r->again = next;
	if (survey) { /* it knows more about free blocks than what was found before */
		mend_space_forget(r->m);
		r->m->survey = survey;
	}
	r->depth = whole ? DEPTH_WHOLE : DEPTH_BLOCKS;
	r->groups_located = false;
	r->unowned_is_all = !whole && !r->names_begun && !r->claims_wait && mend_unowned_is_all(r->m);
	ret = collect_again(r);
	r->m->checks++;
	if (!ret)
		trace_check(r, start);
	while (!ret && r->depth != DEPTH_WHOLE && !says_enough(r))
		ret = rounds_look_further(r);
	return ret;
}

int rounds_check_anew(struct rounds *r)
{
	mend_space_forget(r->m);
	open_books_close(&r->books);
	r->names_begun = false;
	return rounds_check(r);
}

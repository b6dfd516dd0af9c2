/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides whether there is room for evidence during a check, and afterwards whether the evidence is complete. */
#include "locate_early.h"

#include <errno.h>
#include <stdlib.h>

#include "check/books/books.h"
#include "locate.h"
#include "options.h"
#include "repair.h"
#include "run.h"

#define INODE_BYTES 512u /* of evidence, for an inode with its name, its parent pointer and an extent or two */
#define SHARE	    4u /* between rounds: one part in so many of the memory for records; the rest is needed elsewhere */

void locate_before_free(struct locate_before *before)
{
	doubts_free(before->inodes);
	free(before->groups);
	*before = (struct locate_before){ 0 };
}

/* trees: as in struct locate_before; NULL: all groups */
static void want_groups(const struct repair *rc, struct evidence *evidence, const enum btree_kind *trees)
{
	for (uint32_t g = 0; g < group_count(&rc->geo); g++) {
		if (trees && trees[g] == BT_NR)
			continue;
		evidence_want_blocks(evidence, (group_t){ g }, 0, group_length(&rc->geo, (group_t){ g }));
		evidence_free_tree(evidence, (group_t){ g }, trees ? trees[g] : BT_BNO);
	}
}

/* Evidence is not part of a checkpoint: with one, it is collected after the sweep. */
int locate_early_begin(struct repair *rc, struct sink *sink)
{
	struct locate_early *early = &rc->early;
	const struct sink ledger = *sink;
	size_t limit = rc->run->memory.records;
	struct sink evidence;

	if (early->before.inodes)
		limit /= SHARE;
	else if (!rc->run->options->exact || early->over || rc->checkpoint || rc->geo.icount > limit / INODE_BYTES)
		return 0;
	early->evidence = evidence_new(&rc->geo, rc->workers, &rc->run->key, limit);
	if (!early->evidence)
		return -ENOMEM;
	if (early->before.inodes)
		evidence_only_doubts(early->evidence, early->before.inodes);
	if (!early->before.inodes || early->before.groups)
		want_groups(rc, early->evidence, early->before.groups);
	for (unsigned b = 0; b < LEDGER_BUCKETS; b++)
		evidence_want_inodes(early->evidence, b, 0, 1);
	evidence = evidence_sink(early->evidence);
	*sink = sink_both(&early->both, &ledger, &evidence);
	return 0;
}

/* True if all inodes in doubt now were in doubt before, so that facts about them were collected. */
static bool has_doubtful_inodes(const struct repair *rc)
{
	return rc->doubts && doubts_within(rc->doubts, rc->early.before.inodes);
}

/* True if facts were collected about all groups in doubt, and about free space from the best btree of each. */
static bool has_doubtful_groups(const struct locate *l, bool all)
{
	const enum btree_kind *before = l->rc->early.before.groups;
	bool has = all || before;

	for (uint32_t g = 0; g < group_count(&l->rc->geo) && has; g++)
		if (all || accounts_any_unbalanced(l->rc, (group_t){ g }))
			has = locate_free_tree(l, (group_t){ g }) == (all ? BT_BNO : before[g]);
	return has;
}

/* True if the evidence is complete: everything fitted. */
static bool is_complete(const struct locate *l, const struct evidence *evidence, bool groups, bool all_inodes)
{
	if (evidence_full(evidence))
		return false;
	if (!l->rc->early.before.inodes)
		return has_doubtful_groups(l, true);
	return !all_inodes && has_doubtful_inodes(l->rc) && (!groups || has_doubtful_groups(l, false));
}

struct evidence *locate_early_take(const struct locate *l, bool groups, bool all_inodes)
{
	struct locate_early *early = &l->rc->early;
	struct evidence *evidence = early->evidence;

	if (!evidence || !is_complete(l, evidence, groups, all_inodes)) {
		locate_early_free(l->rc);
		return NULL;
	}
	early->evidence = NULL;
	return evidence;
}

void locate_early_free(struct repair *rc)
{
	evidence_free(rc->early.evidence);
	locate_before_free(&rc->early.before);
	rc->early.evidence = NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evidence that comes with a check: whether there is room for it, and whether it says all that is wanted. */
#include "locate_early.h"

#include <errno.h>

#include "locate.h"

#define INODE_BYTES 512u /* of evidence, for an inode with its name, its attributes' parent and an extent or two */
#define SHARE	    4u	 /* of the memory for records, which a check between rounds needs as well */

static void want_groups(const struct repair *rc, struct evidence *evidence)
{
	for (uint32_t g = 0; g < group_count(&rc->geo); g++) {
		evidence_want_blocks(evidence, (group_t){ g }, 0, group_length(&rc->geo, (group_t){ g }));
		evidence_free_tree(evidence, (group_t){ g }, BT_BNO);
	}
}

/* Room for all there is to say, by what the superblock says. */
static bool all_fits(const struct repair *rc)
{
	return rc->geo.icount <= rc->memory.records / INODE_BYTES;
}

/* *ledger and what will be wanted of the evidence, *both from now on. 0 or -ENOMEM. */
static int collect_beside(struct repair *rc, size_t limit, const struct sink *ledger, struct sink *ret_both)
{
	struct locate_early *early = &rc->early;
	struct sink evidence;

	early->evidence = evidence_new(&rc->geo, rc->workers, &rc->key, limit);
	if (!early->evidence)
		return -ENOMEM;
	if (early->before)
		evidence_only_doubts(early->evidence, early->before);
	else
		want_groups(rc, early->evidence);
	for (unsigned b = 0; b < LEDGER_BUCKETS; b++)
		evidence_want_inodes(early->evidence, b, 0, 1);
	evidence = evidence_sink(early->evidence);
	*ret_both = sink_both(&early->both, ledger, &evidence);
	return 0;
}

int locate_early_begin(struct repair *rc, struct sink *sink)
{
	const struct sink ledger = *sink;

	if (rc->early.before)
		return collect_beside(rc, rc->memory.records / SHARE, &ledger, sink);
	if (!rc->options->exact || rc->early.over || !all_fits(rc))
		return 0;
	return collect_beside(rc, rc->memory.records, &ledger, sink);
}

/* What the headers said has been posted already: once more, to the evidence alone. */
static int headers_again(const struct repair *rc)
{
	const struct sweep_options options = sweep_options_of(rc);
	const struct scope scope = { .claims = true };
	const struct sink sink = evidence_sink(rc->early.evidence);
	struct traverse *t = NULL;
	int ret = traverse_new(&rc->geo, rc->device, rc->primary, &scope, &sink, NULL, &options, &t);

	if (!ret)
		ret = traverse_groups(t);
	traverse_free(t);
	return ret;
}

int locate_early_join(struct repair *rc)
{
	const struct sink ledger = ledger_sink(rc->ledger);
	struct sink both;
	int ret;

	if (rc->early.evidence || rc->early.over || !rc->traverse->incomplete || !all_fits(rc))
		return 0;
	ret = collect_beside(rc, rc->memory.records, &ledger, &both);
	if (ret)
		return ret;
	rc->traverse->sink = intents_sink(&rc->intents_filter, rc->intents, &both);
	return headers_again(rc);
}

/* Nobody is in doubt who was not. */
static bool says_all_of_inodes(const struct repair *rc)
{
	return rc->doubts && doubts_within(rc->doubts, rc->early.before);
}

/* It all fit in, and of every group the tree that was to say what is free is the one that says it best. */
static bool says_all(const struct locate *l, const struct evidence *evidence, bool groups, bool all_inodes)
{
	if (evidence_full(evidence))
		return false;
	if (l->rc->early.before)
		return !groups && !all_inodes && says_all_of_inodes(l->rc);
	for (uint32_t g = 0; g < group_count(&l->rc->geo); g++)
		if (locate_free_tree(l, (group_t){ g }) != BT_BNO)
			return false;
	return true;
}

struct evidence *locate_early_take(const struct locate *l, bool groups, bool all_inodes)
{
	struct locate_early *early = &l->rc->early;
	struct evidence *evidence = early->evidence;

	if (!evidence || !says_all(l, evidence, groups, all_inodes)) {
		locate_early_free(l->rc);
		return NULL;
	}
	early->evidence = NULL;
	return evidence;
}

void locate_early_free(struct repair *rc)
{
	evidence_free(rc->early.evidence);
	doubts_free(rc->early.before);
	rc->early.evidence = NULL;
	rc->early.before = NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evidence from the first check on (--exact): whether there is room for it, and whether it says all that is wanted. */
#include "locate_early.h"

#include <errno.h>

#include "locate.h"

#define INODE_BYTES 512u /* of evidence, for an inode with its name, its attributes' parent and an extent or two */

int locate_early_begin(struct repair *rc, struct sink *sink)
{
	struct locate_early *early = &rc->early;
	const struct sink ledger = *sink;
	struct sink evidence;

	if (!rc->options->exact || early->over || rc->geo.icount > rc->memory.records / INODE_BYTES)
		return 0;
	early->evidence = evidence_new(&rc->geo, rc->workers, &rc->key, rc->memory.records);
	if (!early->evidence)
		return -ENOMEM;
	for (uint32_t g = 0; g < group_count(&rc->geo); g++) {
		evidence_want_blocks(early->evidence, (group_t){ g }, 0, group_length(&rc->geo, (group_t){ g }));
		evidence_free_tree(early->evidence, (group_t){ g }, BT_BNO);
	}
	for (unsigned b = 0; b < LEDGER_BUCKETS; b++)
		evidence_want_inodes(early->evidence, b, 0, 1);
	evidence = evidence_sink(early->evidence);
	*sink = sink_both(&early->both, &ledger, &evidence);
	return 0;
}

/* It all fit in, and of every group the tree that was to say what is free is the one that says it best. */
static bool says_all(const struct locate *l, const struct evidence *evidence)
{
	if (evidence_full(evidence))
		return false;
	for (uint32_t g = 0; g < group_count(&l->rc->geo); g++)
		if (locate_free_tree(l, (group_t){ g }) != BT_BNO)
			return false;
	return true;
}

struct evidence *locate_early_take(const struct locate *l)
{
	struct locate_early *early = &l->rc->early;
	struct evidence *evidence = early->evidence;

	if (!evidence || !says_all(l, evidence)) {
		locate_early_free(l->rc);
		return NULL;
	}
	early->evidence = NULL;
	return evidence;
}

void locate_early_free(struct repair *rc)
{
	evidence_free(rc->early.evidence);
	rc->early.evidence = NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inodes that look like free ones, while the inobt has them in use and names lead to them: these are two witnesses, and
 * a block that was not written looks like that (ondisk 12, I5).  They are made anew before the inobt goes by what they
 * say; whom nobody names is left to that.
 */
#include <stdlib.h>

#include "mend/mend_facts.h"

static int mend_one(struct mend *m, const struct mend_facts *facts, const struct found *found)
{
	size_t entries, children;

	mend_facts_of(facts, found->place.ino, FACT_ENTRY, &entries);
	mend_facts_of(facts, found->place.ino, FACT_CHILD, &children);
	return entries || children ? mend_inode_lost(m, facts, found, false) : 0;
}

int mend_inode_named(struct mend *m, const struct found *found, size_t count)
{
	struct mend_facts facts = { 0 };
	xino_t *inos;
	size_t ninos;
	int ret = mend_facts_inodes(found, count, &inos, &ninos);

	if (!ret && ninos)
		ret = mend_facts_collect_again(m, inos, ninos, &facts);
	for (size_t i = 0; i < count && ninos && !ret; i++)
		ret = mend_one(m, &facts, &found[i]);
	mend_facts_free(&facts);
	free(inos);
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles inodes that the superblock names as quota files, although directory entries show that they are ordinary
 * files.  The superblock gets the right file if one is found, else none.  This comes first, so that other menders don't
 * treat the inode as a quota file.
 */

#include "mend/collect/mend_facts.h"
#include "mend_quota.h"
#include "repair.h"
#include "sets/ordered.h"
#include "mend/base/menders.h"

/* Drops files without recognizable records, if entries or parent pointers show that they are something else. */
static int drop_known(struct mend *m, struct quota_roots *roots)
{
	struct mend_facts facts;
	xino_t inos[QUOTA_TYPES];
	size_t n = 0;
	int ret;

	for (unsigned type = 0; type < QUOTA_TYPES; type++)
		if (ino_valid(&m->now->geo, roots->ino[type]) && !roots->types[type])
			inos[n++] = roots->ino[type];
	if (!n)
		return 0;
	ordered_sort(inos, n, MEMBERS(ELEMENT(inos)));
	ret = mend_facts_collect(m, inos, n, FACTS_NAMES, &facts);
	for (unsigned type = 0; type < QUOTA_TYPES && !ret; type++) {
		size_t entries, children;

		if (roots->types[type])
			continue;
		mend_facts_of(&facts, roots->ino[type], FACT_ENTRY, &entries);
		mend_facts_of(&facts, roots->ino[type], FACT_CHILD, &children);
		if (entries || children)
			quota_roots_drop(roots, type);
	}
	mend_facts_free(&facts);
	return ret;
}

bool mend_quota_named_wants(const struct found *found)
{
	const enum finding finding = found->problem.finding;

	return mend_is_quota_file(found) || finding == F_INODE_SB_TYPE || finding == F_INODE_ROOTED_DANGLING ||
	       finding == F_INODE_NLINK_COUNT || finding == F_INODE_ORPHAN;
}

int mend_quota_named(struct mend *m, const struct found *found, size_t count)
{
	struct quota_roots roots;
	int ret;

	if (m->now->geo.metadir)
		return 0;
	ret = quota_roots_load(m, &roots);
	for (unsigned type = 0; type < QUOTA_TYPES && !ret; type++)
		if (ino_valid(&m->now->geo, roots.ino[type]) && !quota_roots_right(m, &roots, type)) {
			ret = quota_roots_find(m, &roots, found, count);
			break;
		}
	if (!ret)
		ret = drop_known(m, &roots);
	if (!ret && roots.changed)
		ret = quota_roots_store(m, &roots);
	if (!ret && roots.changed)
		mend_done(m, quota_reason(found, count) ? quota_reason(found, count) : found);
	return ret;
}

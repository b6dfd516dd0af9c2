/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Corrects the superblock's quota fields (ondisk 01, invariant 8; 10).  A type whose file is lost gets an orphan with
 * its records.  If there is none, it has no file, and the next mount makes one and counts usage.  If no type has a
 * file, quotas are off.
 */

#include "check/books/books.h"
#include "mend_quota.h"
#include "repair.h"
#include "report.h"
#include "check/walk/quota.h"
#include "mend/base/menders.h"

/* True if the last check used the inode in the superblock as the file of this type. */
static bool has_file(const struct mend *m, const struct quota_roots *roots, unsigned type)
{
	xino_t file = m->now->quota->lanes[0].file[type][0];

	return file.v != NULL_INO && file.v == roots->ino[type].v;
}

/* Removes the files of types for which none with their records was found, except files without any records. */
static void drop_missing(const struct mend *m, struct quota_roots *roots)
{
	for (unsigned type = 0; type < QUOTA_TYPES; type++) {
		bool named = ino_valid(&m->now->geo, roots->ino[type]);
		bool counted = quota_counted(&m->now->geo) >> type & 1;

		if (quota_roots_right(m, roots, type) || (named && has_file(m, roots, type) && !roots->types[type]))
			continue;
		if (named || counted)
			quota_roots_drop(roots, type);
	}
}

/* With a metadata tree: makes the next mount count the usage of types without a file. 0 or negative errno. */
static int recount(struct mend *m, const struct found *found)
{
	struct quota_roots roots = { .changed = true };
	int ret;

	for (unsigned type = 0; type < QUOTA_TYPES; type++)
		if (m->now->quota->lanes[0].file[type][0].v == NULL_INO)
			roots.recount |= 1u << type;
	ret = quota_roots_store(m, &roots);
	if (!ret)
		mend_done_so(m, found, SURE_CERTAIN, "the next mount recounts the usage");
	return ret;
}

static bool has_finding(const struct found *found, size_t count, enum finding finding)
{
	for (size_t i = 0; i < count; i++)
		if (found[i].problem.finding == finding)
			return true;
	return false;
}

bool mend_quota_sb_wants(const struct found *found)
{
	return found->problem.finding == F_DQUOT_BLOCK_TYPE || found->problem.finding == F_INODE_ORPHAN;
}

int mend_quota_sb(struct mend *m, const struct found *found, size_t count)
{
	const struct found *reason = quota_reason(found, count);
	struct quota_roots roots;
	int ret;

	if (m->now->geo.metadir)
		return reason ? recount(m, reason) : 0;
	ret = quota_roots_load(m, &roots);
	if (!ret)
		ret = quota_roots_find(m, &roots, found, count);
	if (!ret && reason)
		drop_missing(m, &roots);
	roots.last_word = true;
	roots.changed |= has_finding(found, count, F_SB_QUOTINO) || has_finding(found, count, F_SB_QUOTA_BIT) ||
			 has_finding(found, count, F_SB_QUOTA_NONE);
	if (!ret && roots.changed)
		ret = quota_roots_store(m, &roots);
	if (!ret && roots.changed)
		mend_done(m, reason ? reason : found);
	return ret;
}

int mend_quota_recount(struct mend *m, bool *ret_changed)
{
	const struct geometry *geo = &m->now->geo;
	struct quota_roots roots = { .ino = { geo->uquotino, geo->gquotino, geo->pquotino } };
	int ret;

	roots.recount = quota_counted(geo) & ~quota_compared(m->now);
	*ret_changed = roots.recount != 0;
	if (!roots.recount)
		return 0;
	ret = quota_roots_store(m, &roots);
	if (!ret)
		report_note(m->rc->report, "The next mount recounts quota usage.");
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the metadata tree (ondisk 09, 10): each tells all about the file that it leads to, so that a file that is
 * lost can be made anew.
 */
#include "mend/collect/mend_facts.h"
#include "mend_metafile.h"
#include "repair.h"
#include "check/walk/quota.h"
#include "check/walk/walker.h"

bool mend_metafile_of_group(const struct mend *m, xino_t ino, struct metafile *ret)
{
	const struct rt_state *rt = &m->now->traverse->rt;

	for (uint32_t rg = 0; rg < m->now->geo.rgcount; rg++) {
		for (enum rtfile kind = 0; kind < RTFILE_NR; kind++) {
			if (rt->group[rg].name[kind].count != 1 || rt->group[rg].name[kind].ino.v != ino.v)
				continue;
			*ret = (struct metafile){ rtfile_metatype(kind), rg };
			return true;
		}
	}
	return false;
}

static bool is_quota_file(const struct mend *m, xino_t ino, struct metafile *ret)
{
	const struct quota *quota = m->now->quota;

	for (unsigned i = 0; quota && i < quota->nlanes; i++) {
		for (size_t n = 0; n < quota->lanes[i].nnames; n++) {
			const struct quota_name *name = &quota->lanes[i].names[n];

			if (name->target.v != ino.v || name->directory.v != quota->lanes[0].directory.v)
				continue;
			*ret = (struct metafile){ (uint16_t)(METAFILE_USER_QUOTA + name->type), 0 };
			return true;
		}
	}
	return false;
}

/*
 * Whether the inode is a directory of the metadata tree: a directory of that tree names it as one; or nobody names it,
 * and an inode of that tree has it as its parent.
 */
static bool is_directory(const struct mend *m, const struct mend_facts *facts, xino_t ino)
{
	const struct ino_fact *children;
	size_t count, nchildren;
	const struct ino_fact *entries = mend_facts_of(facts, ino, FACT_ENTRY, &count);

	if (ino.v == m->now->geo.metadirino.v)
		return true;
	for (size_t i = 0; i < count; i++)
		if (entries[i].metadata && entries[i].ftype == FT_DIR)
			return true;
	children = mend_facts_of(facts, ino, FACT_CHILD, &nchildren);
	return !count && nchildren && children->metadata;
}

bool mend_metafile_of(const struct mend *m, const struct mend_facts *facts, xino_t ino, struct metafile *ret)
{
	if (!m->now->geo.metadir || ino.v == m->now->geo.rootino.v)
		return false;
	if (is_directory(m, facts, ino)) {
		*ret = (struct metafile){ METAFILE_DIR, 0 };
		return true;
	}
	return mend_metafile_of_group(m, ino, ret) || is_quota_file(m, ino, ret);
}

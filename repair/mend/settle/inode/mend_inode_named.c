/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recreates inodes that are free by themselves, but in use in the inobt and named by entries: their last write was
 * lost, and two records contradict them (ondisk 12, I5).  This must precede the correction of the inobt from inodes,
 * which is for free inodes that nothing names.
 *
 * Likewise recreates lost inodes that were freed because their type was unknown (notes.freed), if an entry turns up
 * later, in a directory whose map was mended or whose inode was found after that.
 *
 * A recreated inode is a guess, because its owner, mode and times are unknown.
 */
#include <errno.h>
#include <stdlib.h>

#include "mend/base/mend.h"
#include "mend/base/mend_drop.h"
#include "mend/collect/group_age.h"
#include "mend/collect/mend_inode.h"
#include "mend/make/mend_inode_lost.h"
#include "repair.h"
#include "report/findings.h"
#include "mend/base/menders.h"

/* Sets *ret if an inode is still free, by the inobt and by itself, so that an entry for it may be its old one. */
static int is_free_still(struct mend *m, const struct mend_facts *facts, xino_t ino, bool *ret)
{
	size_t chunks;
	const struct ino_fact *chunk = mend_facts_of(facts, ino, FACT_CHUNK, &chunks);
	struct mend_inode inode;
	int error;

	*ret = false;
	if (!chunks || chunk->value)
		return 0;
	error = mend_inode_read(m, ino, &inode);
	if (error)
		return error == -ENOENT ? 0 : error;
	*ret = !be16_get(mend_inode_disk(&inode)->mode);
	mend_inode_free(&inode);
	return 0;
}

/*
 * True if entries say that the inode was a symlink or device: its target or device number is lost, and no more entries
 * or rmapbt records can change that.
 */
static bool gives_up(const struct mend_facts *facts, xino_t ino)
{
	const enum ftype ftype = mend_facts_type(facts, ino);

	return ftype == FT_SYMLINK || ftype == FT_CHR || ftype == FT_BLK;
}

/* Recreates a freed inode that something refers to, if possible. 0 or negative errno. */
static int mend_given_up(struct mend *m, const struct mend_facts *facts, const struct found *found)
{
	const uint64_t done = m->done;
	bool is_free;
	int ret = is_free_still(m, facts, found->place.ino, &is_free);

	if (!ret && is_free)
		ret = mend_inode_lost(m, facts, found, false);
	if (!ret && m->done != done)
		return mend_follows_inode(m, MEND_ag_inodes, F_INODE_USED_BUT_FREE, found->place.ino);
	if (!ret && is_free && gives_up(facts, found->place.ino))
		ret = ino_set_put(&m->notes.gave_up, found->place.ino);
	return ret;
}

static int mend_named(struct mend *m, const struct mend_facts *facts, const struct found *found)
{
	size_t entries, children;
	bool stale;
	int ret;

	if (found->problem.finding != F_INODE_FREE_IN_USE)
		return mend_given_up(m, facts, found);
	stale = inode_is_older_than_inobt(m, found->place.ino, false);
	ret = stale ? inode_doubt_stale(m, found->place.ino, (lsn_t){ 0 }) : 0;
	if (ret)
		return ret;
	mend_facts_of(facts, found->place.ino, FACT_ENTRY, &entries);
	mend_facts_of(facts, found->place.ino, FACT_CHILD, &children);
	/* a root directory is always in use: the inobt can't be corrected to match a free one */
	if (entries || children || ino_set_has(&m->notes.stray_dirs, found->place.ino) ||
	    dir_is_root(&m->now->geo, found->place.ino))
		return mend_inode_lost(m, facts, found, false);
	if (stale)
		mend_drop_inode(m, found->place.ino, DROP_INODE_LOST);
	return ino_set_put(&m->notes.freed, found->place.ino);
}

/* The findings about inodes to be mended. */
struct chosen {
	struct found *v;
	size_t count;
	struct ino_set sources; /* inodes with dangling entries or `..` */
	bool complete;		/* `sources` has all that refer to the inodes of these findings */
};

/*
 * Chooses findings about inodes to be mended.  A finding about a dangling entry or `..` is chosen if its target is an
 * inode that was freed, and is moved to that inode.  0 or -ENOMEM.
 */
static int choose(const struct mend *m, const struct found *found, size_t count, struct chosen *chosen)
{
	int ret = 0;

	chosen->complete = !findings_cut(m->now->findings);
	for (size_t i = 0; i < count && !ret; i++) {
		const xino_t target = { found[i].problem.got };
		struct found *next = &chosen->v[chosen->count];

		if (found[i].problem.finding == F_INODE_FREE_IN_USE) {
			*next = found[i];
			chosen->count++;
			chosen->complete = false;
		} else if (ino_valid(&m->now->geo, target) && ino_set_has(&m->notes.freed, target) &&
			   (found[i].problem.finding != F_DIR_ENTRY_DANGLING ||
			    !ino_set_has(&m->notes.gave_up, target))) {
			*next = found[i];
			next->place = mend_place_of_inode(&m->now->geo, target);
			chosen->count++;
			if (found[i].place.ino.v == NULL_INO)
				chosen->complete = false;
			else
				ret = ino_set_put(&chosen->sources, found[i].place.ino);
		}
	}
	return ret;
}

bool mend_inode_named_wants(const struct found *found)
{
	const enum finding finding = found->problem.finding;

	/* a freed inode may have an entry after all */
	return (finding == F_INODE_FREE_IN_USE && !found->problem.want) || finding == F_DIR_ENTRY_DANGLING ||
	       finding == F_DIR_DOTDOT_DANGLING;
}

int mend_inode_named(struct mend *m, const struct found *found, size_t count)
{
	struct chosen chosen = { .v = calloc(count + 1, sizeof(*chosen.v)) };
	struct mend_facts facts = { 0 };
	xino_t *inos = NULL, last = { NULL_INO };
	size_t ninos = 0;
	int ret = chosen.v ? choose(m, found, count, &chosen) : -ENOMEM;

	if (!ret) {
		qsort(chosen.v, chosen.count, sizeof(*chosen.v), mend_found_order);
		ret = mend_facts_inodes(chosen.v, chosen.count, &inos, &ninos);
	}
	if (!ret && ninos)
		ret = chosen.complete ? mend_facts_collect_from(m, inos, ninos, &chosen.sources, &facts)
				      : mend_facts_collect_again(m, inos, ninos, &facts);
	for (size_t i = 0; i < chosen.count && !ret; i++) {
		if (chosen.v[i].place.ino.v != last.v)
			ret = mend_named(m, &facts, &chosen.v[i]);
		last = chosen.v[i].place.ino;
	}
	mend_facts_free(&facts);
	ino_set_free(&chosen.sources);
	free(inos);
	free(chosen.v);
	return ret;
}

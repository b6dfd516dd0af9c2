/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settles differences between a directory and parent pointers, if the last write of either was lost, so that it is
 * intact but stale, or if a block of the directory has a wrong checksum (ondisk 07, invariant 5).  An inode that is
 * newer than that part of the directory, and has as many parent pointers as links, is right: entries are restored or
 * removed to match it.  A directory that was recreated, or whose map was mended, gets back the entries that such inodes
 * have, whatever the LSNs.  In all other cases the directory is right, and mend_pptr.c and mend_nlink.c adjust the
 * inodes.  A restored entry is likely, because its parent pointer has it; a removed one is a guess by LSNs.
 */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "disk/attr.h"
#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend/make/mend_attr.h"
#include "mend/make/mend_dir.h"
#include "mend/make/mend_dir_dates.h"
#include "mend/make/mend_pptrs.h"
#include "repair.h"
#include "report/mender.h"
#include "sets/ordered.h"

/* An inode's evidence about one of its names. */
struct name_claim {
	xino_t directory;
	const struct found
		*found; /* F_PPTR_STRAY: the directory lacks the name; F_PPTR_LACKS: only the directory has it */
	lsn_t date;	/* LSN of the evidence: pptrs_date() */
	uint8_t ftype;	/* of the inode */
	bool missing;	/* the directory lacks the name */
	bool done;	/* the directory was changed */
};

struct name_claims {
	struct mend *m;
	struct name_claim *v;
	size_t count, room;
};

static bool is_missing(const struct found *found)
{
	return found->problem.finding == F_PPTR_STRAY;
}

/* Returns the directory that has, or should have, the name. */
static xino_t directory_of(const struct found *found)
{
	return (xino_t){ is_missing(found) ? found->problem.got : found->problem.want };
}

/* ---- inodes ---- */

/* True if all parent pointers of the inode are known, and there are as many as links. */
static bool pptrs_are_known(const struct dinode *inode, const struct attr_items *items)
{
	uint32_t pptrs = 0;

	for (size_t i = 0; i < items->count; i++)
		pptrs += (items->items[i].flags & ATTR_PARENT) != 0;
	return !inode->metadata && inode->ftype != FT_UNKNOWN && !items->lost && !items->lost_blocks &&
	       pptrs == (inode->ftype == FT_DIR ? 1 : inode->nlink);
}

/* Sets *ret_is if the directory that lacks the name is, by its generation, still the one in the parent pointer. */
static int is_home(struct mend *m, struct attr_items *items, const struct found *found, bool *ret_is)
{
	const struct pptr_name name = { .parent = directory_of(found), .child = found->place.ino };
	struct mend_inode parent;
	size_t at;
	int ret = attr_items_find_pptr(&m->now->geo, items, name.parent, &found->place.name, &at);

	*ret_is = false;
	if (ret || at == items->count || items->items[at].valuelen != sizeof(struct attr_parent_disk))
		return ret;
	ret = pptr_name_parent(m, &name, NULL, &parent);
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	*ret_is = parent.inode.gen == be32_get(((const struct attr_parent_disk *)items->items[at].value)->gen);
	mend_inode_free(&parent);
	return 0;
}

/* True if an entry and a parent pointer for one directory have names of equal length: one may be the other, damaged. */
static bool may_be_garbled(const struct found *found, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < count && is_missing(&found[i]); k++)
			if (!is_missing(&found[k]) && directory_of(&found[k]).v == directory_of(&found[i]).v &&
			    found[k].place.name.len == found[i].place.name.len)
				return true;
	return false;
}

#define FINDINGS_MAX 1000u /* about one inode: more are not caused by a lost write */

/* Adds the inode's evidence about all these names, or nothing if any of it is doubtful. 0 or negative errno. */
static int add_claims(struct name_claims *c, struct mend_inode *inode, struct attr_items *items,
		      const struct found *found, size_t count)
{
	const lsn_t date = pptrs_date(c->m, inode);
	int ret = 0;

	if (!date.v || !pptrs_are_known(&inode->inode, items) || may_be_garbled(found, count))
		return 0;
	for (size_t i = 0; i < count; i++) {
		bool is = true;

		if (is_missing(&found[i]))
			ret = is_home(c->m, items, &found[i], &is);
		if (ret || !is || !found[i].place.name.len)
			return ret;
	}
	for (size_t i = 0; i < count; i++) {
		if (array_add(c->v, c->room, c->count,
			      (struct name_claim){ directory_of(&found[i]), &found[i], date,
						   (uint8_t)inode->inode.ftype, is_missing(&found[i]), false }))
			return -ENOMEM;
	}
	return 0;
}

/* Reads an inode, and adds its evidence about the names of these findings. 0 or negative errno. */
static int collect_claims(struct name_claims *c, const struct found *found, size_t count)
{
	struct attr_items items = { 0 };
	const struct dinode_fork *fork;
	struct mend_inode inode;
	int ret = count > FINDINGS_MAX ? -ENOENT : mend_inode_load(c->m, found->place.ino, &inode);

	if (ret)
		return mend_left(c->m, found, 1, ret);
	fork = &inode.inode.fork[ATTR_FORK];
	if (fork->present && fork->ok) {
		ret = attr_items_collect(c->m, &inode, &items);
		if (!ret)
			ret = add_claims(c, &inode, &items, found, count);
		attr_items_free(&items);
	}
	mend_inode_free(&inode);
	return mend_left(c->m, found, 1, ret);
}

/* ---- directories ---- */

/* Sets *ret_is if the inode of an entry is free, or has no parent pointer for it. 0 or negative errno. */
static int is_disowned(struct mend *m, xino_t directory, const struct dir_name *name, bool *ret_is)
{
	const struct name_view view = { name->name, name->namelen };
	struct attr_items items = { 0 };
	struct mend_inode inode;
	size_t at = 0;
	int ret = mend_inode_load(m, name->ino, &inode);

	*ret_is = false;
	if (ret == -ENOENT) {
		ret = mend_inode_read(m, name->ino, &inode);
		if (ret)
			return ret == -ENOENT ? 0 : ret;
		*ret_is = be16_get(mend_inode_disk(&inode)->magic) == DINODE_MAGIC &&
			  !be16_get(mend_inode_disk(&inode)->mode);
		mend_inode_free(&inode);
		return 0;
	}
	if (ret)
		return ret;
	if (inode.inode.fork[ATTR_FORK].present && inode.inode.fork[ATTR_FORK].ok) {
		ret = attr_items_collect(m, &inode, &items);
		if (!ret)
			ret = attr_items_find_pptr(&m->now->geo, &items, directory, &view, &at);
		*ret_is = !ret && at == items.count && pptrs_are_known(&inode.inode, &items);
		attr_items_free(&items);
	}
	mend_inode_free(&inode);
	return ret == -E2BIG ? 0 : ret;
}

/*
 * Adds a name that the directory lacks, if the leaf for its hash is older than the inode, or if map_mended.  If the
 * name exists for another inode, redirects it only if that one has no parent pointer for it.  Sets *ret_added if the
 * name now points to the inode.  0 or negative errno.
 */
static int put_name_back(struct name_claims *c, struct dir_names *names, const struct dir_dates *dates, bool map_mended,
			 const struct name_claim *claim, bool *ret_added)
{
	const struct geometry *geo = &c->m->now->geo;
	const struct name_view *view = &claim->found->place.name;
	const struct dir_name name = {
		.ino = claim->found->place.ino, .name = view->bytes, .namelen = view->len, .ftype = claim->ftype
	};
	size_t at = dir_names_find(geo, names, view->bytes, view->len);
	bool disowned;
	int ret;

	if (at == names->count) {
		const uint32_t hash = da_hashname(view->bytes, view->len, geo->ascii_ci);

		*ret_added = map_mended || dir_dates_of_hash(dates, hash).v < claim->date.v;
		return *ret_added ? dir_names_add(geo, names, &name) : 0;
	}
	if (at < 2 || dir_dates_of_name(geo, dates, &names->names[at]).v >= claim->date.v)
		return 0;
	ret = is_disowned(c->m, claim->directory, &names->names[at], &disowned);
	if (!ret && disowned) {
		names->names[at].ino = name.ino;
		names->names[at].ftype = name.ftype;
		*ret_added = true;
	}
	return ret;
}

/* Removes an entry that the inode has no parent pointer for, if its block is older than the inode. True if it did. */
static bool drop(const struct geometry *geo, struct dir_names *names, const struct dir_dates *dates,
		 const struct name_claim *claim)
{
	size_t at = names->count;

	while ((at = dir_names_next(geo, names, &claim->found->place.name, at)) < names->count) {
		const struct dir_name *name = &names->names[at];

		if (name->ino.v != claim->found->place.ino.v || dir_dates_of_name(geo, dates, name).v >= claim->date.v)
			continue;
		dir_names_remove(names, at, DROP_OUTDATED);
		return true;
	}
	return false;
}

static int say_name_done(struct mend *m, const struct name_claim *claim)
{
	if (claim->missing)
		mend_done_so(m, claim->found, SURE_LIKELY, "entry restored from the parent pointer");
	else /* by LSNs */
		mend_done_so(m, claim->found, SURE_GUESS, mender_text(MEND_surplus));
	/* other findings about the inode were made with its old names */
	return ino_set_put(&m->round.settled, claim->found->place.ino);
}

/* Settles all claims on one directory. Entries to be removed come first, so that others can use their names. */
static int settle_directory(struct name_claims *c, struct name_claim *claims, size_t count)
{
	const struct geometry *geo = &c->m->now->geo;
	const bool map_mended = ino_set_has(&c->m->notes.map_mended, claims->directory);
	struct dir_dates dates = { 0 };
	struct dir_edit dir;
	bool any = false;
	int ret = dir_edit_begin(c->m, claims->directory, &dir);

	if (ret)
		return mend_left(c->m, claims->found, 1, ret);
	ret = dir_dates_collect(c->m, &dir.inode, &dates);
	for (size_t i = 0; i < count && !ret; i++) {
		if (claims[i].missing)
			ret = put_name_back(c, &dir.names, &dates, map_mended, &claims[i], &claims[i].done);
		else
			claims[i].done = drop(geo, &dir.names, &dates, &claims[i]);
		any |= claims[i].done;
	}
	if (any && !ret)
		ret = dir_edit_write(c->m, &dir);
	for (size_t i = 0; i < count && !ret; i++)
		if (claims[i].done)
			ret = say_name_done(c->m, &claims[i]);
	dir_dates_free(&dates);
	dir_edit_end(&dir);
	return mend_left(c->m, claims->found, 1, ret);
}

bool mend_outdated_wants(const struct found *found)
{
	/* the inode is right about its names if it is newer than the directory */
	return found->problem.finding == F_PPTR_LACKS || found->problem.finding == F_PPTR_STRAY;
}

int mend_outdated(struct mend *m, const struct found *found, size_t count)
{
	struct name_claims c = { .m = m };
	int ret = 0;

	for (size_t i = 0, n; i < count && !ret && !mend_exhausted(m); i += n) {
		n = mend_of_one_inode(found + i, count - i);
		if (found[i].place.ino.v == NULL_INO)
			continue;
		ret = collect_claims(&c, found + i, n);
	}
	ordered_sort(c.v, c.count, MEMBERS(MEMBER(c.v, directory), MEMBER(c.v, missing), MEMBER(c.v, found)));
	for (size_t i = 0, n; i < c.count && !ret && !mend_exhausted(m); i += n) {
		n = ordered_run(c.v + i, c.count - i, MEMBER(c.v, directory));
		ret = settle_directory(&c, c.v + i, n);
	}
	free(c.v);
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Directories: written anew with every name that can be made out, and with those that parent pointers know if names may
 * be lost (ondisk 06, 07; 12, D3 to D10).  Entries that findings are about are changed or dropped on the way.
 *
 * An index that is made anew from sound blocks of names is certain, names are likely.  To drop a name is likely if what
 * it leads to is gone, and else a guess.
 */
#include <errno.h>
#include <stdlib.h>

#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend/make/mend_dir.h"
#include "mend/make/mend_dir_before.h"
#include "mend/make/mend_new_inode.h"
#include "mend_dir_links.h"
#include "repair.h"

static bool has_name(const struct geometry *geo, struct dir_names *names, const struct name_view *view)
{
	return dir_names_find(geo, names, view->bytes, view->len) < names->count;
}

/* Why an entry is dropped that a finding is about. 0 or negative errno. */
static int find_reason(struct dir_before *before, const struct found *found, enum drop_reason *ret_reason)
{
	const struct problem *p = &found->problem;
	bool outlived;
	int ret;

	*ret_reason = p->finding == F_DIR_ENTRY_FORMER ? DROP_FORMER : DROP_NO_PLACE;
	if (p->finding != F_DIR_ENTRY_DANGLING)
		return 0;
	ret = dir_before_outlived(before, found->place.ino, &found->place.name, (xino_t){ p->got }, &outlived);
	*ret_reason = outlived ? DROP_OUTDATED : DROP_UNKNOWN;
	return ret;
}

/* Change or drop the entries that a finding is about, for this reason. Returns whether any was dropped. */
static bool settle_entry(const struct geometry *geo, struct dir_names *names, const struct found *found,
			 enum drop_reason reason)
{
	const struct problem *p = &found->problem;
	const struct name_view *view = &found->place.name;
	bool dropped = false;
	size_t i = names->count;

	while ((i = dir_names_next(geo, names, view, i)) < names->count) {
		struct dir_name *name = &names->names[i];

		switch (p->finding) {
		case F_DIR_ENTRY_INTERNAL:
		case F_DIR_ENTRY_DANGLING:
		case F_DIR_ENTRY_FORMER:
		case F_DIR_ENTRY_OTHER_TREE:
		case F_DIR_ENTRY_ROOT:
			if (name->ino.v == p->got) {
				dir_names_remove(names, i, reason);
				dropped = true;
			}
			break;
		case F_DIR_ENTRY_FTYPE_INODE:
			name->ftype = (uint8_t)p->want;
			break;
		default:
			break;
		}
	}
	/* the entry is none of these names: see dir_names.invalid */
	return dropped || (p->finding == F_DIR_ENTRY_INO && view->len);
}

/* True if a finding is about an entry that should lead elsewhere, perhaps to an inode of that type. */
static bool misleads(const struct dir_links *links, const struct found *found, enum ftype type)
{
	switch (found->problem.finding) {
	case F_DIR_ENTRY_INTERNAL:
	case F_DIR_ENTRY_DANGLING:
	case F_DIR_ENTRY_OTHER_TREE:
	case F_DIR_ENTRY_ROOT:
		return true;
	case F_DIR_ENTRY_FTYPE_INODE:
		return found->problem.got == type;
	case F_DIR_LINKED_AGAIN:
		return !dir_links_stays(links, found);
	default:
		return false;
	}
}

/* An inode without a name that may have had one in this directory. */
struct lost {
	xino_t ino; /* NULL_INO: there is none */
	enum ftype type;
};

/*
 * True if an entry may have been the lost inode's.  A lost directory has this one as its `..`, so its type need not be
 * that of the entry, if this has none.  Of a file nothing else tells, so the types must be equal; without types, the
 * entry's number must be that of no inode, since otherwise it may be a link to a file that is gone.
 */
static bool may_be_name_of(const struct geometry *geo, const struct lost *lost, const struct dir_name *name)
{
	if (lost->type == FT_DIR)
		return name->ftype == FT_DIR || name->ftype == FT_UNKNOWN || name->ftype >= FT_NR;
	return geo->ftype ? name->ftype == lost->type : !ino_valid(geo, name->ino);
}

/* The directory without a name whose `..` is this one, or else the only inode without a name. */
static struct lost lost_inode_of(const struct dir_links *links, xino_t dir)
{
	struct lost lost = { dir_links_orphan(links, dir), FT_DIR };

	if (lost.ino.v == NULL_INO)
		lost = (struct lost){ links->file, links->file_type };
	return lost;
}

/* The only entry that should lead elsewhere and may have been the lost inode's; NULL: there is none, or several. */
static struct dir_name *find_end(const struct geometry *geo, const struct dir_links *links, struct dir_names *names,
				 const struct lost *lost, const struct found *found, size_t count)
{
	struct dir_name *end = NULL;

	for (size_t i = 0; i < names->ninvalid; i++) {
		if (!may_be_name_of(geo, lost, &names->invalid[i]))
			continue;
		if (end)
			return NULL;
		end = &names->invalid[i];
	}
	for (size_t i = 0; i < count; i++) {
		const struct name_view *view = &found[i].place.name;
		size_t k = names->count;

		while (misleads(links, &found[i], lost->type) &&
		       (k = dir_names_next(geo, names, view, k)) < names->count) {
			if (&names->names[k] == end || !may_be_name_of(geo, lost, &names->names[k]))
				continue;
			if (end)
				return NULL;
			end = &names->names[k];
		}
	}
	return end;
}

/*
 * If just one entry should lead elsewhere, and just one inode without a name may have been named here, make the entry
 * lead to that inode.  *ret_at: the entry's index, or names->count: there is no such pair.  0 or -ENOMEM.
 */
static int give_back(const struct geometry *geo, const struct dir_links *links, struct dir_names *names,
		     const struct found *found, size_t count, size_t *ret_at)
{
	const struct lost lost = lost_inode_of(links, found->place.ino);
	struct dir_name *end = NULL, given;

	*ret_at = names->count;
	if (lost.ino.v != NULL_INO)
		end = find_end(geo, links, names, &lost, found, count);
	if (!end)
		return 0;
	given = *end;
	given.ino = lost.ino;
	given.ftype = (uint8_t)lost.type;
	if (ino_valid(geo, end->ino)) { /* it is one of names->names, not of names->invalid */
		*ret_at = (size_t)(end - names->names);
		*end = given;
		return 0;
	}
	return dir_names_add(geo, names, &given); /* the next index */
}

/* Drop an entry that leads to a directory which has another name that stays. */
static void settle_link(const struct geometry *geo, const struct dir_links *links, struct dir_names *names,
			const struct found *found)
{
	size_t i = names->count;

	if (found->problem.finding != F_DIR_LINKED_AGAIN || dir_links_stays(links, found))
		return;
	while ((i = dir_names_next(geo, names, &found->place.name, i)) < names->count)
		if (names->names[i].ino.v == found->problem.got)
			dir_names_remove(names, i, DROP_DIRECTORY_TWICE);
}

/* If the directory has just one parent pointer, and it leads to a directory that is there, *parent becomes that. */
static int parent_by_pptr(struct mend_pptrs *pptrs, xino_t ino, xino_t *parent)
{
	struct pptr_name *const *names;
	size_t count;
	bool is = false;
	int ret = mend_pptrs_of_child(pptrs, ino, &names, &count);

	if (!ret && count == 1)
		ret = mend_pptrs_is_home(pptrs, names[0], &is);
	if (is)
		*parent = names[0]->parent;
	return ret;
}

/*
 * Set the `..` of a directory: to what findings say, else to what can be read; if that is no inode, to what its parent
 * pointer says, else to what the last check had; else to the root.  0 or negative errno.
 */
static int settle_dotdot(struct mend_pptrs *pptrs, struct dir_names *names, xino_t ino, const struct found *found,
			 size_t count)
{
	const struct geometry *geo = &pptrs->m->now->geo;
	const struct dir_table *dirs = &pptrs->m->now->dirs;
	xino_t *parent = &names->names[1].ino;
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		if (found[i].problem.finding == F_DIR_DOTDOT_PARENT) {
			if (pptrs->m->round.names_stay)
				ret = mend_nlink_moved(pptrs->m, *parent, (xino_t){ found[i].problem.want });
			parent->v = found[i].problem.want;
		} else if (found[i].problem.finding == F_DIR_DOTDOT_DANGLING) {
			parent->v = NULL_INO;
		}
	}
	if (dir_is_root(geo, ino))
		*parent = ino;
	if (!ret && !ino_valid(geo, *parent))
		ret = parent_by_pptr(pptrs, ino, parent);
	if (!ino_valid(geo, *parent)) {
		size_t at = dir_table_find(dirs, ino);

		if (at < dirs->count && dir_table_find(dirs, dir_table_at(dirs, at).parent) < dirs->count)
			*parent = dir_table_at(dirs, at).parent;
	}
	/* nobody knows: the root will do, until the next check finds which directory names it, if any */
	if (!ret && !ino_valid(geo, *parent)) {
		*parent = geo->rootino;
		ret = mend_note_parent_unknown(pptrs->m, ino);
	}
	return ret;
}

/* True if only indexes of the directory are wrong, which follow from its names. */
static bool only_index(const struct found *found, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (found[i].problem.finding ==
		    F_DIR_BESTFREE_INDEX) /* it is about the free index, like OBJ_DIR_FREE */
			continue;
		switch (found[i].place.object) {
		case OBJ_DIR_LEAF:
		case OBJ_DIR_FREE:
		case OBJ_DA_NODE:
			continue;
		default:
			return false;
		}
	}
	return true;
}

/*
 * True if names may be missing although all blocks could be read: not if only the index is damaged.  If names stay in
 * this round, inodes that lack one get it by mend_orphan.c in the same round, and need not be looked for here.
 */
static bool may_lack_names(const struct mend *m, const struct found *found, size_t count)
{
	return !m->round.names_stay && !only_index(found, count);
}

/*
 * True if nothing is wrong with the directory itself: all that was found is that nobody names it, or that another entry
 * leads to the same directory as one here, which stays.
 */
static bool needs_no_mending(const struct dir_links *links, const struct found *found, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (found[i].problem.finding == F_INODE_ORPHAN)
			continue;
		if (found[i].problem.finding != F_DIR_LINKED_AGAIN || !dir_links_stays(links, &found[i]))
			return false;
	}
	return true;
}

static const char *why_dropped(enum finding finding)
{
	switch (finding) {
	case F_DIR_ENTRY_DANGLING:
		return "entry removed: its inode no longer exists";
	case F_DIR_ENTRY_FORMER:
		return "entry removed: its inode is older than the missing part of the log";
	case F_DIR_ENTRY_INO:
		return "entry removed: its target is unknown";
	default:
		return "entry removed: its inode cannot be in this directory";
	}
}

/* Report each name that was dropped; and the directory, if that was not all. given: a lost inode has its name again. */
static void say_directory_done(struct mend *m, const struct found *found, size_t count, const bool *dropped, bool given)
{
	bool more = false;

	for (size_t i = 0; i < count; i++)
		more |= !dropped[i];
	if (more && given)
		mend_done_so(m, found, SURE_GUESS,
			     "directory rebuilt: one wrong entry now points to the inode without a name");
	else if (more)
		mend_done_sure(m, found, only_index(found, count) ? SURE_CERTAIN : SURE_LIKELY);
	for (size_t i = 0; i < count; i++)
		if (dropped[i])
			mend_done_so(m, &found[i],
				     found[i].problem.finding == F_DIR_ENTRY_DANGLING ? SURE_LIKELY : SURE_GUESS,
				     why_dropped(found[i].problem.finding));
}

/* Mend a directory; found: the findings about it. */
static int mend_directory(struct mend *m, struct mend_pptrs *pptrs, struct dir_before *before,
			  const struct dir_links *links, const struct found *found, size_t count)
{
	const struct geometry *geo = &m->now->geo;
	struct dir_edit dir;
	struct dir_names *names = &dir.names;
	bool *dropped;
	size_t given = 0;
	bool any_given = false;
	enum drop_reason reason;
	int ret = dir_edit_begin(m, found->place.ino, &dir);

	if (ret)
		return mend_left(m, found, 1, ret);
	dropped = calloc(count, sizeof(*dropped));
	ret = dropped ? give_back(geo, links, names, found, count, &given) : -ENOMEM;
	any_given = !ret && given < names->count;
	for (size_t i = 0; i < count && !ret; i++) {
		if (given < names->count && dir_name_is(&names->names[given], &found[i].place.name))
			continue;
		ret = find_reason(before, &found[i], &reason);
		if (!ret)
			dropped[i] = settle_entry(geo, names, &found[i], reason);
	}
	if (!ret && (!names->whole || may_lack_names(m, found, count)))
		ret = mend_pptrs_names(pptrs, dir.inode.ino, names);
	for (size_t i = 0; i < count && !ret; i++) /* parent pointers may have brought a name back */
		dropped[i] = dropped[i] && !has_name(geo, names, &found[i].place.name);
	for (size_t i = 0; i < count && !ret; i++)
		settle_link(geo, links, names, &found[i]);
	if (!ret)
		ret = settle_dotdot(pptrs, names, dir.inode.ino, found, count);
	if (!ret)
		ret = dir_edit_write(m, &dir);
	if (!ret)
		say_directory_done(m, found, count, dropped, any_given);
	dir_edit_end(&dir);
	free(dropped);
	return mend_left(m, found, 1, ret);
}

bool mend_dir_wants(const struct found *found)
{
	return found->problem.finding == F_INODE_ORPHAN; /* to which a damaged entry should perhaps lead */
}

int mend_dir(struct mend *m, const struct found *found, size_t count)
{
	struct mend_pptrs pptrs = { .m = m };
	struct dir_before before = { .m = m };
	struct dir_links links = { 0 };
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		ret = mend_pptrs_want(&pptrs, found[i].place.ino);
	if (!ret)
		ret = dir_links_settle(m, &pptrs, found, count, &links);
	for (size_t i = 0, n; i < count && !ret && !mend_exhausted(m); i += n) {
		n = mend_of_one_inode(found + i, count - i);
		if (found[i].place.ino.v != NULL_INO && !needs_no_mending(&links, found + i, n))
			ret = mend_directory(m, &pptrs, &before, &links, found + i, n);
	}
	dir_links_free(&links);
	dir_before_free(&before);
	mend_pptrs_free(&pptrs);
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rebuilds directories from all recognizable entries and, if entries may be missing, from parent pointers (ondisk 06,
 * 07; 12, D3 to D10).  Entries with findings are corrected or dropped.
 *
 * An index rebuilt from intact data blocks is certain, entries are likely.  Dropping an entry is likely if its inode is
 * gone, else a guess.
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

/* Sets the reason for dropping the entry of a finding. 0 or negative errno. */
static int find_reason(struct dir_before *before, const struct found *found, enum drop_reason *ret_reason)
{
	const struct problem *p = &found->problem;
	const struct place *place = &found->place;
	const xino_t ino = { p->got };
	bool outlived;
	int ret;

	*ret_reason = p->finding == F_DIR_ENTRY_FORMER ? DROP_FORMER : DROP_NO_PLACE;
	if (p->finding != F_DIR_ENTRY_DANGLING)
		return 0;
	ret = dir_before_outlived(before, place->ino, &place->name, ino, &outlived);
	*ret_reason = outlived							 ? DROP_OUTDATED
		      : mend_is_unsure(before->m, place->ino, ino, &place->name) ? DROP_PERHAPS_FREE
										 : DROP_UNKNOWN;
	return ret;
}

/* Corrects or drops the entries of a finding, with this reason. Returns true if any was dropped. */
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
	/* the entry is in dir_names.invalid */
	return dropped || (p->finding == F_DIR_ENTRY_INO && view->len);
}

/* True if the finding is about an entry that should point elsewhere, possibly to an inode of that type. */
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

/* An orphan that may have had an entry in this directory. */
struct lost {
	xino_t ino; /* NULL_INO: none */
	enum ftype type;
};

/*
 * True if an entry may have been the orphan's.  An orphaned directory has this one as its `..`, so an entry without a
 * type will do.  For a file there is no other evidence, so the types must be equal; without types, the entry's inode
 * number must be invalid, since otherwise it may be a link to a deleted file.
 */
static bool may_be_name_of(const struct geometry *geo, const struct lost *lost, const struct dir_name *name)
{
	if (lost->type == FT_DIR)
		return name->ftype == FT_DIR || name->ftype == FT_UNKNOWN || name->ftype >= FT_NR;
	return geo->ftype ? name->ftype == lost->type : !ino_valid(geo, name->ino);
}

/* Returns the only orphaned directory whose `..` is this one, or else the only orphaned file. */
static struct lost lost_inode_of(const struct dir_links *links, xino_t dir)
{
	struct lost lost = { dir_links_orphan(links, dir), FT_DIR };

	if (lost.ino.v == NULL_INO)
		lost = (struct lost){ links->file, links->file_type };
	return lost;
}

/* Returns the only entry that should point elsewhere and may have been the orphan's; NULL: none, or several. */
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
 * If there is exactly one entry that should point elsewhere, and exactly one orphan that may have been named here,
 * points the entry to the orphan.  *ret_at: the entry's index; names->count: no such pair.  0 or -ENOMEM.
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
	if (ino_valid(geo, end->ino)) { /* it is in names->names, not in names->invalid */
		*ret_at = (size_t)(end - names->names);
		*end = given;
		return 0;
	}
	return dir_names_add(geo, names, &given); /* at the next index */
}

/* Drops entries for a directory that keeps an entry elsewhere. */
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

/* If the directory has exactly one parent pointer, and its parent exists, sets *parent to that. 0 or negative errno. */
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
 * Sets the `..` of a directory: from findings; else as read; if that is invalid, from its parent pointer; else from the
 * last check; else to the root.  0 or negative errno.
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
	/* unknown: use the root until the next check finds the directory that names it, if any */
	if (!ret && !ino_valid(geo, *parent)) {
		*parent = geo->rootino;
		ret = mend_note_parent_unknown(pptrs->m, ino);
	}
	return ret;
}

/* True if only indexes of the directory are wrong; they are derived from its entries. */
static bool only_index(const struct found *found, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (found[i].problem.finding == F_DIR_BESTFREE_INDEX) /* about the free index, like OBJ_DIR_FREE */
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
 * True if entries may be missing although all blocks are readable: not if only the index is damaged.  If names stay in
 * this round, mend_orphan.c reconnects orphans in the same round, so they need not be found here.
 */
static bool may_lack_names(const struct mend *m, const struct found *found, size_t count)
{
	return !m->round.names_stay && !only_index(found, count);
}

/*
 * True if the directory itself needs no mending: it is only an orphan, or another entry points to the same directory as
 * one here, which stays.
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

/* Reports each dropped entry, and the directory if there was more. given: an entry now points to an orphan. */
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

/* Mends a directory; found: the findings about it. */
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
	for (size_t i = 0; i < count && !ret; i++) /* parent pointers may have restored a name */
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
	return found->problem.finding == F_INODE_ORPHAN; /* a damaged entry may have pointed to the orphan */
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

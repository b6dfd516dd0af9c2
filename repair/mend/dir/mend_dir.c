/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Directories: written anew from every name that can be made out, and from parent pointers for those that can't (ondisk
 * 06, 07; 12, D3 to D10).  What findings say of single entries is settled on the way.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mend_dir.h"
#include "mend_dir_links.h"
#include "mend/inode/mend_nlink.h"

static bool has_name(const struct geometry *geo, struct dir_names *names, const struct name_view *view)
{
	return dir_names_find(geo, names, view->bytes, view->len) < names->count;
}

/* What a finding says of one entry. True: it is dropped. */
static bool settle_entry(const struct geometry *geo, struct dir_names *names, const struct found *found)
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
		case F_DIR_ENTRY_OTHER_TREE:
		case F_DIR_ENTRY_ROOT:
			if (name->ino.v == p->got) {
				dir_names_remove(names, i);
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
	return dropped;
}

/* An entry that should lead elsewhere, perhaps to an inode of that type. */
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

/* Who has no name, and may have had one here. */
struct lost {
	xino_t ino;
	enum ftype type;
};

/*
 * A directory that has this one as its `..`, or what alone has no name.  Of a file nothing else tells; what it could be
 * is a link to one that is gone, but for a number that is no inode's.
 */
static bool may_be_name_of(const struct geometry *geo, const struct lost *lost, const struct dir_name *name)
{
	if (lost->type == FT_DIR)
		return name->ftype == FT_DIR || name->ftype == FT_UNKNOWN || name->ftype >= FT_NR;
	return geo->ftype ? name->ftype == lost->type : !ino_valid(geo, name->ino);
}

static struct lost who_is_lost(const struct dir_links *links, xino_t dir)
{
	struct lost lost = { dir_links_orphan(links, dir), FT_DIR };

	if (lost.ino.v == NULL_INO)
		lost = (struct lost){ links->lone, links->lone_type };
	return lost;
}

/* The one entry that should lead elsewhere, and may have led there; NULL: there is none, or there are several. */
static struct dir_name *find_end(const struct geometry *geo, const struct dir_links *links, struct dir_names *names,
				 const struct lost *lost, const struct found *found, size_t count)
{
	struct dir_name *end = NULL;

	for (size_t i = 0; i < names->nastray; i++) {
		if (!may_be_name_of(geo, lost, &names->astray[i]))
			continue;
		if (end)
			return NULL;
		end = &names->astray[i];
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
 * Where one entry leads elsewhere, and one inode has no name that may have been here, it led to that, and does so
 * again.  *ret_at: the entry's index, or the count: there is no such pair.  0 or -ENOMEM.
 */
static int give_back(const struct geometry *geo, const struct dir_links *links, struct dir_names *names,
		     const struct found *found, size_t count, size_t *ret_at)
{
	const struct lost lost = who_is_lost(links, found->place.ino);
	struct dir_name *end = NULL, given;

	*ret_at = names->count;
	if (lost.ino.v != NULL_INO)
		end = find_end(geo, links, names, &lost, found, count);
	if (!end)
		return 0;
	given = *end;
	given.ino = lost.ino;
	given.ftype = (uint8_t)lost.type;
	if (ino_valid(geo, end->ino)) { /* it is not astray */
		*ret_at = (size_t)(end - names->names);
		*end = given;
		return 0;
	}
	return dir_names_add(geo, names, &given); /* the next index */
}

/* Of the names of a directory one stays, whatever its parent pointers say. */
static void settle_link(const struct geometry *geo, const struct dir_links *links, struct dir_names *names,
			const struct found *found)
{
	size_t i = names->count;

	if (found->problem.finding != F_DIR_LINKED_AGAIN || dir_links_stays(links, found))
		return;
	while ((i = dir_names_next(geo, names, &found->place.name, i)) < names->count)
		if (names->names[i].ino.v == found->problem.got)
			dir_names_remove(names, i);
}

/* The directory that its one parent pointer leads to, if that can be; else it is left as it is. */
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

		if (at < dirs->count && dir_table_find(dirs, dirs->dirs[at].parent) < dirs->count)
			*parent = dirs->dirs[at].parent;
	}
	/* nobody knows: the root is a directory that is there, and who names it will be found by the next check */
	if (!ret && !ino_valid(geo, *parent)) {
		*parent = geo->rootino;
		ret = mend_unplaced(pptrs->m, ino);
	}
	return ret;
}

/*
 * Findings after which names may be missing although a block could be made sense of.  Who lacks one is given it in this
 * round where names stay (mend_orphan.c).
 */
static bool may_lack_names(const struct mend *m, const struct found *found, size_t count)
{
	for (size_t i = 0; i < count && !m->round.names_stay; i++) {
		if (found[i].problem.finding == F_DIR_BESTFREE_INDEX) /* as of OBJ_DIR_FREE */
			continue;
		switch (found[i].place.object) {
		case OBJ_DIR_LEAF:
		case OBJ_DIR_FREE:
		case OBJ_DA_NODE:
			continue;
		default:
			return true;
		}
	}
	return false;
}

/* Nothing is wrong but that another directory names what this one does, or that nobody names it. */
static bool innocent(const struct dir_links *links, const struct found *found, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (found[i].problem.finding == F_INODE_ORPHAN)
			continue;
		if (found[i].problem.finding != F_DIR_LINKED_AGAIN || !dir_links_stays(links, &found[i]))
			return false;
	}
	return true;
}

/* What was lost is named; the directory itself, where more was wrong with it than that. */
static void say_done(struct mend *m, const struct found *found, size_t count, const bool *dropped, bool given)
{
	bool more = false;

	for (size_t i = 0; i < count; i++)
		more |= !dropped[i];
	if (more && given)
		mend_done_so(m, found, "directory written anew: one name led astray, and leads to what had none");
	else if (more)
		mend_done(m, found);
	for (size_t i = 0; i < count; i++)
		if (dropped[i])
			mend_done_so(m, &found[i],
				     found[i].problem.finding == F_DIR_ENTRY_DANGLING
					     ? "name dropped: nothing is left of what it leads to"
					     : "name dropped: what it leads to has no place there");
}

/*
 * The findings, with the names of entries that lead to what the file system keeps for itself: what finds those does not
 * tell them.  To be freed, with the names. NULL: out of memory.
 */
static struct found *name_all(const struct dir_names *names, const struct found *found, size_t count)
{
	struct found *all;
	uint8_t *bytes;
	size_t internal = 0, at = 1;

	for (size_t i = 0; i < count; i++)
		internal += found[i].problem.finding == F_DIR_ENTRY_INTERNAL;
	all = malloc(count * sizeof(*all) + internal * UINT8_MAX);
	if (!all)
		return NULL;
	memcpy(all, found, count * sizeof(*all));
	bytes = (uint8_t *)(all + count);
	for (size_t i = 0; i < count; i++) {
		const struct problem *p = &found[i].problem;

		if (p->finding != F_DIR_ENTRY_INTERNAL)
			continue;
		for (at++; at < names->count && names->names[at].ino.v != p->got;)
			at++;
		if (at >= names->count) { /* they may come in another order */
			at = 1;
			continue;
		}
		memcpy(bytes, names->names[at].name, names->names[at].namelen);
		all[i].place.name = (struct name_view){ bytes, names->names[at].namelen };
		bytes += UINT8_MAX;
	}
	return all;
}

/* Findings of one directory. */
static int mend_one(struct mend *m, struct mend_pptrs *pptrs, const struct dir_links *links, const struct found *told,
		    size_t count)
{
	const struct geometry *geo = &m->now->geo;
	struct dir_edit dir;
	struct dir_names *names = &dir.names;
	struct found *found;
	bool *dropped;
	size_t given = 0;
	bool any_given = false;
	int ret = dir_edit_begin(m, told->place.ino, &dir);

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	found = name_all(names, told, count);
	dropped = calloc(count, sizeof(*dropped));
	ret = found && dropped ? give_back(geo, links, names, found, count, &given) : -ENOMEM;
	any_given = !ret && given < names->count;
	for (size_t i = 0; i < count && !ret; i++)
		if (given == names->count || !dir_name_is(&names->names[given], &found[i].place.name))
			dropped[i] = settle_entry(geo, names, &found[i]);
	if (!ret && (!names->whole || may_lack_names(m, found, count)))
		ret = mend_pptrs_names(pptrs, dir.inode.ino, names);
	for (size_t i = 0; i < count && !ret; i++) /* some may be back, and lead elsewhere */
		dropped[i] = dropped[i] && !has_name(geo, names, &found[i].place.name);
	for (size_t i = 0; i < count && !ret; i++)
		settle_link(geo, links, names, &found[i]);
	if (!ret)
		ret = settle_dotdot(pptrs, names, dir.inode.ino, found, count);
	if (!ret)
		ret = dir_edit_write(m, &dir);
	if (!ret)
		say_done(m, found, count, dropped, any_given);
	dir_edit_end(&dir);
	free(found);
	free(dropped);
	return ret == -ENOSPC || ret == -EMLINK ? 0 : ret;
}

int mend_dir(struct mend *m, const struct found *found, size_t count)
{
	struct mend_pptrs pptrs = { .m = m };
	struct dir_links links = { 0 };
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		ret = mend_pptrs_want(&pptrs, found[i].place.ino);
	if (!ret)
		ret = dir_links_settle(m, &pptrs, found, count, &links);
	for (size_t i = 0, n; i < count && !ret && !mend_exhausted(m); i += n) {
		n = mend_of_one_inode(found + i, count - i);
		if (found[i].place.ino.v != NULL_INO && !innocent(&links, found + i, n))
			ret = mend_one(m, &pptrs, &links, found + i, n);
	}
	dir_links_free(&links);
	mend_pptrs_free(&pptrs);
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Breaks loops of directories that are not connected to a root (ondisk 06, invariant 7).  One directory of each loop
 * loses its entry in it or, if it has none, gets the root as `..`.  The next check reports it as an orphan, and it is
 * reconnected with everything below it: to the parent in its parent pointer, if the right directory was chosen.
 */
#include <errno.h>
#include <stdlib.h>

#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend/make/mend_dir.h"
#include "mend/make/mend_new_inode.h"
#include "mend/make/mend_pptrs.h"
#include "repair.h"
#include "sets/ordered.h"

struct circles {
	struct mend *m;
	struct mend_pptrs pptrs;
	const struct found *found; /* F_TREE_UNREACHABLE, by inode; `got` is the parent by `..` */
	size_t count;
	bool *seen; /* per finding: the path upwards from it was followed */
};

static size_t find_directory(const struct circles *c, xino_t ino)
{
	return ordered_find(c->found, c->count, MEMBER(c->found, place.ino), ino.v);
}

static xino_t parent_of(const struct circles *c, size_t at)
{
	return (xino_t){ c->found[at].problem.got };
}

/* Sets *ret if a parent pointer of the directory names a parent that is not below the directory itself. */
static int belongs_elsewhere(struct circles *c, size_t at, bool *ret)
{
	const struct dir_table *dirs = &c->m->now->dirs;
	const xino_t ino = c->found[at].place.ino;
	struct pptr_name *const *names;
	size_t count;
	int error = mend_pptrs_of_child(&c->pptrs, ino, &names, &count);

	*ret = false;
	for (size_t i = 0; i < count && !error; i++)
		*ret |= dir_table_find(dirs, names[i]->parent) < dirs->count &&
			!dir_table_below(dirs, names[i]->parent, ino);
	return error;
}

/*
 * Reads the parent of this directory, and removes the directory's entries in it.  *ret_named: there were any.  Returns
 * as dir_edit_begin().
 */
static int begin_above(struct circles *c, size_t at, struct dir_edit *dir, bool *ret_named)
{
	const xino_t ino = c->found[at].place.ino;
	int ret = dir_edit_begin(c->m, parent_of(c, at), dir);

	*ret_named = false;
	for (size_t i = 2; !ret && i < dir->names.count; i++) {
		if (dir->names.names[i].ino.v != ino.v)
			continue;
		dir_names_remove(&dir->names, i, DROP_CIRCLE);
		*ret_named = true;
	}
	return ret;
}

/* Sets *ret_named if the directory has an entry in its parent. 0 or negative errno. */
static int is_named(struct circles *c, size_t at, bool *ret_named)
{
	struct dir_edit dir;
	int ret = begin_above(c, at, &dir, ret_named);

	if (!ret)
		dir_edit_end(&dir);
	return ret == -ENOENT ? 0 : ret;
}

/* Removes the directory's entry from its parent. *ret_named: there was one. 0 or negative errno. */
static int unname(struct circles *c, size_t at, bool *ret_named)
{
	struct dir_edit dir;
	int ret = begin_above(c, at, &dir, ret_named);

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	if (*ret_named)
		ret = dir_edit_write(c->m, &dir);
	dir_edit_end(&dir);
	return ret;
}

/* Sets `..` to the root of its tree, for a directory without an entry in its parent or that is its own parent. */
static int lead_to_root(struct circles *c, size_t at)
{
	const struct geometry *geo = &c->m->now->geo;
	struct dir_edit dir;
	xino_t from, root;
	int ret = dir_edit_begin(c->m, c->found[at].place.ino, &dir);

	if (ret)
		return ret;
	from = dir.names.names[1].ino;
	root = dir.inode.inode.metadata ? geo->metadirino : geo->rootino;
	dir.names.names[1].ino = root;
	ret = root.v == NULL_INO ? -ENOENT : dir_edit_write(c->m, &dir);
	dir_edit_end(&dir);
	/* the mender that reconnects it moves this link from the root to the new parent */
	return ret ? ret : mend_nlink_moved(c->m, from, root);
}

static int take_out(struct circles *c, size_t at)
{
	bool named;
	int ret = unname(c, at, &named);

	if (!ret && (!named || parent_of(c, at).v == c->found[at].place.ino.v))
		ret = lead_to_root(c, at);
	if (!ret)
		mend_done(c->m, &c->found[at]);
	return mend_left(c->m, &c->found[at], 1, ret);
}

/* Rates removing this directory from its loop: 2: it has no entry in it; 1: it belongs elsewhere; else 0. */
static int merit_of(struct circles *c, size_t at, unsigned *ret_merit)
{
	bool named, elsewhere = false;
	int ret = is_named(c, at, &named);

	if (!ret && named)
		ret = belongs_elsewhere(c, at, &elsewhere);
	*ret_merit = !named ? 2 : elsewhere ? 1 : 0;
	return ret;
}

/* Follows the path upwards from a directory; if it loops, removes the directory with the highest rating. */
static int break_circle(struct circles *c, size_t start)
{
	size_t at = start, chosen = start;
	unsigned best = 0;
	int ret = 0;

	while (at < c->count && !c->seen[at] && !ret) {
		unsigned merit;

		c->seen[at] = true;
		ret = merit_of(c, at, &merit);
		if (merit > best) {
			best = merit;
			chosen = at;
		}
		at = find_directory(c, parent_of(c, at));
	}
	/* if the path ends elsewhere, the directory is not part of a loop itself */
	return ret || at != start ? ret : take_out(c, chosen);
}

int mend_circle(struct mend *m, const struct found *found, size_t count)
{
	struct circles c = { m, { .m = m }, found, count, calloc(count, sizeof(*c.seen)) };
	int ret = c.seen ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && !ret; i++)
		ret = mend_pptrs_want(&c.pptrs, found[i].place.ino);
	for (size_t i = 0; i < count && !ret; i++)
		if (!c.seen[i])
			ret = break_circle(&c, i);
	free(c.seen);
	mend_pptrs_free(&c.pptrs);
	return ret;
}

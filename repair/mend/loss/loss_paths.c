/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the paths of what is lost, changed or gained.  To look through all directories takes about as long as one of
 * the account's traversals, so each inode is looked for on one side first, and on the other one only if that has no
 * path.
 */
#include "loss.h"

#include <errno.h>
#include <stdlib.h>

#include "loss_fact.h"
#include "names/paths.h"
#include "repair.h"
#include "report/report_losses.h"
#include "run.h"

static int add_inode(struct ino_set *inos, xino_t ino)
{
	return ino.v && ino.v != NULL_INO ? ino_set_put(inos, ino) : 0;
}

/* Add the inodes whose paths are told with a loss, other than where something is now. */
static int add_inodes_of(struct ino_set *inos, const struct loss *l)
{
	const bool named = l->kind == LOSS_NAME;
	int ret = named ? add_inode(inos, l->dir) : 0;

	return !ret && (!named || l->witness == WITNESS_COUNT) ? add_inode(inos, l->ino) : ret;
}

/* Add inodes whose whole path is not among these; NULL: all of them. */
static int add_pathless(struct ino_set *inos, const struct ino_set *of, struct paths *paths)
{
	xino_t *all = ino_set_sorted(of);
	int ret = all ? 0 : -ENOMEM;

	for (size_t i = 0; all && i < ino_set_count(of) && !ret; i++) {
		struct path path;

		paths_find(paths, all[i], &path);
		if (path.kind != PATH_WHOLE)
			ret = ino_set_put(inos, all[i]);
	}
	free(all);
	return ret;
}

/* was: inodes that are told by the path that they had; is: by that which they have now. 0 or -ENOMEM. */
static int sort_inodes(const struct loss_list *list, bool gained, struct ino_set *was, struct ino_set *is)
{
	int ret = 0;

	for (size_t i = 0; i < list->count && !ret; i++) {
		const struct loss *l = &list->all[i];

		if (l->fate == FATE_GAINED && !gained && losses_left_out(l))
			continue;
		ret = add_inodes_of(l->fate == FATE_GAINED ? is : was, l);
		if (!ret && l->kind == LOSS_NAME)
			ret = add_inode(is, l->now_dir);
	}
	return ret;
}

/* The directories that name these inodes, as far as the first check has found out. 0 or -ENOMEM. */
static int add_namers(const struct repair *rc, const struct ino_set *inos, struct ino_set *near)
{
	xino_t *all = rc->paths ? ino_set_sorted(inos) : NULL;
	int ret = rc->paths && !all ? -ENOMEM : 0;

	for (size_t i = 0; all && i < ino_set_count(inos) && !ret; i++)
		ret = paths_directories(rc->paths, all[i], near);
	free(all);
	return ret;
}

void loss_paths(struct repair *rc, struct repair *again, const struct loss_list *list, bool gained,
		struct paths **ret_before, struct paths **ret_after)
{
	struct ino_set was = { 0 }, is = { 0 }, before = { 0 }, near = { 0 };
	int ret = sort_inodes(list, gained, &was, &is);

	/* what has no path now is told by the one that it had, and the other way round */
	if (!ret)
		ret = add_pathless(&before, &was, NULL);
	if (!ret)
		ret = add_pathless(&before, &is, NULL);
	if (!ret)
		ret = add_namers(rc, &before, &near);
	if (!ret) {
		view_show(rc, SIDE_BEFORE);
		paths_seek(rc, &before, &near, ret_before);
		view_show(rc, SIDE_AFTER);
		ret = add_pathless(&is, &was, *ret_before);
	}
	if (!ret)
		paths_seek(again, &is, &near, ret_after);
	ino_set_free(&near);
	ino_set_free(&was);
	ino_set_free(&is);
	ino_set_free(&before);
}

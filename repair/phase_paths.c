/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the paths of the inodes that findings are about.  First it reads few blocks near them: the directory that a
 * `..` points to has the entry of the directory with that `..`, and parent pointers give the names of files.  If some
 * inode still has no name, it reads all directories.  It then keeps the names of all directories, if there is room;
 * otherwise directories further up may need more such readings, whose number is limited.
 */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "check/facts.h"
#include "log/log_losses.h"
#include "names/names_seen.h"
#include "check/prove.h"
#include "report.h"
#include "report/finding_text.h"
#include "report/findings.h"
#include "repair.h"
#include "run.h"
#include "check/walk/traverse.h"

#define FAR_MAX	   3  /* times that all directories are read, at most */
#define ROUNDS_MAX 64 /* of searching near the inodes */

struct search {
	struct repair *rc;
	struct names *names;
	struct ino_set near;		/* inodes that were traversed for names or parent pointers */
	struct ino_set asked;		/* directories whose entries were looked for in the parent of their `..` */
	struct ino_set nameless;	/* inodes without any entry, by findings */
	struct ino_set sought;		/* inodes whose names were looked for in all directories */
	bool sought_dirs;		/* the names of all directories were looked for there, too */
	const struct ino_set *hints;	/* directories to search first; NULL: none */
	const struct names_seen *seen;	/* all names, searched before anything is read; NULL: none are kept */
	struct traverse *near_traverse; /* for searching near the inodes; NULL: not made yet */
	xino_t *fresh;			/* inodes added since want_ancestors() emptied this list */
	size_t nfresh, fresh_room;
};

/*
 * True if all directories have been searched for names of this inode.  An inode that was added after that search is a
 * directory, since it has or had entries.  The search included it if it is in the table of directories, or if there was
 * room for every inode that is a directory by the type in its entry.
 */
static bool is_sought(const struct search *s, xino_t ino)
{
	const struct dir_table *dirs = &s->rc->dirs;

	if (ino_set_has(&s->sought, ino))
		return true;
	return s->sought_dirs && (names_know_directories(s->names) || dir_table_find(dirs, ino) < dirs->count);
}

/* Wants the names of an inode, except of roots and inodes that the superblock names.  Returns 0 or -ENOMEM. */
static int want(struct search *s, xino_t ino)
{
	const struct geometry *geo = &s->rc->geo;
	int ret;

	if (!ino.v || !ino_valid(geo, ino) || dir_is_root(geo, ino) || paths_internal(geo, ino))
		return 0;
	ret = names_want(s->names, ino);
	if (ret <= 0)
		return ret;
	return array_add(s->fresh, s->fresh_room, s->nfresh, ino);
}

/* Wants the names of the inodes that shown findings are about, or that their messages mention.  0 or -ENOMEM. */
static int want_of_findings(struct search *s)
{
	struct findings *findings = s->rc->findings;
	const struct found *found;
	int ret = 0;

	findings_settle(findings);
	while (!ret && (found = findings_next_shown(findings))) {
		if (found->problem.finding == F_INODE_ORPHAN)
			ret = ino_set_put(&s->nameless, found->place.ino);
		if (!ret)
			ret = want(s, finding_text_place_inode(&found->place));
		if (!ret)
			ret = want(s, finding_text_got_inode(&found->problem));
		if (!ret)
			ret = want(s, finding_text_want_inode(&found->problem));
	}
	findings_rewind(findings);
	return ret;
}

/* Wants the names of inodes that menders reconnected.  Returns 0 or -ENOMEM. */
static int want_reattached(struct search *s)
{
	const struct reattachments *list = &s->rc->run->reattached;
	int ret = 0;

	for (size_t i = 0; i < list->count && !ret; i++)
		ret = want(s, list->all[i].ino);
	return ret;
}

/* Wants the names of an inode's parents, by its `..` and by its known entries.  Returns 0 or -ENOMEM. */
static int want_parents(struct search *s, xino_t ino)
{
	const struct dir_table *dirs = &s->rc->dirs;
	size_t count, dir = dir_table_find(dirs, ino);
	struct known_name *const *known = names_of(s->names, ino, &count);
	int ret = dir < dirs->count ? want(s, dir_table_at(dirs, dir).parent) : 0;

	for (size_t k = 0; k < count && !ret; k++)
		ret = want(s, known[k]->directory);
	return ret;
}

/* Wants the names of all directories above wanted inodes, as far up as is known.  Returns 0 or -ENOMEM. */
static int want_ancestors(struct search *s)
{
	const struct ino_set *wanted = names_wanted(s->names);
	const size_t total = ino_set_count(wanted);
	xino_t *all = ino_set_sorted(wanted);
	int ret = all ? 0 : -ENOMEM;

	s->nfresh = 0;
	for (size_t i = 0; i < total && !ret; i++)
		ret = want_parents(s, all[i]);
	for (size_t i = 0; i < s->nfresh && !ret; i++)
		ret = want_parents(s, s->fresh[i]);
	free(all);
	return ret;
}

static int traverse_for_names(struct search *s, struct traverse **ret_traverse)
{
	const struct repair *rc = s->rc;
	const struct scope scope = { .names = true, .pptrs = rc->geo.parent, .pptrs_of = names_kept(s->names) };
	const struct sink sink = names_sink(s->names, &rc->run->key);

	return facts_traverse(rc, &rc->geo, &scope, &sink, ret_traverse);
}

/* Adds to *todo an inode that may have wanted names, unless it was traversed and not `again`.  0 or -ENOMEM. */
static int go_into(struct search *s, xino_t ino, bool again, struct ino_set *todo)
{
	int ret;

	if (!ino.v || !ino_valid(&s->rc->geo, ino))
		return 0;
	ret = ino_set_add(&s->near, ino);
	if (ret > 0 || (!ret && again))
		ret = ino_set_add(todo, ino);
	return ret < 0 ? ret : 0;
}

/* Adds to *todo the parent by a directory's `..`, even if it was traversed for other names; once for each directory. */
static int go_up(struct search *s, struct dir_parent dir, struct ino_set *todo)
{
	int ret = ino_set_add(&s->asked, dir.dir);

	return ret > 0 ? go_into(s, dir.parent, true, todo) : ret;
}

/*
 * Adds to *todo the inodes that may give an inode's name: the directories in its parent pointers, the parent of a
 * directory, and, for its own parent pointers, a file or a directory without any entry.  *files: number of those last.
 */
static int choose_near(struct search *s, xino_t ino, size_t *files, struct ino_set *todo)
{
	const struct dir_table *dirs = &s->rc->dirs;
	size_t count, dir = dir_table_find(dirs, ino);
	struct known_name *const *known = names_of(s->names, ino, &count);
	int ret = 0;

	for (size_t k = 0; k < count && !ret; k++) {
		if (known[k]->former)
			ret = go_into(s, known[k]->directory, false, todo);
	}
	if (dir < dirs->count && !ret)
		ret = go_up(s, dir_table_at(dirs, dir), todo);
	if (dir < dirs->count && !ino_set_has(&s->nameless, ino))
		return ret;
	if (s->rc->geo.parent && !ret && (*files)++ < facts_near_most(s->rc))
		ret = go_into(s, ino, false, todo);
	return ret;
}

/* Adds the hints to *todo, unless there are too many to traverse one by one.  Returns 0 or -ENOMEM. */
static int choose_hints(struct search *s, struct ino_set *todo)
{
	xino_t *all = s->hints ? ino_set_sorted(s->hints) : NULL;
	const size_t count = s->hints ? ino_set_count(s->hints) : 0;
	int ret = s->hints && !all ? -ENOMEM : 0;

	if (count <= facts_near_most(s->rc))
		for (size_t i = 0; !ret && i < count; i++)
			ret = go_into(s, all[i], false, todo);
	free(all);
	s->hints = NULL;
	return ret;
}

/*
 * Traverses inodes that may name wanted ones, until nothing new turns up.  Skips inodes that were looked for in all
 * directories, since all their names are known.
 */
static int look_near(struct search *s)
{
	size_t most = ino_set_count(&s->near) + facts_near_most(s->rc);
	bool done = false;
	int ret = 0;

	for (unsigned round = 0; !ret && !done && round < ROUNDS_MAX && ino_set_count(&s->near) < most; round++) {
		const struct ino_set *wanted = names_wanted(s->names);
		struct ino_set todo = { 0 };
		xino_t *all = ino_set_sorted(wanted), *inos = NULL;
		size_t files = 0;

		ret = all ? choose_hints(s, &todo) : -ENOMEM;
		for (size_t i = 0; !ret && i < ino_set_count(wanted) && ino_set_count(&s->near) < most; i++)
			if (!is_sought(s, all[i]))
				ret = choose_near(s, all[i], &files, &todo);
		free(all);
		done = ino_set_count(&todo) == 0;
		if (!ret && !done)
			inos = ino_set_sorted(&todo);
		if (!ret && !done && !s->near_traverse)
			ret = traverse_for_names(s, &s->near_traverse);
		if (!ret && !done)
			ret = inos ? facts_traverse_these(s->rc, s->near_traverse, inos, ino_set_count(&todo))
				   : -ENOMEM;
		if (!ret)
			ret = names_settle(s->names);
		if (!ret)
			ret = want_ancestors(s);
		free(inos);
		ino_set_free(&todo);
	}
	return ret;
}

/* True if no directory names an inode, and its own parent pointers have been read. */
static bool is_nameless(const struct search *s, xino_t ino)
{
	return ino_set_has(&s->nameless, ino) && (ino_set_has(&s->near, ino) || !s->rc->geo.parent);
}

/*
 * Sets *ret_any if a search of all directories may name some wanted inode: it has no known entry, was not part of such
 * a search before, and no finding says that it has no entry.  Returns 0 or -ENOMEM.
 */
static int any_unnamed(const struct search *s, bool *ret_any)
{
	const struct ino_set *wanted = names_wanted(s->names);
	xino_t *all = ino_set_sorted(wanted);

	if (!all)
		return -ENOMEM;
	*ret_any = false;
	for (size_t i = 0; i < ino_set_count(wanted) && !*ret_any; i++) {
		size_t count;
		struct known_name *const *known = names_of(s->names, all[i], &count);

		*ret_any = (!count || known[0]->former) && !is_sought(s, all[i]) && !is_nameless(s, all[i]);
	}
	free(all);
	return 0;
}

/*
 * Keeps the names of all directories in the next traversal, if there is room: the paths of wanted inodes will need
 * them.
 */
static int keep_directories(struct search *s)
{
	const size_t most = s->rc->run->memory.records / 2 / NAME_BYTES;
	const struct dir_table *dirs = &s->rc->dirs;
	int ret = 0;

	if (dirs->count > most)
		return 0;
	for (size_t i = 0; i < dirs->count && ret >= 0; i++)
		ret = names_keep(s->names, dir_table_at(dirs, i).dir);
	if (s->rc->geo.ftype)
		names_keep_directories(s->names, most);
	s->sought_dirs = ret >= 0;
	return ret < 0 ? ret : 0;
}

/* Searches all directories for the names of wanted inodes. */
static int look_everywhere(struct search *s)
{
	struct traverse *t = NULL;
	int ret = ino_set_put_all(&s->sought, names_wanted(s->names));

	if (!ret && !s->sought_dirs)
		ret = keep_directories(s);
	if (!ret)
		ret = traverse_for_names(s, &t);
	if (!ret)
		ret = facts_traverse_all(s->rc, t);
	traverse_free(t);
	if (!ret)
		ret = names_settle(s->names);
	return ret ? ret : want_ancestors(s);
}

/* Looks for the names in those that were seen, and for the names of directories with them.  Returns 0 or -ENOMEM. */
static int look_through(struct search *s)
{
	const struct sink sink = names_sink(s->names, &s->rc->run->key);
	int ret = keep_directories(s);

	if (!ret)
		names_seen_tell(s->seen, &sink);
	return ret ? ret : names_settle(s->names);
}

static int search(struct search *s)
{
	bool unnamed = true;
	int ret = s->seen ? look_through(s) : 0;

	if (!ret)
		ret = want_ancestors(s);
	if (!ret && s->seen) {
		ret = any_unnamed(s, &unnamed);
		s->sought_dirs = false; /* parent pointers were not among those */
	}
	for (unsigned far = 0; !ret && unnamed; far++) {
		ret = look_near(s);
		if (!ret)
			ret = any_unnamed(s, &unnamed);
		if (far == FAR_MAX)
			break;
		if (!ret && unnamed)
			ret = look_everywhere(s);
	}
	return ret;
}

/* Wants the names of the inodes of a set.  Returns 0 or -ENOMEM. */
static int want_set(struct search *s, const struct ino_set *inos)
{
	xino_t *all = ino_set_sorted(inos);
	int ret = all ? 0 : -ENOMEM;

	for (size_t i = 0; i < ino_set_count(inos) && !ret; i++)
		ret = want(s, all[i]);
	free(all);
	return ret;
}

/* Finds the paths of the wanted inodes, unless ret, from wanting them, is negative.  Returns 0 or a negative errno. */
static int find_paths(struct search *s, int ret, struct paths **ret_paths)
{
	struct paths *paths = NULL;

	if (!ret && ino_set_count(names_wanted(s->names))) {
		if (s->rc->traverse->damage && !prove_spares_blocks(s->rc))
			memory_keep_blocks(s->rc);
		ret = search(s);
	}
	if (!ret)
		ret = dir_table_error(&s->rc->dirs);
	traverse_free(s->near_traverse);
	ino_set_free(&s->near);
	ino_set_free(&s->asked);
	ino_set_free(&s->nameless);
	ino_set_free(&s->sought);
	free(s->fresh);
	if (!ret)
		paths = paths_new(&s->rc->geo, &s->rc->dirs, s->names);
	if (!paths) {
		names_free(s->names);
		return ret ? ret : -ENOMEM;
	}
	*ret_paths = paths;
	return 0;
}

int paths_seek(struct repair *rc, const struct ino_set *inos, const struct ino_set *near, struct paths **ret_paths)
{
	struct search s = { .rc = rc, .hints = near, .names = names_new(rc->workers) };

	return find_paths(&s, s.names ? want_set(&s, inos) : -ENOMEM, ret_paths);
}

int paths_seek_seen(struct repair *rc, const struct ino_set *inos, const struct names_seen *seen,
		    struct paths **ret_paths)
{
	struct search s = { .rc = rc, .seen = seen, .names = names_new(rc->workers) };

	return find_paths(&s, s.names ? want_set(&s, inos) : -ENOMEM, ret_paths);
}

enum phase_result phase_paths(struct repair *rc)
{
	struct search s = { .rc = rc, .hints = &rc->namers, .names = names_new(rc->workers) };
	int ret = s.names ? log_losses_name(rc) : -ENOMEM;

	if (!ret)
		ret = want_of_findings(&s);
	if (!ret)
		ret = want_reattached(&s);
	if (find_paths(&s, ret, &rc->paths))
		report_note(rc->report, "The paths of the affected inodes could not be determined.");
	return PHASE_DONE;
}

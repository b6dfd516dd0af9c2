/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * First it reads few blocks: the directory that a `..` points to has the entry of the directory with that `..`, and
 * parent pointers give the names of files.  If some inode still has no name, it reads all directories.  It then keeps
 * the names of all directories, if there is room; otherwise directories further up may need more such readings, whose
 * number is limited.
 */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "check/facts.h"
#include "check/prove.h"
#include "check/walk/traverse.h"
#include "repair.h"
#include "run.h"
#include "search.h"
#include "sets/ordered.h"

#define FAR_MAX	   3	/* times that all directories are read, at most */
#define ROUNDS_MAX 64	/* of searching near the inodes, ... */
#define DEEPEST	   4096 /* ... of searching for all names: the levels of directories */

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

int search_want(struct search *s, xino_t ino)
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

/* Returns the target of a directory's `..`; 0: none is known. */
static xino_t parent_of(const struct search *s, xino_t ino)
{
	const struct dir_table *dirs = &s->rc->dirs;
	const size_t dir = dir_table_find(dirs, ino);
	const size_t up = ordered_find(s->ups, s->nups, MEMBER(s->ups, dir), ino.v);

	if (dir < dirs->count)
		return dir_table_at(dirs, dir).parent;
	return up < s->nups ? s->ups[up].parent : (xino_t){ 0 };
}

/* Wants the names of an inode's parents, by its `..` and by its known entries.  Returns 0 or -ENOMEM. */
static int want_parents(struct search *s, xino_t ino)
{
	size_t count;
	struct known_name *const *known = names_of(s->names, ino, &count);
	int ret = search_want(s, parent_of(s, ino));

	for (size_t k = 0; k < count && !ret; k++)
		ret = search_want(s, known[k]->directory);
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

/* ---- traversals ---- */

static void add_entry(void *ctx, unsigned worker, const struct entry_fact *e)
{
	struct search *s = ctx;
	const struct sink sink = names_sink(s->names, &s->rc->run->key);

	if (e->dotdot && ino_set_has(names_wanted(s->names), e->directory)) {
		pthread_mutex_lock(&s->lock);
		if (!s->error)
			s->error =
				array_add(s->ups, s->ups_room, s->nups, (struct dir_parent){ e->directory, e->target });
		pthread_mutex_unlock(&s->lock);
	}
	sink_tell(&sink, entry, worker, e);
}

static void add_pptr(void *ctx, unsigned worker, const struct pptr_fact *p)
{
	const struct search *s = ctx;
	const struct sink sink = names_sink(s->names, &s->rc->run->key);

	sink_tell(&sink, pptr, worker, p);
}

static int traverse_for_names(struct search *s, struct traverse **ret_traverse)
{
	static const struct sink_ops ops = { .entry = add_entry, .pptr = add_pptr };
	const struct repair *rc = s->rc;
	const struct scope scope = {
		.wary = s->wary, .names = true, .pptrs = rc->geo.parent, .pptrs_of = names_kept(s->names)
	};
	const struct sink sink =
		rc->dirs.count ? names_sink(s->names, &rc->run->key) : (struct sink){ &ops, s, &rc->run->key };

	return facts_traverse(rc, &rc->geo, &scope, &sink, ret_traverse);
}

void search_doubt(struct search *s, const struct traverse *t)
{
	s->doubtful |= s->wary && (t->incomplete || t->damage);
}

/* Adds what a traversal has found, unless that failed with ret; wants directories above it.  0 or a negative errno. */
static int settle(struct search *s, int ret)
{
	if (!ret)
		ret = s->error ? s->error : names_settle(s->names);
	if (s->nups)
		s->nups = ordered_unique(s->ups, s->nups, MEMBERS(MEMBER(s->ups, dir), MEMBER(s->ups, parent)));
	return ret ? ret : want_ancestors(s);
}

/* ---- near the inodes ---- */

static int go_into(const struct search *s, xino_t ino, struct ino_set *todo)
{
	return ino.v && ino_valid(&s->rc->geo, ino) ? ino_set_put(todo, ino) : 0;
}

/*
 * Adds to *todo the inodes that may give an inode's name, each once: itself, if it is not known as a directory with an
 * entry, for its parent pointers; then the directories that these and its `..` point to, even if they were traversed
 * for other names.
 */
static int choose_near(struct search *s, xino_t ino, struct ino_set *todo)
{
	const struct dir_table *dirs = &s->rc->dirs;
	const bool listed = dir_table_find(dirs, ino) < dirs->count && !s->lacks && !ino_set_has(&s->nameless, ino);
	size_t count;
	struct known_name *const *known = names_of(s->names, ino, &count);
	int ret = 0;

	if (!listed && (s->rc->geo.parent || !dirs->count)) {
		ret = ino_set_add(&s->itself, ino);
		if (ret)
			return ret < 0 ? ret : go_into(s, ino, todo);
	}
	ret = ino_set_add(&s->asked, ino);
	if (ret <= 0)
		return ret;
	ret = go_into(s, parent_of(s, ino), todo);
	for (size_t k = 0; k < count && !ret; k++)
		if (known[k]->former && !names_has_entry(known, count, known[k]))
			ret = go_into(s, known[k]->directory, todo);
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
			ret = go_into(s, all[i], todo);
	free(all);
	s->hints = NULL;
	return ret;
}

/* Adds to *todo what may name wanted inodes, no more than so many; not for those whose names are all known. */
static int choose_all(struct search *s, size_t most, struct ino_set *todo)
{
	const struct ino_set *wanted = names_wanted(s->names);
	xino_t *all = ino_set_sorted(wanted);
	int ret = all ? choose_hints(s, todo) : -ENOMEM;

	for (size_t i = 0; !ret && i < ino_set_count(wanted) && ino_set_count(todo) < most; i++)
		if (!is_sought(s, all[i]))
			ret = choose_near(s, all[i], todo);
	free(all);
	return ret;
}

/* Traverses inodes one by one. */
static int look_into(struct search *s, const struct ino_set *todo)
{
	xino_t *inos = ino_set_sorted(todo);
	int ret = inos ? 0 : -ENOMEM;

	if (!ret && !s->near_traverse)
		ret = traverse_for_names(s, &s->near_traverse);
	if (!ret)
		ret = facts_traverse_these(s->rc, s->near_traverse, inos, ino_set_count(todo));
	if (!ret)
		search_doubt(s, s->near_traverse);
	s->reads += ino_set_count(todo);
	free(inos);
	return settle(s, ret);
}

/* Traverses inodes that may name wanted ones, until nothing new turns up. */
static int look_near(struct search *s)
{
	const size_t most = s->reads + facts_near_most(s->rc);
	const unsigned rounds = s->lacks ? DEEPEST : ROUNDS_MAX;
	int ret = 0;

	s->cut = true;
	for (unsigned round = 0; !ret && s->cut && round < rounds && s->reads < most && !s->doubtful; round++) {
		struct ino_set todo = { 0 };

		ret = choose_all(s, most - s->reads, &todo);
		s->cut = ino_set_count(&todo) > 0;
		if (!ret && s->cut)
			ret = look_into(s, &todo);
		ino_set_free(&todo);
	}
	return ret;
}

/* ---- in all directories ---- */

/* True if no directory names an inode, and its own parent pointers have been read. */
static bool is_nameless(const struct search *s, xino_t ino)
{
	return ino_set_has(&s->nameless, ino) && (ino_set_has(&s->itself, ino) || !s->rc->geo.parent);
}

static bool lacks_name(const struct search *s, xino_t ino)
{
	size_t count;
	struct known_name *const *known = names_of(s->names, ino, &count);

	return (!count || known[0]->former) && !is_nameless(s, ino);
}

/*
 * Sets *ret_any if a search of all directories may name some wanted inode: it lacks a name, was not part of such a
 * search before, and no finding says that it has no entry.  Returns 0 or -ENOMEM.
 */
static int any_unnamed(const struct search *s, bool *ret_any)
{
	const struct ino_set *wanted = names_wanted(s->names);
	xino_t *all = ino_set_sorted(wanted);

	if (!all)
		return -ENOMEM;
	*ret_any = false;
	for (size_t i = 0; i < ino_set_count(wanted) && !*ret_any; i++)
		*ret_any = (s->lacks ? s->lacks : lacks_name)(s, all[i]) && !is_sought(s, all[i]);
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

static int read_directories(struct search *s)
{
	struct traverse *t = NULL;
	int ret = traverse_for_names(s, &t);

	if (!ret)
		ret = facts_traverse_all(s->rc, t);
	if (!ret)
		search_doubt(s, t);
	traverse_free(t);
	return ret;
}

static void look_through(const struct search *s, const struct names_noted *noted)
{
	const struct sink sink = names_sink(s->names, &s->rc->run->key);

	names_noted_tell(noted, &sink);
}

/* Searches all directories for the names of wanted inodes. */
static int look_everywhere(struct search *s)
{
	int ret = ino_set_put_all(&s->sought, names_wanted(s->names));

	if (!ret && !s->sought_dirs)
		ret = keep_directories(s);
	if (!ret && s->whole)
		look_through(s, s->whole);
	else if (!ret)
		ret = read_directories(s);
	return settle(s, ret);
}

/* Looks for the names in those that were noted, and for the names of directories with them.  Returns 0 or -ENOMEM. */
static int look_at_noted(struct search *s)
{
	int ret = keep_directories(s);

	if (!ret)
		look_through(s, s->noted);
	return ret ? ret : names_settle(s->names);
}

/*
 * True if there is no use in a search of all directories: before a check, a name that parent pointers don't lead to is
 * damage.
 */
static bool ends_near(const struct search *s)
{
	return s->doubtful || (s->wary && s->rc->geo.parent && !s->cut);
}

int search_run(struct search *s)
{
	bool unnamed = true;
	int ret;

	if (!ino_set_count(names_wanted(s->names)))
		return 0;
	if (s->rc->traverse && s->rc->traverse->damage && !prove_spares_blocks(s->rc))
		memory_keep_blocks(s->rc);
	ret = s->noted ? look_at_noted(s) : 0;
	if (!ret)
		ret = want_ancestors(s);
	if (!ret && s->noted) {
		ret = any_unnamed(s, &unnamed);
		s->sought_dirs = false; /* parent pointers were not among those */
	}
	for (unsigned far = 0; !ret && unnamed; far++) {
		ret = look_near(s);
		if (!ret)
			ret = any_unnamed(s, &unnamed);
		if (far == FAR_MAX || ends_near(s))
			break;
		if (!ret && unnamed)
			ret = look_everywhere(s);
	}
	return ret;
}

int search_begin(struct search *s, struct repair *rc)
{
	*s = (struct search){ .rc = rc, .names = names_new(rc->workers), .lock = PTHREAD_MUTEX_INITIALIZER };
	return s->names ? 0 : -ENOMEM;
}

int search_end(struct search *s, int ret, struct paths **ret_paths)
{
	struct paths *paths = NULL;

	if (!ret)
		ret = dir_table_error(&s->rc->dirs);
	traverse_free(s->near_traverse);
	ino_set_free(&s->itself);
	ino_set_free(&s->asked);
	ino_set_free(&s->nameless);
	ino_set_free(&s->sought);
	pthread_mutex_destroy(&s->lock);
	free(s->ups);
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

/* Finds the paths of the inodes of a set.  near, noted, whole: as in struct search. */
static int seek(struct repair *rc, const struct ino_set *inos, const struct ino_set *near,
		const struct names_noted *noted, const struct names_noted *whole, struct paths **ret_paths)
{
	struct search s;
	xino_t *all = ino_set_sorted(inos);
	int ret = search_begin(&s, rc);

	if (!all)
		ret = -ENOMEM;
	for (size_t i = 0; i < ino_set_count(inos) && !ret; i++)
		ret = search_want(&s, all[i]);
	free(all);
	s.hints = near;
	s.noted = noted;
	s.whole = whole;
	if (!ret)
		ret = search_run(&s);
	return search_end(&s, ret, ret_paths);
}

int paths_seek(struct repair *rc, const struct ino_set *inos, const struct ino_set *near,
	       const struct names_noted *whole, struct paths **ret_paths)
{
	return seek(rc, inos, near, NULL, whole, ret_paths);
}

#define NOTED_MOST (64u << 20) /* bytes: 1 million entries, or 4 million pairs of an inode chunk and a directory */

struct names_noted *search_noted(const struct repair *rc, bool few)
{
	const size_t room = rc->run->memory.records / 4, most = room < NOTED_MOST ? room : NOTED_MOST;

	return names_noted_new(rc->workers, most, !few && inodes_expected(rc) <= most / NOTED_BYTES);
}

int paths_seek_noted(struct repair *rc, const struct ino_set *inos, const struct names_noted *noted,
		     struct paths **ret_paths)
{
	struct ino_set near = { 0 };
	int ret;

	if (names_noted_whole(noted))
		return seek(rc, inos, NULL, noted, NULL, ret_paths);
	ret = names_noted_near(noted, inos, &near);
	if (!ret)
		ret = seek(rc, inos, &near, NULL, NULL, ret_paths);
	ino_set_free(&near);
	return ret;
}

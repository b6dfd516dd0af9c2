/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the inodes, searches for their names (check/names/search.h), and looks up in the inobt which of them exist.
 * Facts recorded twice must match: an entry for each parent pointer, and as many entries as the link count.
 */
#include "name_search.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "check/facts.h"
#include "check/walk/traverse.h"
#include "disk/inobt.h"
#include "check/names/search.h"
#include "repair.h"
#include "run.h"
#include "sets/ordered.h"

/* A requested inode, except those that need no name. */
struct asked {
	xino_t ino;
	uint32_t links;
	enum name_state state;
	bool in_use, is_dir;
};

struct name_search {
	struct search search; /* comes first: see lacks() */
	struct paths *paths;  /* set at the end */
	struct asked *all;    /* sorted by inode number */
	size_t count;
	size_t most;	      /* names kept per inode */
	pthread_mutex_t lock; /* for facts about `all` */
};

static struct asked *find(const struct name_search *s, xino_t ino)
{
	const size_t i = ordered_find(s->all, s->count, MEMBER(s->all, ino), ino.v);

	return i < s->count ? &s->all[i] : NULL;
}

/* Returns the number of its entries. *ret_former: a parent pointer has no matching entry. */
static size_t entries_of(const struct search *s, xino_t ino, bool *ret_former)
{
	size_t count, entries = 0;
	struct known_name *const *known = names_of(s->names, ino, &count);

	*ret_former = false;
	for (size_t i = 0; i < count; i++) {
		entries += !known[i]->former;
		*ret_former |= known[i]->former && !names_has_entry(known, count, known[i]);
	}
	return entries;
}

/* True unless all entries of a wanted inode are known, and parent pointers match. Directories have one entry. */
static bool lacks(const struct search *search, xino_t ino)
{
	const struct name_search *s = (const struct name_search *)search;
	const struct asked *one = find(s, ino);
	bool former;
	const size_t entries = entries_of(search, ino, &former);

	if (former)
		return true;
	return !one || one->is_dir ? entries != 1 : entries != one->links && entries < s->most;
}

/* ---- facts about inodes ---- */

static void add_inode(void *ctx, unsigned worker, const struct dinode *inode)
{
	struct name_search *s = ctx;
	struct asked *one = find(s, inode->ino);

	(void)worker;
	if (!one)
		return;
	pthread_mutex_lock(&s->lock);
	one->in_use = true;
	one->links = inode->nlink;
	one->is_dir = inode->ftype == FT_DIR;
	pthread_mutex_unlock(&s->lock);
}

/* Adds the states of requested inodes in this chunk. */
static void add_chunk(void *ctx, unsigned worker, enum btree_kind kind, agno_t agno, const struct inobt_record *record)
{
	struct name_search *s = ctx;
	const xino_t first = ino_of(&s->search.rc->geo, agno, record->start);
	const uint64_t existing = inobt_existing(record->holemask);

	(void)worker;
	if (kind != BT_INO)
		return;
	pthread_mutex_lock(&s->lock);
	for (size_t i = ordered_from(s->all, s->count, MEMBER(s->all, ino), first.v); i < s->count; i++) {
		const uint64_t at = s->all[i].ino.v - first.v;

		if (at >= INODES_PER_CHUNK)
			break;
		s->all[i].state = !(existing >> at & 1)	   ? NAME_NO_INODE
				  : record->free >> at & 1 ? NAME_FREE
							   : NAME_IN_USE;
	}
	pthread_mutex_unlock(&s->lock);
}

/* Reads the requested inodes. 0 or negative errno. */
static int read_inodes(struct name_search *s)
{
	static const struct sink_ops ops = { .inode = add_inode };
	xino_t *inos = malloc((s->count + 1) * sizeof(*inos));
	int ret = inos ? 0 : -ENOMEM;

	for (size_t i = 0; i < s->count && !ret; i++)
		inos[i] = s->all[i].ino;
	if (!ret && s->count)
		ret = facts_gather_near(s->search.rc, &(const struct scope){ 0 }, inos, s->count, &ops, s);
	free(inos);
	return ret;
}

/* Reads all inobts. 0 or negative errno. */
static int read_inobts(struct name_search *s)
{
	static const struct sink_ops ops = { .chunk = add_chunk };
	const struct scope scope = { .wary = s->search.wary, .shallow = true };
	const struct repair *rc = s->search.rc;
	const struct sink sink = { &ops, s, &rc->run->key };
	struct traverse *t = NULL;
	int ret = facts_traverse(rc, &rc->geo, &scope, &sink, &t);

	if (!ret)
		ret = facts_traverse_all(rc, t);
	if (!ret)
		search_doubt(&s->search, t);
	traverse_free(t);
	return ret;
}

/* Looks up inodes in the inobt that seem free, or that have no name. */
static int read_states(struct name_search *s)
{
	bool unsure = false, former;
	int ret;

	for (size_t i = 0; i < s->count; i++)
		unsure |= !s->all[i].in_use || !entries_of(&s->search, s->all[i].ino, &former);
	ret = unsure ? read_inobts(s) : 0;
	for (size_t i = 0; i < s->count && !ret; i++) {
		struct asked *one = &s->all[i];

		if (one->in_use && (!unsure || entries_of(&s->search, one->ino, &former)))
			one->state = NAME_IN_USE;
		else if (one->state == NAME_IN_USE && !one->in_use)
			one->state = NAME_UNREAD;
		s->search.doubtful |= one->state == NAME_UNREAD;
	}
	return ret;
}

/* ---- the search ---- */

static void doubt_path(void *ctx, const struct path *path)
{
	struct search *s = ctx;

	s->doubtful |= path->kind != PATH_WHOLE && path->kind != PATH_METADATA;
}

/* Checks whether the names of all wanted inodes are consistent. 0 or -ENOMEM. */
static int compare(struct name_search *s, const struct ino_set *wanted)
{
	xino_t *all = ino_set_sorted(wanted);

	for (size_t i = 0; all && i < ino_set_count(wanted); i++) {
		s->search.doubtful |= lacks(&s->search, all[i]);
		paths_each(s->paths, all[i], doubt_path, &s->search);
	}
	free(all);
	return all ? 0 : -ENOMEM;
}

static int search(struct name_search *s)
{
	int ret = read_inodes(s);

	for (size_t i = 0; i < s->count && !ret; i++)
		if (s->all[i].in_use && s->all[i].links)
			ret = search_want(&s->search, s->all[i].ino);
	if (!ret)
		ret = search_run(&s->search);
	if (!ret && !s->search.doubtful)
		ret = read_states(s);
	return ret;
}

/* Keeps the numbers of inodes that need a name. 0 or -ENOMEM. */
static int take_numbers(struct name_search *s, const uint64_t *numbers, size_t count)
{
	const struct geometry *geo = &s->search.rc->geo;
	size_t room = 0;
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		const struct asked one = { .ino = { numbers[i] }, .state = NAME_NO_INODE };

		if (one.ino.v && ino_valid(geo, one.ino) && !dir_is_root(geo, one.ino) && !paths_internal(geo, one.ino))
			ret = array_add(s->all, room, s->count, one);
	}
	if (s->count)
		s->count = ordered_unique(s->all, s->count, MEMBERS(MEMBER(s->all, ino)));
	return ret;
}

/* Sets the most names per inode, the same for all, so that the result for one does not depend on the others' order. */
static void share_names(struct name_search *s)
{
	const size_t share = s->search.rc->run->memory.records / 2 / NAME_BYTES / (s->count + 1);

	s->most = share > NAMES_KEPT ? share : NAMES_KEPT;
	names_keep_more(s->search.names, s->most);
}

int name_search_new(struct repair *rc, const uint64_t *numbers, size_t count, bool after_check,
		    struct name_search **ret_search)
{
	struct name_search *s = calloc(1, sizeof(*s));
	int ret = s ? search_begin(&s->search, rc) : -ENOMEM;

	if (!s)
		return ret;
	pthread_mutex_init(&s->lock, NULL);
	s->search.lacks = lacks;
	s->search.wary = !after_check;
	if (!ret)
		ret = take_numbers(s, numbers, count);
	if (!ret) {
		share_names(s);
		memory_keep_blocks(rc);
		ret = search(s);
	}
	ret = search_end(&s->search, ret, &s->paths);
	if (!ret)
		ret = compare(s, names_wanted(s->search.names));
	if (ret)
		name_search_free(s);
	else
		*ret_search = s;
	return ret;
}

void name_search_free(struct name_search *s)
{
	if (!s)
		return;
	paths_free(s->paths);
	pthread_mutex_destroy(&s->lock);
	free(s->all);
	free(s);
}

bool name_search_doubtful(const struct name_search *s)
{
	return s->search.doubtful;
}

struct named_inode name_search_inode(const struct name_search *s, uint64_t number)
{
	struct named_inode named = { .ino = { number }, .state = NAME_IMPOSSIBLE };
	const struct asked *one = find(s, named.ino);
	bool former;

	if (one) {
		named.state = one->state;
		named.links = one->links;
		named.is_dir = one->is_dir;
		named.names = entries_of(&s->search, one->ino, &former);
		named.cut = named.names >= s->most;
		named.needs_name = true;
	} else if (number && ino_valid(&s->search.rc->geo, named.ino)) {
		named.state = NAME_IN_USE;
	}
	return named;
}

struct paths *name_search_paths(const struct name_search *s)
{
	return s->paths;
}

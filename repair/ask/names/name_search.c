/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Searches in rounds. Each round reads new inodes for their parent pointers and `..`, and the directories found by the
 * previous round for their entries. So there are as many rounds as levels of directories. Facts recorded twice must
 * match: an entry for each parent pointer, and as many entries as the link count.
 */
#include "name_search.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "geometry.h"
#include "repair.h"
#include "run.h"
#include "sets/ordered.h"
#include "sought.h"

#define ROUNDS_MAX 4096 /* the deepest path */

static void sort_all(struct name_search *s)
{
	if (s->count)
		ordered_sort(s->all, s->count, MEMBERS(MEMBER(s->all, ino)));
	s->sorted = s->count;
}

/* Starts to seek the names of an inode, unless it needs none; sort_all() makes it available. 0 or -ENOMEM. */
static int seek(struct name_search *s, xino_t ino, bool asked)
{
	const struct geometry *geo = &s->rc->geo;
	int ret;

	if (!ino.v || !ino_valid(geo, ino) || dir_is_root(geo, ino) || paths_internal(geo, ino))
		return 0;
	ret = ino_set_add(&s->known, ino);
	if (ret <= 0)
		return ret;
	return array_add(s->all, s->room, s->count,
			 (struct sought){ .ino = ino, .asked = asked, .is_dir = !asked, .state = NAME_NO_INODE });
}

/* Starts to seek the directories above an inode that are known. 0 or -ENOMEM. */
static int seek_above(struct name_search *s, xino_t ino, xino_t up)
{
	size_t count;
	struct known_name *const *known = names_of(s->names, ino, &count);
	int ret = seek(s, up, false);

	for (size_t i = 0; i < count && !ret; i++)
		ret = seek(s, known[i]->directory, false);
	return ret;
}

/* The same for all inodes. */
static int seek_above_all(struct name_search *s)
{
	int ret = 0;

	for (size_t i = 0; i < s->sorted && !ret; i++)
		ret = seek_above(s, s->all[i].ino, s->all[i].up);
	sort_all(s);
	return ret;
}

static int go_into(const struct name_search *s, xino_t ino, struct ino_set *todo)
{
	return ino.v && ino_valid(&s->rc->geo, ino) ? ino_set_put(todo, ino) : 0;
}

/* Adds what must be read next for an inode to *todo. */
static int choose(struct name_search *s, struct sought *one, struct ino_set *todo)
{
	size_t count;
	struct known_name *const *known = names_of(s->names, one->ino, &count);
	int ret = 0;

	switch (one->stage) {
	case STAGE_NEW:
		one->stage = STAGE_READ;
		return one->is_dir || s->rc->geo.parent ? go_into(s, one->ino, todo) : 0;
	case STAGE_READ:
		one->stage = STAGE_LOOKED;
		if (one->is_dir)
			ret = go_into(s, one->up, todo);
		for (size_t i = 0; i < count && !ret; i++)
			if (known[i]->former)
				ret = go_into(s, known[i]->directory, todo);
		return ret;
	default:
		return 0;
	}
}

static bool is_through(const struct name_search *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->all[i].stage != STAGE_LOOKED)
			return false;
	return true;
}

static int round_of_reading(struct name_search *s)
{
	struct ino_set todo = { 0 };
	int ret = 0;

	for (size_t i = 0; i < s->count && !ret; i++) {
		if (s->all[i].asked && (!s->all[i].in_use || !s->all[i].links))
			s->all[i].stage = STAGE_LOOKED;
		else
			ret = names_want(s->names, s->all[i].ino);
		if (ret >= 0)
			ret = choose(s, &s->all[i], &todo);
	}
	if (!ret && ino_set_count(&todo))
		ret = sought_read_names(s, &todo);
	ino_set_free(&todo);
	return ret ? ret : seek_above_all(s);
}

static int read_upwards(struct name_search *s)
{
	int ret = 0;

	for (unsigned round = 0; !ret && !is_through(s) && round < ROUNDS_MAX; round++) {
		if (s->doubtful && !s->after_check)
			break;
		ret = round_of_reading(s);
	}
	return ret;
}

static bool needs_names(const struct sought *one)
{
	return one->in_use && one->links;
}

/* Returns the number of its entries. *ret_former: a parent pointer has no matching entry. */
static size_t entries_of(const struct name_search *s, xino_t ino, bool *ret_former)
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

/* True if all its entries are known, and parent pointers match. */
static bool is_named(const struct name_search *s, const struct sought *one)
{
	bool former;
	const size_t entries = entries_of(s, one->ino, &former);

	if (former)
		return false;
	return one->is_dir || !one->asked ? entries == 1 : entries == one->links || entries >= s->most;
}

/* Searches all directories for missing names, if appropriate. */
static int read_everywhere(struct name_search *s)
{
	bool missing = false;
	int ret;

	for (size_t i = 0; i < s->count; i++)
		missing |= needs_names(&s->all[i]) && !is_named(s, &s->all[i]);
	if (!missing || (s->rc->geo.parent && !s->after_check))
		return 0;
	ret = sought_read_names(s, NULL);
	if (!ret)
		ret = seek_above_all(s);
	return ret ? ret : read_upwards(s);
}

/* Looks up inodes in the inobt that seem free, or that have no name. */
static int read_states(struct name_search *s)
{
	bool unsure = false, former;
	int ret;

	for (size_t i = 0; i < s->count; i++)
		unsure |= s->all[i].asked && (!s->all[i].in_use || !entries_of(s, s->all[i].ino, &former));
	ret = unsure ? sought_read_inobts(s) : 0;
	for (size_t i = 0; i < s->count && !ret; i++) {
		struct sought *one = &s->all[i];

		if (!unsure || (one->in_use && entries_of(s, one->ino, &former)))
			one->state = NAME_IN_USE;
		else if (one->state == NAME_IN_USE && !one->in_use)
			one->state = NAME_UNREAD;
		one->in_use = one->state == NAME_IN_USE;
	}
	return ret;
}

static void doubt_path(void *ctx, const struct path *path)
{
	struct name_search *s = ctx;

	s->doubtful |= path->kind != PATH_WHOLE && path->kind != PATH_METADATA;
}

/* Checks whether the results are consistent. */
static void compare(struct name_search *s)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct sought *one = &s->all[i];

		s->doubtful |= one->state == NAME_UNREAD;
		if (!one->in_use || (one->asked && !one->links))
			continue;
		s->doubtful |= !is_named(s, one);
		paths_each(s->paths, one->ino, doubt_path, s);
	}
}

static int search(struct name_search *s)
{
	int ret = sought_read_inodes(s);

	if (!ret)
		ret = read_upwards(s);
	if (!ret && (!s->doubtful || s->after_check))
		ret = read_everywhere(s);
	if (!ret && (!s->doubtful || s->after_check))
		ret = read_states(s);
	if (ret)
		return ret;
	s->paths = paths_new(&s->rc->geo, &s->none, s->names);
	if (!s->paths)
		return -ENOMEM;
	compare(s);
	return 0;
}

/* Sets the most names per inode, the same for all, so that the result for one does not depend on the others' order. */
static void share_names(struct name_search *s)
{
	const size_t share = s->rc->run->memory.records / 2 / NAME_BYTES / (s->count + 1);

	s->most = share > NAMES_KEPT ? share : NAMES_KEPT;
	names_keep_more(s->names, s->most);
}

int name_search_new(struct repair *rc, const uint64_t *numbers, size_t count, bool after_check,
		    struct name_search **ret_search)
{
	struct name_search *s = calloc(1, sizeof(*s));
	int ret = s ? sought_begin(s, rc) : -ENOMEM;

	if (ret) {
		free(s);
		return ret;
	}
	s->after_check = after_check;
	s->names = names_new(rc->workers);
	if (!s->names)
		ret = -ENOMEM;
	for (size_t i = 0; i < count && !ret; i++)
		ret = seek(s, (xino_t){ numbers[i] }, true);
	sort_all(s);
	if (!ret) {
		share_names(s);
		memory_keep_blocks(rc);
		ret = search(s);
	}
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
	if (s->paths)
		paths_free(s->paths);
	else
		names_free(s->names);
	mend_lanes_free(&s->answers);
	ino_set_free(&s->known);
	free(s->all);
	free(s);
}

bool name_search_doubtful(const struct name_search *s)
{
	return s->doubtful;
}

struct named_inode name_search_inode(const struct name_search *s, uint64_t number)
{
	struct named_inode named = { .ino = { number }, .state = NAME_IMPOSSIBLE };
	const struct sought *one = sought_find(s, named.ino);
	bool former;

	if (one) {
		named.state = one->state;
		named.links = one->links;
		named.is_dir = one->is_dir;
		named.names = entries_of(s, one->ino, &former);
		named.cut = named.names >= s->most;
		named.needs_name = true;
	} else if (number && ino_valid(&s->rc->geo, named.ino)) {
		named.state = NAME_IN_USE;
	}
	return named;
}

struct paths *name_search_paths(const struct name_search *s)
{
	return s->paths;
}

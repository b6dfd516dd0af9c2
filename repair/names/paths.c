/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes paths of inodes by climbing from name to name.  The tree may be damaged in any way, so a climb ends at a root,
 * if no name is known, at a name that it has used already, or after MAX_DEPTH names.
 */
#include "geometry.h"
#include "paths.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 4096
#define ELLIPSIS  "\xe2\x80\xa6" /* … */

struct paths {
	const struct geometry *geo;
	const struct dir_table *dirs;
	struct names *names;
	unsigned visit;				     /* counts climbs */
	const struct known_name *climbed[MAX_DEPTH]; /* from the inode upwards */
};

const char *path_kind_name(enum path_kind kind)
{
	static const char *const kinds[] = {
		[PATH_UNSOUGHT] = "unsought", [PATH_NONE] = "none",	    [PATH_WHOLE] = "whole",
		[PATH_METADATA] = "metadata", [PATH_INTERNAL] = "internal", [PATH_PARTIAL] = "partial",
		[PATH_FORMER] = "former",
	};

	return kinds[kind];
}

struct paths *paths_new(const struct geometry *geo, const struct dir_table *dirs, struct names *names)
{
	struct paths *paths = calloc(1, sizeof(*paths));

	if (!paths)
		return NULL;
	paths->geo = geo;
	paths->dirs = dirs;
	paths->names = names;
	return paths;
}

void paths_free(struct paths *paths)
{
	if (!paths)
		return;
	names_free(paths->names);
	free(paths);
}

int paths_directories(const struct paths *paths, xino_t ino, struct ino_set *directories)
{
	size_t count;
	struct known_name *const *known = names_of(paths->names, ino, &count);
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		if (!known[i]->former)
			ret = ino_set_put(directories, known[i]->directory);
	return ret;
}

const char *paths_internal(const struct geometry *geo, xino_t ino)
{
	const struct {
		xino_t ino;
		const char *name;
	} all[] = {
		{ geo->uquotino, "(user quota)" },	{ geo->gquotino, "(group quota)" },
		{ geo->pquotino, "(project quota)" },	{ geo->rbmino, "(realtime bitmap)" },
		{ geo->rsumino, "(realtime summary)" },
	};

	if (geo->metadir || !ino.v ||
	    ino.v == NULL_INO) /* in a metadata tree these files have names; 0: no such file */
		return NULL;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (all[i].ino.v == ino.v)
			return all[i].name;
	}
	return NULL;
}

/* Returns the name of a directory to climb by: its entry in the parent by its `..`, else the first name; NULL: none. */
static struct known_name *step_up(const struct dir_table *dirs, const struct names *names, xino_t dir)
{
	size_t count, i = dir_table_find(dirs, dir);
	struct known_name *const *known = names_of(names, dir, &count);
	const xino_t parent = i < dirs->count ? dir_table_at(dirs, i).parent : (xino_t){ NULL_INO };

	for (size_t k = 0; k < count && i < dirs->count; k++) {
		if (!known[k]->former && known[k]->directory.v == parent.v)
			return known[k];
	}
	return count ? known[0] : NULL;
}

/* Fills paths->climbed with the names from this one upwards, and counts them.  Returns the kind of path. */
static enum path_kind climb(struct paths *paths, struct known_name *name, size_t *ret_count)
{
	enum path_kind kind = PATH_PARTIAL;
	bool former = false;
	size_t count = 0;

	paths->visit++;
	while (name && name->visit != paths->visit && count < MAX_DEPTH) {
		xino_t up = name->directory;

		name->visit = paths->visit;
		former |= name->former;
		paths->climbed[count++] = name;
		if (dir_is_root(paths->geo, up)) {
			kind = up.v == paths->geo->rootino.v ? PATH_WHOLE : PATH_METADATA;
			break;
		}
		name = step_up(paths->dirs, paths->names, up);
	}
	*ret_count = count;
	return former ? PATH_FORMER : kind;
}

static void append(struct path *path, const void *bytes, size_t len)
{
	memcpy(path->bytes + path->len, bytes, len);
	path->len += len;
}

static void append_names(const struct paths *paths, struct path *path, size_t from, size_t end)
{
	for (size_t i = from; i > end; i--) {
		append(path, "/", 1);
		append(path, paths->climbed[i - 1]->bytes, paths->climbed[i - 1]->len);
	}
}

/* Returns how many names, at most `count` from climbed[at] on, fit into room.  step 1: upwards, -1: downwards. */
static size_t fitting(const struct paths *paths, size_t at, int step, size_t count, size_t room)
{
	size_t n = 0;

	for (size_t used = 0; n < count; n++, at += (size_t)step) {
		used += 1u + paths->climbed[at]->len;
		if (used > room)
			break;
	}
	return n;
}

/* Writes the climbed names as a path; if they don't fit, names in the middle are left out. */
static void write_names(const struct paths *paths, size_t count, bool rooted, struct path *path)
{
	const size_t half = PATH_ROOM / 2 - sizeof("/" ELLIPSIS);
	size_t bytes = 0;

	path->len = 0;
	path->shortened = false;
	if (!rooted)
		append(path, ELLIPSIS, sizeof(ELLIPSIS) - 1);
	for (size_t i = 0; i < count; i++)
		bytes += 1u + paths->climbed[i]->len;
	if (bytes <= PATH_ROOM - path->len) {
		append_names(paths, path, count, 0);
		return;
	}
	path->shortened = true;
	append_names(paths, path, count, count - fitting(paths, count - 1, -1, count, half));
	append(path, "/" ELLIPSIS, sizeof("/" ELLIPSIS) - 1);
	append_names(paths, path, fitting(paths, 0, 1, count, half), 0);
}

static void path_by(struct paths *paths, struct known_name *name, struct path *path)
{
	size_t count;
	xino_t top;

	path->kind = climb(paths, name, &count);
	top = paths->climbed[count - 1]->directory;
	write_names(paths, count, dir_is_root(paths->geo, top), path);
}

static bool better(const struct path *a, const struct path *b)
{
	size_t common = a->len < b->len ? a->len : b->len;
	int order;

	if (b->kind == PATH_NONE || a->kind != b->kind)
		return b->kind == PATH_NONE || a->kind < b->kind;
	order = memcmp(a->bytes, b->bytes, common);
	return order ? order < 0 : a->len < b->len;
}

/* Makes the path of an inode that needs no name.  False: it needs one. */
static bool path_without_name(const struct geometry *geo, xino_t ino, struct path *ret_path)
{
	const char *internal = paths_internal(geo, ino);

	ret_path->len = 0;
	if (dir_is_root(geo, ino)) {
		ret_path->kind = ino.v == geo->rootino.v ? PATH_WHOLE : PATH_METADATA;
		append(ret_path, "/", 1);
		return true;
	}
	if (!internal)
		return false;
	ret_path->kind = PATH_INTERNAL;
	append(ret_path, internal, strlen(internal));
	return true;
}

void paths_each(struct paths *paths, xino_t ino, void (*each)(void *ctx, const struct path *path), void *ctx)
{
	struct known_name *const *known;
	struct path path;
	size_t count;

	if (path_without_name(paths->geo, ino, &path)) {
		each(ctx, &path);
		return;
	}
	known = names_of(paths->names, ino, &count);
	for (size_t i = 0; i < count; i++) {
		if (known[i]->former && names_has_entry(known, count, known[i]))
			continue;
		path_by(paths, known[i], &path);
		each(ctx, &path);
	}
}

void paths_find(struct paths *paths, xino_t ino, struct path *ret_path)
{
	struct known_name *const *known;
	struct path other;
	size_t count;

	ret_path->kind = paths ? PATH_NONE : PATH_UNSOUGHT;
	ret_path->len = 0;
	ret_path->shortened = false;
	if (!paths || path_without_name(paths->geo, ino, ret_path))
		return;
	if (dir_table_find(paths->dirs, ino) < paths->dirs->count) {
		struct known_name *step = step_up(paths->dirs, paths->names, ino);

		if (step)
			path_by(paths, step, ret_path);
		return;
	}
	known = names_of(paths->names, ino, &count);
	for (size_t i = 0; i < count; i++) {
		path_by(paths, known[i], &other);
		if (better(&other, ret_path))
			*ret_path = other;
	}
	if (!count && !ino_set_has(names_kept(paths->names), ino))
		ret_path->kind = PATH_UNSOUGHT;
}

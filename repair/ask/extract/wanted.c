/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares paths by component: "/a" includes "/a/b", but not "/ab". There may be many paths, so they are sorted. */
#include "wanted.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sets/byte_buffer.h"

#define NAME_MOST 255u /* bytes */

bool wanted_is_archive(const char *to)
{
	const size_t len = strlen(to);

	return !strcmp(to, "-") || (len > 4 && !strcmp(to + len - 4, ".tar"));
}

/* ---- the order of paths ---- */

static int compare(const uint8_t *a, size_t alen, const uint8_t *b, size_t blen)
{
	const size_t least = alen < blen ? alen : blen;
	const int order = least ? memcmp(a, b, least) : 0;

	return order ? order : (alen > blen) - (alen < blen);
}

static int by_path(const void *a, const void *b)
{
	const struct wanted_path *one = a, *other = b;

	return compare(one->path, one->len, other->path, other->len);
}

static void sort_paths(struct wanted_path *paths, size_t count)
{
	if (count)
		qsort(paths, count, sizeof(*paths), by_path);
}

/* True if this path is in the list, or below an entry; sets `met` of these. Looks up one key per component. */
static bool meet_above(struct wanted_path *paths, size_t count, const uint8_t *path, size_t len)
{
	bool any = false;

	for (size_t end = 0; count && end <= len; end++) {
		const struct wanted_path key = { (uint8_t *)path, end, false };
		struct wanted_path *found = NULL;

		if (end == len || path[end] == '/')
			found = bsearch(&key, paths, count, sizeof(key), by_path);
		if (found)
			found->met = any = true;
		if (any && count == 1)
			break;
	}
	return any;
}

struct bytes {
	const uint8_t *bytes;
	size_t len;
};

/* True if a path sorts before all paths below the key. */
static bool is_before_below(const void *element, const void *key)
{
	const struct wanted_path *path = element;
	const struct bytes *above = key;
	const size_t least = path->len < above->len ? path->len : above->len;
	const int order = least ? memcmp(path->path, above->bytes, least) : 0;

	return order ? order < 0 : path->len <= above->len || path->path[above->len] < '/';
}

/* True if a path in the list is below this one. */
static bool is_any_below(const struct wanted_path *paths, size_t count, const uint8_t *path, size_t len)
{
	const struct bytes key = { path, len };
	const size_t at = array_lower_bound(paths, count, sizeof(*paths), &key, is_before_below);

	return at < count && paths[at].len > len && (!len || !memcmp(paths[at].path, path, len)) &&
	       paths[at].path[len] == '/';
}

/* ---- parsing ---- */

static int out_of_memory(char *why)
{
	snprintf(why, WANTED_WHY, "out of memory");
	return -ENOMEM;
}

int wanted_add(struct wanted *w, const uint8_t *path, size_t len)
{
	uint8_t *copy = malloc(len + 1);

	if (!copy)
		return -ENOMEM;
	if (len)
		memcpy(copy, path, len);
	copy[len] = '\0';
	if (array_add(w->paths, w->room, w->count, (struct wanted_path){ copy, len, false })) {
		free(copy);
		return -ENOMEM;
	}
	w->all |= len == 0;
	return 0;
}

/* Converts an item to a number. False: it is not a number. */
static bool number_of(const char *text, uint64_t *ret)
{
	char *end;

	errno = 0;
	*ret = strtoull(text, &end, 10);
	return text[0] >= '0' && text[0] <= '9' && !*end && !errno;
}

/* Removes duplicate and trailing slashes. Returns the new length. */
static size_t tidy(char *path, size_t len)
{
	size_t kept = 0;

	for (size_t i = 0; i < len; i++)
		if (path[i] != '/' || !kept || path[kept - 1] != '/')
			path[kept++] = path[i];
	return kept && path[kept - 1] == '/' ? kept - 1 : kept;
}

/* Adds a wanted item; item[len] is a NUL. */
static int take_wanted(struct wanted *w, char *item, size_t len, char *why)
{
	uint64_t number;
	int ret;

	if (number_of(item, &number)) {
		ret = array_add(w->inos, w->inos_room, w->ninos, (struct wanted_ino){ { number }, false });
		return ret ? out_of_memory(why) : 0;
	}
	if (item[0] != '/') {
		snprintf(why, WANTED_WHY, "'%.100s' is neither a path from the root, which begins with /, nor a number",
			 item);
		return -EINVAL;
	}
	return wanted_add(w, (const uint8_t *)item, tidy(item, len)) ? out_of_memory(why) : 0;
}

/* Adds an excluded item. */
static int take_excluded(struct wanted *w, char *item, size_t len, char *why)
{
	char *copy;

	if (!len) {
		snprintf(why, WANTED_WHY, "an item is empty");
		return -EINVAL;
	}
	if (item[0] == '/')
		len = tidy(item, len);
	copy = strndup(item, len);
	if (copy && !(item[0] == '/' ? array_add(w->excluded, w->excluded_room, w->nexcluded,
						 (struct wanted_path){ (uint8_t *)copy, len, false })
				     : array_add(w->patterns, w->patterns_room, w->npatterns, copy)))
		return 0;
	free(copy);
	return out_of_memory(why);
}

typedef int take_fn(struct wanted *w, char *item, size_t len, char *why);

/* Adds all items of a list, separated by commas, without their "\". */
static int take_list(struct wanted *w, const char *list, take_fn *take, char *why)
{
	char *item = malloc(strlen(list) + 1);
	int ret = item ? 0 : out_of_memory(why);

	for (bool more = true; more && !ret;) {
		size_t len = 0;

		for (; *list && *list != ','; list++) {
			list += *list == '\\' && list[1];
			item[len++] = *list;
		}
		item[len] = '\0';
		more = *list++ == ',';
		ret = take(w, item, len, why);
	}
	free(item);
	return ret;
}

/* Adds all items of a file, each with a NUL at its end, optional for the last. */
static int take_file(struct wanted *w, const char *path, take_fn *take, char *why)
{
	FILE *file = fopen(path, "re");
	char *item = NULL;
	size_t room = 0;
	ssize_t len;
	int ret = 0;

	if (!file) {
		ret = -errno;
		snprintf(why, WANTED_WHY, "cannot open %.200s: %s", path, strerror(errno));
		return ret;
	}
	while (!ret && (len = getdelim(&item, &room, '\0', file)) >= 0) {
		len -= len && !item[len - 1];
		if (len)
			ret = take(w, item, (size_t)len, why);
	}
	if (!ret && ferror(file)) {
		ret = -EIO;
		snprintf(why, WANTED_WHY, "cannot read %.200s", path);
	}
	free(item);
	fclose(file);
	return ret;
}

static int take_all(struct wanted *w, const char *from, take_fn *take, char *why)
{
	return from[0] == '@' ? take_file(w, from + 1, take, why) : take_list(w, from, take, why);
}

int wanted_parse(const char *list, const char *excluded, struct wanted *w, char why[static WANTED_WHY])
{
	int ret;

	*w = (struct wanted){ 0 };
	ret = take_all(w, list, take_wanted, why);
	if (!ret && excluded)
		ret = take_all(w, excluded, take_excluded, why);
	if (ret) {
		wanted_free(w);
		return ret;
	}
	sort_paths(w->excluded, w->nexcluded);
	wanted_sort(w);
	return 0;
}

void wanted_sort(struct wanted *w)
{
	sort_paths(w->paths, w->count);
}

void wanted_free(struct wanted *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->paths[i].path);
	for (size_t i = 0; i < w->nexcluded; i++)
		free(w->excluded[i].path);
	for (size_t i = 0; i < w->npatterns; i++)
		free(w->patterns[i]);
	free(w->paths);
	free(w->excluded);
	free(w->patterns);
	free(w->inos);
	*w = (struct wanted){ 0 };
}

void wanted_forget(struct wanted *w)
{
	for (size_t i = 0; i < w->count; i++)
		w->paths[i].met = false;
	for (size_t i = 0; i < w->ninos; i++)
		w->inos[i].met = false;
}

/* ---- files ---- */

static bool is_pattern_met(const struct wanted *w, const uint8_t *bytes, size_t len)
{
	char name[NAME_MOST + 1];

	if (len > NAME_MOST)
		return false;
	memcpy(name, bytes, len);
	name[len] = '\0';
	for (size_t i = 0; i < w->npatterns; i++)
		if (!fnmatch(w->patterns[i], name, 0))
			return true;
	return false;
}

/* True if this path is excluded, or below an excluded one. */
static bool wanted_excludes(const struct wanted *w, const uint8_t *path, size_t len)
{
	if (meet_above(w->excluded, w->nexcluded, path, len))
		return true;
	for (size_t at = 0, end; w->npatterns && at < len; at = end) {
		for (end = ++at; end < len && path[end] != '/'; end++)
			;
		if (is_pattern_met(w, path + at, end - at))
			return true;
	}
	return false;
}

enum wanted_how wanted_look(struct wanted *w, const uint8_t *path, size_t len)
{
	const enum wanted_how how = meet_above(w->paths, w->count, path, len)	  ? WANTED_YES
				    : is_any_below(w->paths, w->count, path, len) ? WANTED_WAY
										  : WANTED_NOT;

	return how != WANTED_NOT && wanted_excludes(w, path, len) ? WANTED_NOT : how;
}

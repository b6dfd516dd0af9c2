/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all forms of the report ask of losses: the paths of inodes, before and now, and how much is kept, in words. */
#include "report_losses.h"

/* The path by the first of two, if that has all of it, else by the second. */
static bool path_by(struct paths *first, struct paths *second, xino_t ino, struct path *path)
{
	struct path other;

	path->len = 0;
	if (ino.v == NULL_INO)
		return false;
	paths_find(first, ino, path);
	if (path->len && path->kind == PATH_WHOLE)
		return true;
	paths_find(second, ino, &other);
	if (other.len && (other.kind == PATH_WHOLE || !path->len))
		*path = other;
	return path->len > 0;
}

bool losses_path(const struct losses_told *told, xino_t ino, struct path *path)
{
	return path_by(told->before, told->after, ino, path);
}

bool losses_path_now(const struct losses_told *told, xino_t ino, struct path *path)
{
	return path_by(told->after, told->before, ino, path);
}

void losses_words(struct words *w, const struct losses *l)
{
	const struct loss_count *names = &l->of[LOSS_NAME];
	const uint64_t gone = names->lost + names->changed;

	if (gone) {
		words_add_number(w, names->all > gone ? names->all - gone : 0);
		words_add(w, " of ");
		words_add_count(w, names->all, "name", "names");
	} else {
		words_add(w, "All ");
		words_add_count(w, names->all, "name", "names");
	}
	words_add(w, " and all ");
	if (l->files) {
		words_add(w, "but ");
		words_add_count(w, l->files, "file", "files");
	} else {
		words_add(w, "files");
	}
}

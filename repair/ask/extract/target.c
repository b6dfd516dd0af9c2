/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "target.h"

#include <unistd.h>

#include "wanted.h"

int target_open(const char *path, struct extract_target *t)
{
	*t = (struct extract_target){ .path = path,
				      .archive = wanted_is_archive(path),
				      .tree = { .root = -1, .dir = -1, .names = { .trial = -1 } },
				      .tar = { .file = { .fd = -1 } },
				      .mount = -1 };
	return t->archive ? tar_out_open(&t->tar, path) : tree_open(&t->tree, path);
}

int target_finish(struct extract_target *t, bool whole)
{
	return t->archive ? tar_out_close(&t->tar, whole) : 0;
}

void target_close(struct extract_target *t)
{
	const bool vain = t->tree.made && !t->used;

	tar_out_close(&t->tar, false);
	tree_close(&t->tree);
	if (t->mount >= 0)
		close(t->mount);
	/* fails if everything is read-only: an empty directory remains */
	if (vain)
		rmdir(t->path);
}

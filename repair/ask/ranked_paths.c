/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds paths of ranked inodes. */
#include "ranked_paths.h"

#include "repair.h"
#include "run.h"

#define PLACES_MOST (64u << 20) /* bytes: 4 million pairs of an inode chunk and a directory */

size_t ranked_places_most(const struct repair *rc)
{
	const size_t most = rc->run->memory.records / 4;

	return most < PLACES_MOST ? most : PLACES_MOST;
}

struct name_places *ranked_places(const struct repair *rc)
{
	return name_places_new(rc->workers, ranked_places_most(rc));
}

int ranked_paths(struct repair *rc, const struct name_places *places, const struct ranking *const *rankings,
		 size_t count, struct paths **ret_paths)
{
	struct ino_set inos = { 0 }, near = { 0 };
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		for (size_t k = 0; k < rankings[i]->count && !ret; k++)
			ret = ino_set_put(&inos, (xino_t){ rankings[i]->v[k].id });
	if (!ret)
		ret = name_places_find(places, &inos, &near);
	if (!ret)
		ret = paths_seek(rc, &inos, &near, ret_paths);
	ino_set_free(&inos);
	ino_set_free(&near);
	return ret;
}

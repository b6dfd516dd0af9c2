/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps pairs of an inode chunk and a directory, and finds the directories of some chunks. */
#include "name_places.h"

#include "array.h"

#define CHUNK_SHIFT 6  /* 64 inodes */
#define LOOK_BACK   4u /* pairs that are compared before one is added, since chunks of a directory alternate */

struct pair {
	uint64_t chunk;
	xino_t directory;
};

struct name_places {
	unsigned nlanes;
	size_t most; /* pairs that a lane keeps */
	struct places_lane {
		struct pair *v;
		size_t count, room;
		bool full; /* some were dropped */
		uint8_t apart[64];
	} lanes[];
};

struct name_places *name_places_new(unsigned workers, size_t limit)
{
	struct name_places *places = calloc(1, sizeof(*places) + workers * sizeof(places->lanes[0]));

	if (places) {
		places->nlanes = workers;
		places->most = limit / workers / sizeof(struct pair);
	}
	return places;
}

void name_places_free(struct name_places *places)
{
	for (unsigned i = 0; places && i < places->nlanes; i++)
		free(places->lanes[i].v);
	free(places);
}

void name_places_add(struct name_places *places, unsigned worker, xino_t directory, xino_t target)
{
	struct places_lane *l = &places->lanes[worker];
	const struct pair pair = { target.v >> CHUNK_SHIFT, directory };

	for (size_t back = 1; back <= LOOK_BACK && back <= l->count; back++)
		if (l->v[l->count - back].chunk == pair.chunk && l->v[l->count - back].directory.v == directory.v)
			return;
	if (l->count == places->most || array_add(l->v, l->room, l->count, pair))
		l->full = true;
}

int name_places_find(const struct name_places *places, const struct ino_set *inos, struct ino_set *dirs)
{
	xino_t *all = ino_set_sorted(inos);
	struct number_set chunks = { 0 };
	int ret = all ? 0 : -ENOMEM;

	for (size_t i = 0; i < ino_set_count(inos) && ret >= 0; i++)
		ret = number_set_add(&chunks, all[i].v >> CHUNK_SHIFT);
	for (unsigned i = 0; i < places->nlanes && ret >= 0; i++)
		if (places->lanes[i].full)
			goto out;
	for (unsigned i = 0; i < places->nlanes; i++) {
		const struct places_lane *lane = &places->lanes[i];

		for (size_t k = 0; k < lane->count && ret >= 0; k++)
			if (number_set_has(&chunks, lane->v[k].chunk))
				ret = ino_set_put(dirs, lane->v[k].directory);
	}
out:
	number_set_free(&chunks);
	free(all);
	return ret < 0 ? ret : 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks for new inode btrees: the best witness of what is free comes first. */
#include "mend/base/mend.h"
#include "repair.h"
#include "tree_room.h"

#include <errno.h>

/* Which blocks may be taken for new trees, of those that nobody claims. */
enum witness {
	BY_TREES,  /* those that are free by the bnobt, and not in use by the rmapbt */
	BY_RMAPBT, /* those that are not in use by the rmapbt, which knows blocks of maps that can't be read */
	BY_CLAIMS, /* all */
};

/* The blocks that may be taken; free the map whatever came of it. 0 or -ENOMEM. */
static int find_free(const struct tree_room *r, enum witness by, struct block_map *map)
{
	const struct geometry *geo = &r->m->now->geo;
	const struct survey_ag *ag = &r->survey->ags[r->agno.v];
	int ret = block_map_new(map, 0, ag_length(geo, r->agno));

	if (ret)
		return ret;
	if (by == BY_TREES)
		block_map_unite(map, &ag->free);
	else
		block_map_set(map, 0, map->to, true);
	block_map_subtract(map, &ag->claimed);
	if (by != BY_CLAIMS)
		block_map_subtract(map, &ag->mapped);
	for (size_t i = 0; i < r->chunks->count; i++)
		mend_chunks_mark(geo, &r->chunks->v[i], map, false);
	return 0;
}

/* Take the first run of so many blocks; if there is none, the first blocks there are. False: there are too few. */
static bool take_of_map(const struct block_map *map, uint64_t *blocks, uint32_t need)
{
	uint32_t run = 0, n = 0;

	for (uint64_t b = 0; b < map->to; b++) {
		run = block_map_get(map, b) ? run + 1 : 0;
		if (run < need)
			continue;
		for (uint32_t i = 0; i < need; i++)
			blocks[i] = b + 1 - need + i;
		return true;
	}
	for (uint64_t b = 0; b < map->to && n < need; b++)
		if (block_map_get(map, b))
			blocks[n++] = b;
	return n == need;
}

/* The same of blocks that may be taken by this witness. 0, -ENOSPC or -ENOMEM. */
static int take_free(const struct tree_room *r, enum witness by, uint64_t *blocks, uint32_t need)
{
	struct block_map map;
	int ret = find_free(r, by, &map);

	if (!ret && !take_of_map(&map, blocks, need))
		ret = -ENOSPC;
	block_map_free(&map);
	return ret;
}

/*
 * Take blocks of the old inode trees that nobody else claims: what they say is lost, or the inodes tell it as well.
 * 0, -ENOSPC, or another negative errno.
 */
static int take_old(const struct tree_room *r, uint64_t *blocks, uint32_t need)
{
	struct mend_evidence evidence;
	struct block_map map;
	size_t count = 0;
	const struct use *claims = NULL;
	int ret = mend_evidence_of_group(r->m, group_of_ag(r->agno), MEND_CLAIMS, &evidence);

	if (!ret)
		ret = block_map_new(&map, 0, ag_length(&r->m->now->geo, r->agno));
	if (ret) {
		mend_evidence_free(&evidence);
		return ret;
	}
	claims = mend_evidence_claims(&evidence, group_of_ag(r->agno), &count);
	for (size_t i = 0; i < count; i++)
		if (claims[i].owner == OWNER_INOBT)
			block_map_set(&map, claims[i].start, claims[i].len, true);
	for (size_t i = 0; i < count; i++)
		if (claims[i].owner != OWNER_INOBT)
			block_map_set(&map, claims[i].start, claims[i].len, false);
	for (size_t i = 0; i < r->chunks->count; i++)
		mend_chunks_mark(&r->m->now->geo, &r->chunks->v[i], &map, false);
	/* inodes that were found have blocks that only the survey knows */
	block_map_subtract(&map, &r->survey->ags[r->agno.v].others);
	if (!take_of_map(&map, blocks, need))
		ret = -ENOSPC;
	block_map_free(&map);
	mend_evidence_free(&evidence);
	return ret;
}

int tree_room_find(const struct tree_room *r, uint64_t *blocks, uint32_t need)
{
	const bool rmapbt = r->m->now->geo.rmapbt;
	int ret = take_free(r, BY_TREES, blocks, need);

	if (ret == -ENOSPC && rmapbt && r->claims_known)
		ret = take_free(r, BY_RMAPBT, blocks, need);
	if (ret == -ENOSPC && r->closer)
		ret = take_old(r, blocks, need);
	return ret == -ENOSPC && r->closer ? take_free(r, BY_CLAIMS, blocks, need) : ret;
}

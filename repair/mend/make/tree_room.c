/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds blocks for new inode btrees, with the most reliable source of free blocks first. */
#include "mend/base/mend.h"
#include "repair.h"
#include "tree_room.h"

#include <errno.h>

/* Which unclaimed blocks may be used for new btrees. */
enum witness {
	BY_TREES,  /* those that are free in the bnobt and have no owner in the rmapbt */
	BY_RMAPBT, /* those without an owner in the rmapbt, which lists blocks of unreadable maps */
	BY_CLAIMS, /* all */
};

/* Gets the usable blocks. 0 or -ENOMEM; free the map in any case. */
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

/* Takes the first run of `need` blocks or, if there is none, the first blocks. False: too few. */
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

/* Likewise from the blocks of this source. 0, -ENOSPC or -ENOMEM. */
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
 * Takes blocks of the old inode btrees without other claims: their contents are lost, or can be derived from inodes.
 * 0, -ENOSPC or another negative errno.
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
	/* the survey has more claims, those of newly found inodes */
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inobt and finobt of an allocation group, and its AGI's part in them: written anew from all that tells of
 * inodes (mend_chunks.h).  Leaves behind blocks that the space trees don't know of yet.
 */
#include <errno.h>
#include <stdlib.h>

#include "mend.h"
#include "mend_chunks.h"
#include "mend_evidence.h"

/* Blocks that two witnesses call free; with `last_resort`, those of space trees, which are made anew next. */
static int find_free(const struct mend *m, const struct mend_evidence *e, const struct ag_contents *c, bool last_resort,
		     struct block_map *map)
{
	const struct geometry *geo = &m->now->geo;
	int ret = block_map_new(map, ag_length(geo, c->agno));

	for (size_t i = 0; i < e->records.nuses && !ret; i++) {
		const struct use *use = &e->records.uses[i];

		if (use->group == c->agno.v &&
		    (last_resort ? use->kind == USE_CLAIM && use->owner == OWNER_AG : use->kind == USE_FREE))
			block_map_set(map, use->start, use->len, true);
	}
	for (size_t i = 0; i < e->records.nuses && !ret; i++) {
		const struct use *use = &e->records.uses[i];

		if (use->group == c->agno.v && (use->kind == USE_CLAIM || use->kind == USE_RMAP) &&
		    !(last_resort && use->owner == OWNER_AG))
			block_map_set(map, use->start, use->len, false);
	}
	for (size_t i = 0; i < c->nchunks && !ret; i++)
		mend_chunks_mark(geo, &c->chunks[i], map, false);
	return ret;
}

/* The first run of so many blocks, or the first blocks of any. How many: 0 or all. */
static uint32_t take(const struct block_map *map, uint64_t *blocks, uint32_t need)
{
	uint32_t run = 0, n = 0;

	for (uint32_t b = 0; b < map->blocks; b++) {
		run = block_map_get(map, b) ? run + 1 : 0;
		if (run < need)
			continue;
		for (uint32_t i = 0; i < need; i++)
			blocks[i] = b + 1 - need + i;
		return need;
	}
	for (uint32_t b = 0; b < map->blocks && n < need; b++)
		if (block_map_get(map, b))
			blocks[n++] = b;
	return n == need ? n : 0;
}

static int find_blocks(const struct mend *m, const struct mend_evidence *e, const struct ag_contents *c,
		       uint64_t *blocks, uint32_t need)
{
	bool found = false;

	for (int last_resort = 0; last_resort < 2 && !found; last_resort++) {
		struct block_map map;
		int ret = find_free(m, e, c, last_resort, &map);

		found = !ret && take(&map, blocks, need);
		block_map_free(&map);
		if (ret)
			return ret;
	}
	return found ? 0 : -ENOSPC;
}

static int rebuild(struct mend *m, struct mend_evidence *e, const struct found *why)
{
	struct ag_contents c = { .agno = why->place.agno, .agi = e->agis[why->place.agno.v] };
	const struct ag_writer writer = mend_writer(m);
	struct inobt_record *chunks = NULL;
	uint64_t *blocks = NULL;
	uint32_t need;
	int ret = mend_chunks_find(m, e, c.agno, &chunks, &c.nchunks);

	if (ret)
		return ret;
	c.chunks = chunks;
	need = mend_ag_inode_blocks(&m->now->geo, &c);
	blocks = calloc(need + 1, sizeof(*blocks));
	ret = !blocks ? -ENOMEM : !need ? -ENOSPC : find_blocks(m, e, &c, blocks, need);
	if (!ret)
		ret = mend_ag_inode_trees(&m->now->geo, &c, blocks, &writer);
	if (!ret)
		mend_done(m, why);
	free(blocks);
	free(chunks);
	return ret == -ENOSPC ? 0 : ret;
}

int mend_ag_inodes(struct mend *m, const struct found *found, size_t count)
{
	const struct geometry *geo = &m->now->geo;
	bool *wanted = calloc(geo->agcount, sizeof(*wanted));
	uint32_t last = NO_AGNO;
	int ret = wanted ? 0 : -ENOMEM;

	/* in the order of groups; their number does not change what is done, so each takes its own traversal */
	for (size_t i = 0; i < count && !ret; i++) {
		uint32_t ag = found[i].place.agno.v;
		struct mend_evidence evidence;

		if (ag == last || ag >= geo->agcount)
			continue;
		last = ag;
		wanted[ag] = true;
		ret = mend_evidence_collect(m->now, wanted, SIZE_MAX / 2, &evidence);
		if (!ret)
			ret = rebuild(m, &evidence, &found[i]);
		mend_evidence_free(&evidence);
		wanted[ag] = false;
	}
	free(wanted);
	return ret;
}

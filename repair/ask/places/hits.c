/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps facts about requested blocks. These are few, so each lane collects some, and passes them to a shared array. If
 * that is full, the half that comes last by owner is dropped, and later facts beyond it as well, so the result does not
 * depend on the order of facts.
 */
#include "owners.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "array.h"
#include "holders.h"
#include "line.h"
#include "mend/base/mend_lanes.h"
#include "check/names/search.h"
#include "repair.h"
#include "run.h"
#include "sets/ordered.h"

#define LANE_HITS  64u
#define HITS_LEAST 65536u /* the least limit */

struct hits_lane {
	struct hit v[LANE_HITS];
	size_t count;
	struct holder last; /* the inode found last */
	bool last_kept;
};

struct hits {
	const struct geometry *geo;
	struct spans spans;
	struct hits_lane **lanes;
	unsigned nlanes;
	struct mend_lanes holders;
	struct names_noted *names;
	size_t holders_most;  /* per lane */
	pthread_mutex_t lock; /* for the following members */
	struct hit *v;
	size_t count, room;
	size_t most;	  /* the most in v at a time; half of it is kept */
	uint64_t dropped; /* number of dropped facts */
	int error;
};

static void sort_by_owner(struct hit *v, size_t count)
{
	ordered_sort(v, count,
		     MEMBERS(MEMBER(v, owner), MEMBER(v, kind), MEMBER(v, flags), MEMBER(v, offset), MEMBER(v, start),
			     MEMBER(v, object), MEMBER(v, end), MEMBER(v, existing)));
}

/* Keeps the first `most` by owner. The lock is held. */
static void shrink(struct hits *hits, size_t most)
{
	if (hits->count <= most)
		return;
	sort_by_owner(hits->v, hits->count);
	hits->dropped += hits->count - most;
	hits->count = most;
}

static void flush(struct hits *hits, struct hits_lane *lane)
{
	pthread_mutex_lock(&hits->lock);
	for (size_t i = 0; i < lane->count && !hits->error; i++) {
		if (hits->count == hits->most)
			shrink(hits, hits->most / 2);
		hits->error = array_add(hits->v, hits->room, hits->count, lane->v[i]);
	}
	pthread_mutex_unlock(&hits->lock);
	lane->count = 0;
}

/* Keeps a fact about blocks if any of them was requested. True: kept. */
static bool keep(void *ctx, unsigned worker, const struct blocks *blocks, const struct hit *hit)
{
	struct hits *hits = *(struct hits **)ctx;
	const uint64_t start = line_of(hits->geo, blocks->group, blocks->start), end = start + blocks->len;
	struct hits_lane *lane;

	if (!spans_touch(&hits->spans, start, end))
		return false;
	lane = hits->lanes[worker];
	lane->v[lane->count] = *hit;
	lane->v[lane->count].start = start;
	lane->v[lane->count++].end = end;
	if (lane->count == LANE_HITS)
		flush(hits, lane);
	return true;
}

/* Keeps the inode of an owner. Its extents come right after it, unless they are in a btree. */
static void keep_holder(struct hits *hits, unsigned worker, uint64_t owner)
{
	struct hits_lane *lane = hits->lanes[worker];

	if (lane->last.ino.v != owner || lane->last_kept)
		return;
	lane->last_kept = true;
	if (hits->holders.v[worker].count < hits->holders_most)
		mend_lanes_add(&hits->holders, worker, &lane->last);
}

static void inode(void *ctx, unsigned worker, const struct dinode *inode)
{
	const struct hits *hits = *(struct hits **)ctx;

	hits->lanes[worker]->last = holder_of(hits->geo, inode);
	hits->lanes[worker]->last_kept = false;
}

static void claim(void *ctx, unsigned worker, const struct claim *claim)
{
	const struct hit hit = { .owner = claim->owner,
				 .offset = claim->offset,
				 .kind = claim->owner == OWNER_COW ? HIT_STAGED : HIT_CLAIM,
				 .flags = claim->flags,
				 .fork_flags = claim->flags & (RMAP_ATTR | RMAP_BMBT),
				 /* for inodes, `object` does not identify the fork */
				 .object = claim->owner < OWNER_COW ? OBJ_INODE : claim->object };

	if (keep(ctx, worker, &claim->at, &hit) && hit_is_file(&hit))
		keep_holder(*(struct hits **)ctx, worker, claim->owner);
}

/* Both free-space btrees have the same facts. */
static void free_extent(void *ctx, unsigned worker, enum btree_kind kind, const struct blocks *blocks)
{
	if (kind == BT_BNO)
		keep(ctx, worker, blocks, &(struct hit){ .kind = HIT_FREE });
}

static void refcount(void *ctx, unsigned worker, group_t group, const struct refcount_record *record)
{
	const struct blocks blocks = { group, { record->start.v }, record->len };

	if (record->cow)
		keep(ctx, worker, &blocks, &(struct hit){ .kind = HIT_STAGED, .owner = OWNER_COW });
}

static void chunk(void *ctx, unsigned worker, enum btree_kind kind, agno_t agno, const struct inobt_record *record)
{
	const struct geometry *geo = (*(struct hits **)ctx)->geo;
	const struct blocks blocks = { group_of_ag(agno), { agbno_of_agino(geo, record->start).v }, geo->chunk_blocks };
	const uint64_t existing = inobt_existing(record->holemask);
	const struct hit hit = { .kind = HIT_CHUNK,
				 .owner = ino_of(geo, agno, record->start).v,
				 .offset = existing & ~record->free,
				 .existing = existing };

	if (kind == BT_INO)
		keep(ctx, worker, &blocks, &hit);
}

static void entry(void *ctx, unsigned worker, const struct entry_fact *entry)
{
	names_noted_add((*(struct hits **)ctx)->names, worker, entry);
}

const struct sink_ops hits_ops = {
	.claim = claim, .inode = inode, .free_extent = free_extent, .refcount = refcount, .chunk = chunk, .entry = entry
};

int hits_new(const struct repair *rc, struct spans *spans, struct hits **ret_hits)
{
	struct hits *hits = calloc(1, sizeof(*hits));
	size_t most = rc->run->memory.records / sizeof(struct hit);

	if (!hits || line_length(&rc->geo) > (uint64_t)INT64_MAX >> rc->geo.block_log) { /* no device is that large */
		const int error = hits ? -EFBIG : -ENOMEM;

		free(hits);
		spans_free(spans);
		return error;
	}
	pthread_mutex_init(&hits->lock, NULL);
	hits->geo = &rc->geo;
	hits->spans = *spans;
	*spans = (struct spans){ 0 };
	hits->holders_most = most / rc->workers;
	hits->most = most > HITS_LEAST ? most : HITS_LEAST;
	hits->lanes = calloc(rc->workers, sizeof(struct hits_lane *));
	for (; hits->lanes && hits->nlanes < rc->workers; hits->nlanes++) {
		hits->lanes[hits->nlanes] = calloc(1, sizeof(struct hits_lane));
		if (!hits->lanes[hits->nlanes])
			break;
	}
	hits->names = search_noted(rc, false);
	if (mend_lanes_new(&hits->holders, rc, sizeof(struct holder)) || !hits->lanes || hits->nlanes < rc->workers ||
	    !hits->names) {
		hits_free(hits);
		return -ENOMEM;
	}
	*ret_hits = hits;
	return 0;
}

void hits_free(struct hits *hits)
{
	if (!hits)
		return;
	for (unsigned i = 0; hits->lanes && i < hits->nlanes; i++)
		free(hits->lanes[i]);
	free(hits->lanes);
	mend_lanes_free(&hits->holders);
	names_noted_free(hits->names);
	free(hits->v);
	spans_free(&hits->spans);
	pthread_mutex_destroy(&hits->lock);
	free(hits);
}

int hits_settle(struct hits *hits, struct hit **ret_hits, size_t *ret_count, uint64_t *ret_dropped)
{
	struct hit *v;

	for (unsigned i = 0; i < hits->nlanes; i++)
		flush(hits, hits->lanes[i]);
	/* after dropping, the contents of the second half depend on the order of facts */
	if (hits->dropped)
		shrink(hits, hits->most / 2);
	v = hits->v;
	ordered_sort(v, hits->count,
		     MEMBERS(MEMBER(v, start), MEMBER(v, kind), MEMBER(v, owner), MEMBER(v, flags), MEMBER(v, offset),
			     MEMBER(v, end), MEMBER(v, object)));
	*ret_hits = v;
	*ret_count = hits->count;
	*ret_dropped = hits->dropped;
	return hits->error;
}

int hits_holders(struct hits *hits, struct holders *holders)
{
	struct holder *v = NULL;
	size_t count = 0;
	int ret = mend_lanes_join(&hits->holders, &v, &count);

	if (!ret)
		ret = holders_add(holders, v, count);
	free(v);
	return ret;
}

const struct names_noted *hits_names(const struct hits *hits)
{
	return hits->names;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How free space is divided.  As `freesp` of xfs_db does, each block of a free list (AGFL) counts as an extent of one
 * block.  A realtime bitmap tells its free extents block by block: those that reach the edge of one are kept until they
 * can be joined.
 */
#include "free_space.h"

#include <stdlib.h>

#include "ask/answer.h"
#include "array.h"
#include "disk/bmbt.h"
#include "free_usable.h"
#include "libxfs/rt.h"
#include "options.h"
#include "ask/inventory.h"
#include "repair.h"
#include "report.h"
#include "report/html_out.h"
#include "run.h"
#include "sets/sort.h"
#include "check/walk/walker.h"

struct free_lane {
	struct ranking largest[2];
	struct blocks *edges; /* free extents of realtime groups that may go on in the next block of the bitmap */
	size_t nedges, room;
	int error;
};

struct free_asked {
	struct free_space space;
	uint64_t edge; /* blocks that a block of a realtime bitmap has bits for; 0: none */
	unsigned lanes;
	struct free_lane lane[];
};

static int free_space_begin(struct repair *rc, void **ret_ctx)
{
	struct free_asked *asked = calloc(1, sizeof(*asked) + rc->workers * sizeof(asked->lane[0]));
	const size_t most = rc->run->options->query.top;

	if (!asked)
		return -ENOMEM;
	*ret_ctx = asked;
	asked->space.geo = &rc->geo;
	asked->space.groups = calloc(group_count(&rc->geo), sizeof(*asked->space.groups));
	asked->space.largest[0].most = asked->space.largest[1].most = most;
	asked->edge = rc->geo.rgcount ? (uint64_t)rt_block_extents(&rc->geo) * rc->geo.rextsize : 0;
	asked->lanes = rc->workers;
	for (unsigned i = 0; i < asked->lanes; i++)
		asked->lane[i].largest[0].most = asked->lane[i].largest[1].most = most;
	return asked->space.groups ? 0 : -ENOMEM;
}

static void add(uint64_t *sum, uint64_t number)
{
	__atomic_fetch_add(sum, number, __ATOMIC_RELAXED);
}

static void raise(uint64_t *most, uint64_t number)
{
	uint64_t was = __atomic_load_n(most, __ATOMIC_RELAXED);

	while (was < number &&
	       !__atomic_compare_exchange_n(most, &was, number, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

/* Count an extent. Several threads may be at the same group. */
static void count(struct free_space *space, const struct blocks *at)
{
	struct free_sums *sums = &space->groups[at->group.v];
	struct histogram_class *class = &sums->sizes.of[histogram_class(at->len)];

	add(&sums->extents, 1);
	add(&sums->blocks, at->len);
	add(&class->count, 1);
	add(&class->sum, at->len);
}

/* Count an extent of a btree or bitmap, which files could have. 0 or -ENOMEM. */
static int count_usable(struct free_space *space, struct free_lane *lane, const struct blocks *at)
{
	const struct geometry *geo = space->geo;
	const bool rt = group_is_rt(geo, at->group);
	const uint64_t before =
		rt ? (at->group.v - geo->agcount) * geo->rgblocks : (uint64_t)at->group.v * geo->agblocks;

	count(space, at);
	raise(&space->groups[at->group.v].largest, at->len);
	return ranking_add(&lane->largest[rt],
			   &(struct ranked){ .rank = at->len,
					     .id = before + at->start.v,
					     .fact = { [FREE_GROUP] = at->group.v, [FREE_START] = at->start.v } });
}

static void free_space_claim(void *ctx, unsigned lane, const struct claim *claim)
{
	struct free_asked *asked = ctx;

	(void)lane;
	if (claim->object == OBJ_AGFL && claim->owner == OWNER_AG)
		count(&asked->space, &claim->at);
}

static void free_space_free_extent(void *ctx, unsigned lane, enum btree_kind kind, const struct blocks *blocks)
{
	struct free_asked *asked = ctx;
	struct free_lane *at = &asked->lane[lane];
	const uint64_t start = blocks->start.v, end = start + blocks->len;
	int error;

	if (kind != BT_BNO)
		return;
	if (group_is_rt(asked->space.geo, blocks->group) && asked->edge &&
	    (start % asked->edge == 0 || end % asked->edge == 0))
		error = array_add(at->edges, at->room, at->nedges, *blocks);
	else
		error = count_usable(&asked->space, at, blocks);
	if (error)
		at->error = error;
}

static int compare_blocks(const void *a, const void *b)
{
	const struct blocks *x = a, *y = b;
	const int order = number_order(x->group.v, y->group.v);

	return order ? order : number_order(x->start.v, y->start.v);
}

/* Join what goes on across the edges of bitmap blocks, and count it. 0 or -ENOMEM. */
static int join_edges(struct free_asked *asked, struct free_lane *all)
{
	int ret = 0;

	if (all->nedges)
		qsort(all->edges, all->nedges, sizeof(*all->edges), compare_blocks);
	for (size_t i = 0, next; i < all->nedges && !ret; i = next) {
		struct blocks one = all->edges[i];

		for (next = i + 1; next < all->nedges && all->edges[next].group.v == one.group.v &&
				   all->edges[next].start.v == one.start.v + one.len;
		     next++)
			one.len += all->edges[next].len;
		ret = count_usable(&asked->space, all, &one);
	}
	return ret;
}

/* Join all lanes. 0 or negative errno. */
static int join(struct free_asked *asked)
{
	struct free_lane *all = &asked->lane[0];
	int ret = 0;

	for (unsigned i = 1; i < asked->lanes && !ret; i++) {
		struct free_lane *lane = &asked->lane[i];

		for (size_t k = 0; k < lane->nedges && !ret; k++)
			ret = array_add(all->edges, all->room, all->nedges, lane->edges[k]);
		lane->nedges = 0;
	}
	if (!ret)
		ret = join_edges(asked, all);
	all->nedges = 0;
	for (unsigned i = 0; i < asked->lanes && !ret; i++) {
		ret = asked->lane[i].error;
		for (unsigned rt = 0; rt < 2 && !ret; rt++)
			ret = ranking_join(&asked->space.largest[rt], &asked->lane[i].largest[rt]);
	}
	ranking_sort(&asked->space.largest[0]);
	ranking_sort(&asked->space.largest[1]);
	return ret;
}

struct free_sums free_space_all(const struct free_space *space, bool realtime)
{
	const struct geometry *geo = space->geo;
	const uint32_t from = realtime ? geo->agcount : 0, end = realtime ? group_count(geo) : geo->agcount;
	struct free_sums all = { 0 };

	for (uint32_t i = from; i < end; i++) {
		const struct free_sums *sums = &space->groups[i];

		all.extents += sums->extents;
		all.blocks += sums->blocks;
		if (sums->largest > all.largest)
			all.largest = sums->largest;
		if (sums->usable > all.usable)
			all.usable = sums->usable;
		histogram_join(&all.sizes, &sums->sizes);
	}
	return all;
}

/* Find out what allocations get in one piece, from what the traversal has learnt of AGs. */
static void find_usable(struct free_space *space, const struct traverse *t)
{
	const struct geometry *geo = space->geo;
	const uint64_t most = (UINT64_C(1) << BMBT_LEN_BITS) - 1;

	for (uint32_t i = 0; i < group_count(geo); i++) {
		struct free_sums *sums = &space->groups[i];

		if (!group_is_rt(geo, (group_t){ i }))
			sums->usable = free_usable(geo, (agno_t){ i }, &t->ags[i]);
		else
			sums->usable = sums->largest < most ? sums->largest : most;
	}
}

static int free_space_answer(struct repair *rc, void *ctx, FILE *out)
{
	struct free_asked *asked = ctx;
	struct report_json *json = report_answer_json(rc->report);
	int ret = join(asked);

	find_usable(&asked->space, rc->traverse);
	if (!ret)
		ret = free_space_text(&asked->space, &(struct answer){ out, report_answer_page(rc->report) });
	if (!ret && json)
		free_space_json(json, &asked->space);
	return ret;
}

static void free_space_end(void *ctx)
{
	struct free_asked *asked = ctx;

	for (unsigned i = 0; i < asked->lanes; i++) {
		ranking_free(&asked->lane[i].largest[0]);
		ranking_free(&asked->lane[i].largest[1]);
		free(asked->lane[i].edges);
	}
	ranking_free(&asked->space.largest[0]);
	ranking_free(&asked->space.largest[1]);
	free(asked->space.groups);
	free(asked);
}

const struct question question_free_space = {
	.begin = free_space_begin,
	.sink = &(const struct sink_ops){ .claim = free_space_claim, .free_extent = free_space_free_extent },
	.answer = free_space_answer,
	.end = free_space_end,
	.section = HTML_FREE,
	.pages = true,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --free-space: the distribution of free space. Like `freesp` of xfs_db, each block of a free list (AGFL) counts as an
 * extent of one block. Free extents of a realtime bitmap are reported per bitmap block; those that reach its edge are
 * kept until they can be joined.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "array.h"
#include "ask/histogram.h"
#include "ask/inventory.h"
#include "ask/ranking.h"
#include "ask/table.h"
#include "check/walk/ag_state.h"
#include "check/walk/walker.h"
#include "disk/bmbt.h"
#include "geometry.h"
#include "libxfs/rt.h"
#include "options.h"
#include "repair.h"
#include "report.h"
#include "report/html_out.h"
#include "report/json_out.h"
#include "report/words.h"
#include "run.h"
#include "sets/ordered.h"

/* Sums of one or more AGs or realtime groups. */
struct free_sums {
	uint64_t extents;
	uint64_t blocks;	/* of them */
	uint64_t largest;	/* blocks of the largest extent */
	uint64_t usable;	/* blocks of the largest allocation in one piece */
	struct histogram sizes; /* weights are blocks */
};

/* Indexes of ranked.fact[] for a free extent; its rank is its length in blocks. */
enum { FREE_GROUP, FREE_START };

struct free_space {
	const struct geometry *geo;
	struct free_sums *groups;  /* by group_t */
	struct ranking largest[2]; /* of the data device, and the realtime section */
};

/* True if there is a realtime section with bitmaps, which zoned ones lack. */
static inline bool free_space_has_rt(const struct free_space *space)
{
	return space->geo->rgcount && !space->geo->zoned;
}

/* Returns the sums of all AGs; realtime: of all realtime groups. */
static struct free_sums free_space_all(const struct free_space *space, bool realtime)
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

/* Prints the answer: JSON has a line "free_space" for all AGs and for each; likewise for realtime groups. */

#define ALL_GROUPS UINT64_MAX

/* Begins such a line; NULL: no JSON. */
static json_t *sums_line(struct report_json *json, const struct free_sums *sums, bool realtime, uint64_t group)
{
	json_t *line = json ? json_out_line(json, "free_space") : NULL;

	if (!json)
		return NULL;
	json_out_set(json, line, "section", json_string(realtime ? "realtime" : "data"));
	json_out_set(json, line, "group", json_out_number_unless(group, ALL_GROUPS));
	json_out_set(json, line, "extents", json_out_number(sums->extents));
	json_out_set(json, line, "blocks", json_out_number(sums->blocks));
	json_out_set(json, line, "largest", json_out_number(sums->largest));
	json_out_set(json, line, "usable", json_out_number(sums->usable));
	return line;
}

static int tell_sizes(const struct free_sums *sums, const struct answer *to, json_t *line)
{
	struct table *table =
		table_new(to, "Blocks of an extent=from|<|=to|+extents=extents|+blocks=blocks|share", SIZE_MAX);

	for (unsigned i = 0; i < HISTOGRAM_CLASSES; i++) {
		const struct histogram_class *class = &sums->sizes.of[i];

		if (!class->count)
			continue;
		histogram_cells(table, &sums->sizes, i);
		table_text(table, "%.2f%%", (double)class->sum * 100.0 / (double)sums->blocks);
	}
	return table_end(table, to, line, "sizes");
}

static void print_sum(const struct free_space *space, const struct free_sums *sums, const char *what,
		      const struct answer *to)
{
	struct words words = { 0 };

	words_add(&words, "%s: ", what);
	words_add_count(&words, sums->blocks, "block", "blocks");
	words_add(&words, " (");
	words_add_bytes(&words, sums->blocks << space->geo->block_log);
	words_add(&words, ") in ");
	words_add_count(&words, sums->extents, "extent", "extents");
	if (sums->extents)
		words_add(&words, ", on average %g blocks", (double)sums->blocks / (double)sums->extents);
	answer_say(to, "%s", words.text);
}

static int tell_largest(const struct free_space *space, bool realtime, const struct answer *to, json_t *line)
{
	const struct ranking *largest = &space->largest[realtime];
	struct table *table = table_new(to, "Largest, in blocks=blocks|size|group=group|from block=block", SIZE_MAX);

	for (size_t i = 0; i < largest->count; i++) {
		const struct ranked *item = &largest->v[i];

		table_number(table, item->rank);
		table_bytes(table, item->rank << space->geo->block_log);
		table_id(table, item->fact[FREE_GROUP] - (realtime ? space->geo->agcount : 0));
		table_id(table, item->fact[FREE_START]);
	}
	if (largest->count)
		answer_space(to);
	return table_end(table, to, line, "largest_extents");
}

static void print_at_once(const struct free_space *space, const struct free_sums *sums, const struct answer *to)
{
	struct words words = { 0 };

	words_add(&words, "An allocation gets up to ");
	words_add_count(&words, sums->usable, "block", "blocks");
	words_add(&words, " (");
	words_add_bytes(&words, sums->usable << space->geo->block_log);
	words_add(&words, ") in one piece");
	answer_space(to);
	answer_say(to, "%s.", words.text);
}

static int tell_groups(const struct free_space *space, bool realtime, const struct answer *to)
{
	const struct geometry *geo = space->geo;
	const uint32_t from = realtime ? geo->agcount : 0, end = realtime ? group_count(geo) : geo->agcount;
	struct table *table = table_new(to, "Group|+free blocks|of it|extents|average|largest|in one piece", SIZE_MAX);
	int ret = 0;

	for (uint32_t i = from; i < end && !ret; i++) {
		const struct free_sums *sums = &space->groups[i];
		json_t *line = sums_line(to->json, sums, realtime, i - from);

		table_id(table, i - from);
		table_number(table, sums->blocks);
		table_text(table, "%.1f%%", (double)sums->blocks * 100.0 / (double)group_length(geo, (group_t){ i }));
		table_number(table, sums->extents);
		table_text(table, "%.1f", sums->extents ? (double)sums->blocks / (double)sums->extents : 0.0);
		table_number(table, sums->largest);
		table_number(table, sums->usable);
		if (!line)
			continue;
		ret = tell_sizes(sums, &(struct answer){ .json = to->json }, line);
		json_out_put(to->json, line);
	}
	answer_space(to);
	return table_end(table, to, NULL, NULL) ? -ENOMEM : ret;
}

static int tell_section(const struct free_space *space, bool realtime, const struct answer *to)
{
	const struct free_sums sums = free_space_all(space, realtime);
	json_t *line = sums_line(to->json, &sums, realtime, ALL_GROUPS);
	int ret;

	print_sum(space, &sums, realtime ? "Free space of the realtime section" : "Free space", to);
	ret = tell_sizes(&sums, to, line);
	if (!ret)
		ret = tell_largest(space, realtime, to, line);
	if (to->json)
		json_out_put(to->json, line);
	if (!ret)
		print_at_once(space, &sums, to);
	return ret ? ret : tell_groups(space, realtime, to);
}

/* Prints the answer. 0 or negative errno. */
static int free_space_tell(const struct free_space *space, const struct answer *to)
{
	int ret = tell_section(space, false, to);

	if (ret || !free_space_has_rt(space))
		return ret;
	answer_space(to);
	return tell_section(space, true, to);
}

/*
 * How much free space of an AG files can get at once. A mount reserves room for the largest size of the finobt,
 * refcountbt and rmapbt; these are rules of the kernel, not of the format.
 */

#define CHUNK_INODES 64u
#define RMAP_SHARE   100u /* 1 / RMAP_SHARE of an AG is the least reservation for the rmapbt */
#define FOR_BMBT     1u	  /* a block must be left for the extent map */

/* Returns the blocks of a btree with this many records and half-full blocks. */
static uint64_t tree_blocks(const struct geometry *geo, enum btree_kind kind, uint64_t records)
{
	uint64_t fit = geo->btree[kind].leaf_max / 2, blocks = 0;

	while (records > 1 && fit > 1) {
		records = (records + fit - 1) / fit;
		fit = geo->btree[kind].node_max / 2;
		blocks += records;
	}
	return blocks;
}

/* Returns the blocks reserved for the growth of btrees. */
static uint64_t reserved(const struct geometry *geo, agno_t agno, const struct ag_state *ag)
{
	const bool has_log = geo->logstart.v && agno_of_fsbno(geo, geo->logstart).v == agno.v;
	const uint64_t blocks = beyond(ag_length(geo, agno), has_log ? geo->logblocks : 0);
	uint64_t sum = 0;

	if (geo->finobt) {
		const uint64_t chunks = blocks * geo->inodes_per_block / CHUNK_INODES;

		sum += beyond(tree_blocks(geo, BT_FINO, chunks), ag->tree[BT_FINO].blocks);
	}
	if (geo->reflink)
		sum += beyond(tree_blocks(geo, BT_REFC, blocks), ag->tree[BT_REFC].blocks);
	if (geo->rmapbt) {
		const uint64_t share = blocks / RMAP_SHARE, most = tree_blocks(geo, BT_RMAP, blocks);

		sum += beyond(larger(share, most), ag->tree[BT_RMAP].blocks);
	}
	return sum;
}

/*
 * Returns the most blocks that an allocation for a file gets from this AG in one piece. From its largest free extent
 * the kernel subtracts what the free list lacks, and the reservation as far as other free space does not cover it.
 * Older kernels reserve less.
 */
static uint64_t free_usable(const struct geometry *geo, agno_t agno, const struct ag_state *ag)
{
	const uint64_t longest_extent = (UINT64_C(1) << BMBT_LEN_BITS) - 1;
	const uint64_t longest = ag->longest, free_blocks = ag->free_blocks;
	const uint64_t listed = ag->have_agf ? ag->agf.flcount : 0;
	const uint64_t least = ag->have_agf ? agf_least_freelist(geo, &ag->agf) : 0;
	const uint64_t aside = reserved(geo, agno, ag);
	const uint64_t at_once = beyond(longest, beyond(least, listed) + beyond(aside, beyond(free_blocks, longest)));
	const uint64_t in_all = beyond(free_blocks + listed, aside + least + FOR_BMBT);
	const uint64_t usable = at_once < in_all ? at_once : in_all;

	return usable < longest_extent ? usable : longest_extent;
}

struct free_lane {
	struct ranking largest[2];
	struct blocks *edges; /* free extents of realtime groups that may continue in the next bitmap block */
	size_t nedges, room;
	int error;
};

struct free_asked {
	struct free_space space;
	uint64_t edge; /* blocks that a realtime bitmap block covers; 0: none */
	unsigned nlanes;
	struct free_lane lanes[];
};

static int free_space_begin(struct repair *rc, void **ret_ctx)
{
	struct free_asked *asked = calloc(1, sizeof(*asked) + rc->workers * sizeof(asked->lanes[0]));
	const size_t most = rc->run->options->query.top;

	if (!asked)
		return -ENOMEM;
	*ret_ctx = asked;
	asked->space.geo = &rc->geo;
	asked->space.groups = calloc(group_count(&rc->geo), sizeof(*asked->space.groups));
	asked->space.largest[0].most = asked->space.largest[1].most = most;
	asked->edge = rc->geo.rgcount ? (uint64_t)rt_block_extents(&rc->geo) * rc->geo.rextsize : 0;
	asked->nlanes = rc->workers;
	for (unsigned i = 0; i < asked->nlanes; i++)
		asked->lanes[i].largest[0].most = asked->lanes[i].largest[1].most = most;
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

/* Counts an extent; threads may be in the same group. */
static void count(struct free_space *space, const struct blocks *at)
{
	struct free_sums *sums = &space->groups[at->group.v];
	struct histogram_class *class = &sums->sizes.of[histogram_class(at->len)];

	add(&sums->extents, 1);
	add(&sums->blocks, at->len);
	add(&class->count, 1);
	add(&class->sum, at->len);
}

/* Counts an extent of a btree or bitmap, which files can use. 0 or -ENOMEM. */
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

static void free_space_claim(void *ctx, unsigned worker, const struct claim *claim)
{
	struct free_asked *asked = ctx;

	(void)worker;
	if (claim->object == OBJ_AGFL && claim->owner == OWNER_AG)
		count(&asked->space, &claim->at);
}

static void free_space_free_extent(void *ctx, unsigned worker, enum btree_kind kind, const struct blocks *blocks)
{
	struct free_asked *asked = ctx;
	struct free_lane *at = &asked->lanes[worker];
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

/* Joins extents across edges of bitmap blocks, and counts them. 0 or -ENOMEM. */
static int join_edges(struct free_asked *asked, struct free_lane *all)
{
	int ret = 0;

	ordered_sort(all->edges, all->nedges, MEMBERS(MEMBER(all->edges, group), MEMBER(all->edges, start)));
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

/* Joins all lanes. 0 or negative errno. */
static int join(struct free_asked *asked)
{
	struct free_lane *all = &asked->lanes[0];
	int ret = 0;

	for (unsigned i = 1; i < asked->nlanes && !ret; i++) {
		struct free_lane *lane = &asked->lanes[i];

		for (size_t k = 0; k < lane->nedges && !ret; k++)
			ret = array_add(all->edges, all->room, all->nedges, lane->edges[k]);
		lane->nedges = 0;
	}
	if (!ret)
		ret = join_edges(asked, all);
	all->nedges = 0;
	for (unsigned i = 0; i < asked->nlanes && !ret; i++) {
		ret = asked->lanes[i].error;
		for (unsigned rt = 0; rt < 2 && !ret; rt++)
			ret = ranking_join(&asked->space.largest[rt], &asked->lanes[i].largest[rt]);
	}
	ranking_sort(&asked->space.largest[0]);
	ranking_sort(&asked->space.largest[1]);
	return ret;
}

/* Finds the largest allocations, from the AG states of the traversal. */
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
	const struct answer to = { out, report_answer_page(rc->report), report_answer_json(rc->report) };
	int ret = join(asked);

	find_usable(&asked->space, rc->traverse);
	return ret ? ret : free_space_tell(&asked->space, &to);
}

static void free_space_end(void *ctx)
{
	struct free_asked *asked = ctx;

	for (unsigned i = 0; i < asked->nlanes; i++) {
		ranking_free(&asked->lanes[i].largest[0]);
		ranking_free(&asked->lanes[i].largest[1]);
		free(asked->lanes[i].edges);
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes surveys of blocks: all threads of a traversal mark the same maps. */
#include "base/over_memory.h"
#include "mend_survey.h"

#include <errno.h>
#include <stdlib.h>

#include "disk/inobt.h"
#include "check/locate/evidence.h"
#include "mend/base/mend.h"
#include "mend/base/mend_lanes.h"
#include "repair.h"
#include "run.h"
#include "sets/ordered.h"
#include "check/walk/walker.h"

#define MAPS (sizeof(((struct survey_ag *)NULL)->maps) / sizeof(struct block_map))

struct surveying {
	const struct repair *rc;
	enum btree_kind *free_tree; /* per AG */
	struct mend_survey survey;
	struct mend_lanes chunks, ranges;
};

static bool has_maps(const struct survey_ag *ag)
{
	return ag->claimed.bits != NULL;
}

static struct survey_ag *ag_of(const struct surveying *k, group_t group)
{
	return !group_is_rt(&k->rc->geo, group) && has_maps(&k->survey.ags[group.v]) ? &k->survey.ags[group.v] : NULL;
}

static void claim_found(void *ctx, unsigned worker, const struct claim *c)
{
	const struct surveying *k = ctx;
	const struct survey_ag *ag = ag_of(k, c->at.group);

	(void)worker;
	if (!ag)
		return;
	block_map_mark_again(&ag->claimed, &ag->again, c->at.start.v, c->at.len);
	if (claim_is_alone(c->owner, c->flags, c->object))
		block_map_mark(&ag->alone, c->at.start.v, c->at.len);
	if (c->owner == OWNER_AG && c->at.len == 1)
		block_map_mark(&ag->single, c->at.start.v, 1);
	/* a block that a damaged btree points to need not belong to it: intact inodes in it are better evidence */
	if (c->owner != OWNER_INODES && !mend_owner_is_tree(c->owner))
		block_map_mark(&ag->others, c->at.start.v, c->at.len);
}

/* Extents staged for copy on write are claimed by their refcount records. */
static void refcount_found(void *ctx, unsigned worker, group_t group, const struct refcount_record *r)
{
	const struct claim claim = { .at = { group, { r->start.v }, r->len }, .owner = OWNER_COW };
	const struct survey_ag *ag = ag_of(ctx, group);

	if (r->cow)
		claim_found(ctx, worker, &claim);
	else if (ag && r->refcount > 1)
		block_map_mark(&ag->shared, r->start.v, r->len);
}

static void freed_found(void *ctx, unsigned worker, const struct blocks *b)
{
	const struct survey_ag *ag = ag_of(ctx, b->group);

	(void)worker;
	if (ag)
		block_map_mark(&ag->free, b->start.v, b->len);
}

static void free_found(void *ctx, unsigned worker, enum btree_kind kind, const struct blocks *b)
{
	const struct surveying *k = ctx;

	if (ag_of(k, b->group) && kind == k->free_tree[b->group.v])
		freed_found(ctx, worker, b);
}

static void rmap_found(void *ctx, unsigned worker, group_t group, const struct rmap_record *r)
{
	struct surveying *k = ctx;
	const struct survey_ag *ag = ag_of(k, group);
	const uint64_t end = (uint64_t)r->start.v + r->len;
	struct survey_range range = { { group.v }, r->start.v, 0 };

	if (!ag)
		return;
	block_map_mark(&ag->mapped, r->start.v, r->len);
	if (r->owner != OWNER_INODES || r->start.v >= ag->inodes.to)
		return;
	block_map_mark(&ag->inodes, r->start.v, r->len);
	range.end = (uint32_t)(end < ag->inodes.to ? end : ag->inodes.to);
	mend_lanes_add(&k->ranges, worker, &range); /* mend_lanes_join() returns the error */
}

static void chunk_found(void *ctx, unsigned worker, enum btree_kind kind, agno_t agno, const struct inobt_record *r)
{
	struct surveying *k = ctx;
	const struct chunk_fact fact = { agno, kind, *r };
	const struct survey_ag *ag = ag_of(k, group_of_ag(agno));

	if (ag && agbno_of_agino(&k->rc->geo, r->start).v < ag->claimed.to)
		mend_lanes_add(&k->chunks, worker, &fact);
}

static int maps_new(const struct geometry *geo, const bool *wanted, struct survey_ag *ags)
{
	for (uint32_t ag = 0; ag < geo->agcount; ag++) {
		const uint64_t to = ag_length(geo, (agno_t){ ag });
		struct survey_ag *a = &ags[ag];

		if (wanted && !wanted[ag])
			continue;
		for (size_t i = 0; i < MAPS; i++)
			if (block_map_new(&a->maps[i], 0, to))
				return -ENOMEM;
	}
	return 0;
}

static void maps_free(struct survey_ag *ag)
{
	for (size_t i = 0; i < MAPS; i++)
		block_map_free(&ag->maps[i]);
}

/* Returns how many bytes the maps of an AG take. */
static uint64_t maps_bytes(const struct geometry *geo, agno_t agno)
{
	return MAPS * (ag_length(geo, agno) / 8 + 1);
}

/* Returns how many bytes those of all wanted AGs take, and the number of these AGs; wanted NULL: all. */
static uint64_t bytes_wanted(const struct geometry *geo, const bool *wanted, uint32_t *ret_ags)
{
	uint64_t bytes = 0;

	*ret_ags = 0;
	for (uint32_t ag = 0; ag < geo->agcount; ag++) {
		if (wanted && !wanted[ag])
			continue;
		bytes += maps_bytes(geo, (agno_t){ ag });
		++*ret_ags;
	}
	return bytes;
}

/* True if there is memory for a survey of these AGs; cached blocks are dropped for it. */
static bool is_room(struct mend *m, const bool *wanted)
{
	const struct memory *memory = &m->rc->run->memory;
	uint32_t ags;
	uint64_t bytes = bytes_wanted(&m->now->geo, wanted, &ags);

	if (bytes > memory->mending && (ags > 1 || bytes > memory->alone))
		return false;
	if (bytes > memory->mending)
		over_memory(m->rc, OVER_MEMORY_GROUP);
	memory_for_records(m->rc, bytes);
	return true;
}

void surveying_free(struct surveying *k)
{
	if (!k)
		return;
	mend_lanes_free(&k->chunks);
	mend_lanes_free(&k->ranges);
	mend_survey_free(&k->survey);
	free(k->free_tree);
	free(k);
}

int surveying_new(const struct repair *rc, const bool *wanted, struct surveying **ret)
{
	const uint32_t agcount = rc->geo.agcount;
	struct surveying *k = calloc(1, sizeof(*k));
	int error = -ENOMEM;

	if (!k)
		return error;
	k->rc = rc;
	k->survey.agcount = agcount;
	k->survey.ags = calloc(agcount, sizeof(*k->survey.ags));
	k->survey.agis = calloc(agcount, sizeof(*k->survey.agis));
	k->free_tree = calloc(agcount, sizeof(*k->free_tree));
	if (!mend_lanes_new(&k->chunks, rc, sizeof(*k->survey.chunks)) &&
	    !mend_lanes_new(&k->ranges, rc, sizeof(*k->survey.ranges)) && k->survey.ags && k->survey.agis &&
	    k->free_tree)
		error = maps_new(&rc->geo, wanted, k->survey.ags);
	for (uint32_t ag = 0; ag < agcount && !error; ag++)
		k->free_tree[ag] = mend_free_tree(rc, (group_t){ ag });
	if (error)
		surveying_free(k);
	else
		*ret = k;
	return error;
}

struct sink surveying_sink(struct surveying *k)
{
	static const struct sink_ops ops = { .claim = claim_found,
					     .refcount = refcount_found,
					     .free_extent = free_found,
					     .freed = freed_found,
					     .rmap = rmap_found,
					     .chunk = chunk_found };

	return (struct sink){ &ops, k, &k->rc->run->key };
}

/* Hands over the survey, with sorted records, when all facts have come. 0 or -ENOMEM. */
static int put_in_order(struct surveying *k, struct mend_survey *ret)
{
	struct mend_survey *s = &k->survey;
	int error = mend_lanes_join(&k->chunks, &s->chunks, &s->nchunks);

	if (!error)
		error = mend_lanes_join(&k->ranges, &s->ranges, &s->nranges);
	if (error)
		return error;
	qsort(s->chunks, s->nchunks, sizeof(*s->chunks), evidence_order_of_chunks);
	ordered_sort(s->ranges, s->nranges,
		     MEMBERS(MEMBER(s->ranges, agno), MEMBER(s->ranges, start), MEMBER(s->ranges, end)));
	*ret = *s;
	*s = (struct mend_survey){ 0 };
	return 0;
}

int surveying_end(struct surveying *k, struct mend_survey *ret)
{
	mend_agis_of(&k->rc->geo, k->rc->traverse, k->survey.agis);
	for (uint32_t ag = 0; ag < k->survey.agcount; ag++) {
		if (mend_free_tree(k->rc, (group_t){ ag }) != BT_BNO)
			maps_free(&k->survey.ags[ag]);
		k->survey.ags[ag].free_in_part = !ag_tree_whole(&k->rc->traverse->ags[ag], BT_BNO);
	}
	return put_in_order(k, ret);
}

int mend_survey(struct mend *m, const bool *wanted, const struct facts_chunks *also, struct mend_survey *ret)
{
	const struct scope scope = { .claims = true };
	struct surveying *k = NULL;
	struct sink sink;
	int error;

	*ret = (struct mend_survey){ 0 };
	if (!is_room(m, wanted))
		return -E2BIG;
	error = surveying_new(m->now, wanted, &k);
	if (error)
		return error;
	sink = surveying_sink(k);
	error = mend_gather(m->now, &scope, &sink, also, k->survey.agis);
	if (!error)
		error = put_in_order(k, ret);
	surveying_free(k);
	return error;
}

uint64_t mend_survey_bytes(const struct geometry *geo)
{
	/* each chunk may be in the inobt, the finobt and the rmapbt */
	const uint64_t bytes = 2 * sizeof(struct chunk_fact) + sizeof(struct survey_range);
	uint32_t ags;

	return geo->icount / INODES_PER_CHUNK * bytes + bytes_wanted(geo, NULL, &ags);
}

const struct survey_ag *mend_survey_maps(const struct mend_survey *s, agno_t agno)
{
	return s && agno.v < s->agcount && has_maps(&s->ags[agno.v]) ? &s->ags[agno.v] : NULL;
}

bool mend_survey_has(const struct mend_survey *s, agno_t agno)
{
	return mend_survey_maps(s, agno) && !s->ags[agno.v].free_in_part;
}

bool mend_survey_adopt(struct mend *m, const bool *wanted, struct mend_survey *ret)
{
	for (uint32_t ag = 0; ag < m->now->geo.agcount; ag++)
		if (wanted[ag] && !mend_survey_maps(m->survey, (agno_t){ ag }))
			return false;
	if (!m->survey)
		return false;
	*ret = *m->survey;
	free(m->survey);
	m->survey = NULL;
	return true;
}

int mend_survey_return(struct mend *m, struct mend_survey *survey)
{
	m->survey = malloc(sizeof(*m->survey));
	if (!m->survey)
		return -ENOMEM;
	*m->survey = *survey;
	*survey = (struct mend_survey){ 0 };
	return 0;
}

bool mend_survey_unowned(const struct mend_survey *s, agno_t agno, uint64_t from, uint64_t *ret_start,
			 uint64_t *ret_len)
{
	const struct survey_ag *ag = &s->ags[agno.v];

	*ret_start = block_map_next(&ag->claimed, &ag->free, from, false);
	*ret_len = block_map_next(&ag->claimed, &ag->free, *ret_start, true) - *ret_start;
	return *ret_len > 0;
}

bool mend_survey_any_unowned(const struct mend_survey *s, agno_t agno, uint64_t start, uint64_t len)
{
	struct block_map claimed = s->ags[agno.v].claimed;

	if (start < claimed.to && len < claimed.to - start) /* limits the search to the range */
		claimed.to = start + len;
	return block_map_next(&claimed, &s->ags[agno.v].free, start, false) < claimed.to;
}

void mend_survey_claim(struct mend_survey *s, agno_t agno, agbno_t start, uint64_t len)
{
	if (!mend_survey_maps(s, agno))
		return;
	block_map_set(&s->ags[agno.v].claimed, start.v, len, true);
	block_map_set(&s->ags[agno.v].others, start.v, len, true);
}

int mend_survey_of_ag(struct mend *m, agno_t agno, const struct facts_chunks *also, struct mend_survey *ret)
{
	bool *wanted = calloc(m->now->geo.agcount, sizeof(*wanted));
	int error = -ENOMEM;

	*ret = (struct mend_survey){ 0 };
	if (wanted) {
		wanted[agno.v] = true;
		error = mend_survey(m, wanted, also, ret);
	}
	free(wanted);
	return error;
}

void mend_survey_free(struct mend_survey *s)
{
	for (uint32_t ag = 0; s->ags && ag < s->agcount; ag++)
		maps_free(&s->ags[ag]);
	free(s->ags);
	free(s->agis);
	free(s->chunks);
	free(s->ranges);
	*s = (struct mend_survey){ 0 };
}

const struct chunk_fact *mend_survey_chunks(const struct mend_survey *s, agno_t agno, size_t *ret_count)
{
	const size_t first = ordered_find(s->chunks, s->nchunks, MEMBER(s->chunks, agno), agno.v);

	*ret_count =
		first < s->nchunks ? ordered_run(s->chunks + first, s->nchunks - first, MEMBER(s->chunks, agno)) : 0;
	return *ret_count ? s->chunks + first : NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chunks of inodes, from all that tells of them: records of the inode btrees, the rmapbt, and, where these are lost,
 * blocks that nobody claims but that look like inodes.  Candidates of the better witness come first; one that overlaps
 * a chunk that is settled already is dropped.
 */
#include "mend_chunks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "mend/base/mend.h"
#include "mend_chunk_search.h"
#include "parallel.h"
#include "repair.h"
#include "sets/ordered.h"
#include "check/walk/walker.h"

int chunk_add(struct chunk_search *s, enum chunk_witness by, const struct inobt_record *record)
{
	return array_add(s->v, s->room, s->count, (struct chunk_candidate){ by, *record });
}

int chunk_add_run(struct chunk_search *s, enum chunk_witness by, uint64_t start, uint64_t end)
{
	const struct geometry *g = s->geo;
	uint64_t first = g->sparse ? start / g->cluster_align * g->cluster_align : start;
	int ret = 0;

	for (uint64_t agino = first << g->inopb_log; agino < end << g->inopb_log && !ret; agino += INODES_PER_CHUNK)
		ret = chunk_add(s, by, &(struct inobt_record){ .start = { (uint32_t)agino } });
	return ret;
}

/* Add the candidates that inobt, finobt and rmapbt tell of, out of the survey. */
static int take_records(struct chunk_search *s)
{
	size_t nchunks;
	const struct chunk_fact *chunks = mend_survey_chunks(s->survey, s->agno, &nchunks);
	int ret = 0;

	for (size_t i = 0; i < nchunks && !ret; i++)
		ret = chunk_add(s, chunks[i].kind == BT_INO ? BY_INOBT : BY_FINOBT, &chunks[i].record);
	for (size_t i = 0; i < s->survey->nruns && !ret; i++)
		if (s->survey->runs[i].agno.v == s->agno.v)
			ret = chunk_add_run(s, BY_RMAP, s->survey->runs[i].start, s->survey->runs[i].end);
	return ret;
}

/* Add candidates with the directories of which blocks are left. 0 or -ENOMEM. */
static int take_strays(struct chunk_search *s)
{
	const struct ino_set *strays = &s->m->notes.stray_dirs;
	xino_t *inos = ino_set_count(strays) ? ino_set_sorted(strays) : NULL;
	int ret = inos || !ino_set_count(strays) ? 0 : -ENOMEM;

	for (size_t i = 0; inos && i < ino_set_count(strays) && !ret; i++) {
		const uint32_t agino = agino_of_ino(s->geo, inos[i]).v;
		const agino_t start = { agino - agino % INODES_PER_CHUNK };

		if (agno_of_ino(s->geo, inos[i]).v == s->agno.v)
			ret = chunk_add(s, BY_STRAYS, &(struct inobt_record){ .start = start });
	}
	free(inos);
	return ret;
}

int mend_chunks_add(struct inobt_record **chunks, size_t *count, const struct inobt_record *more)
{
	struct inobt_record *v = *chunks;
	size_t at = 0;

	while (at < *count && v[at].start.v < more->start.v)
		at++;
	if (at < *count && v[at].start.v == more->start.v) {
		v[at].holemask &= more->holemask;
		chunk_count(&v[at]);
		return 0;
	}
	v = reallocarray(v, *count + 1, sizeof(*v));
	if (!v)
		return -ENOMEM;
	*chunks = v;
	memmove(&v[at + 1], &v[at], (*count - at) * sizeof(*v));
	v[at] = *more;
	++*count;
	return 0;
}

void mend_chunks_mark(const struct geometry *geo, const struct inobt_record *chunk, struct block_map *map, bool value)
{
	uint64_t exist = inobt_existing(chunk->holemask);

	for (unsigned i = 0; i < INODES_PER_CHUNK; i++)
		if (exist >> i & 1)
			block_map_set(map, agbno_of_agino(geo, (agino_t){ chunk->start.v + i }).v, 1, value);
}

#define THREADS 8u  /* they mostly wait for the device */
#define SLICE	16u /* candidates that a thread takes at a time */

/* Candidates of one witness that overlap no chunk, and what they prove to be. */
struct settling {
	const struct chunk_search *search;
	const struct chunk_candidate **v;
	struct chunk_outcome *outcomes;
	size_t count;
	bool failed; /* atomic: out of memory */
};

static void settle_slice(void *ctx, size_t slice)
{
	struct settling *t = ctx;
	uint8_t *chunk = malloc((size_t)INODES_PER_CHUNK << t->search->geo->inode_log);

	if (!chunk)
		__atomic_store_n(&t->failed, true, __ATOMIC_RELAXED);
	for (size_t i = slice * SLICE; chunk && i < t->count && i < (slice + 1) * SLICE; i++)
		t->outcomes[i] = chunk_settle(t->search, t->v[i], chunk);
	free(chunk);
}

/* True if a chunk that begins at inode `start` would overlap none of the others. */
static bool is_vacant(const struct chunk_places *p, uint64_t start)
{
	const uint64_t slot = start / INODES_PER_CHUNK;

	return start < p->inodes && !p->at[slot] &&
	       !(slot && p->at[slot - 1] && p->at[slot - 1] - 1 + INODES_PER_CHUNK > start) &&
	       !(p->at[slot + 1] && p->at[slot + 1] - 1 < start + INODES_PER_CHUNK);
}

/* Settle the candidates [first, end), all of one witness: in their order, those that are chunks go to s->chunks. */
static int settle_witness(struct settling *t, struct chunk_search *s, size_t first, size_t end, struct chunk_places *p)
{
	t->count = 0;
	for (size_t i = first; i < end; i++)
		if (is_vacant(p, s->v[i].record.start.v))
			t->v[t->count++] = &s->v[i];
	parallel_each(THREADS, (t->count + SLICE - 1) / SLICE, settle_slice, t);
	for (size_t i = 0; i < t->count && !t->failed; i++) {
		const uint32_t start = t->v[i]->record.start.v;

		if (!t->outcomes[i].is_chunk || !is_vacant(p, start))
			continue;
		if (array_grow(&s->chunks, &s->chunks_room, s->nchunks, sizeof(*s->chunks)) ||
		    array_grow(&s->hollow, &s->hollow_room, s->nhollow, sizeof(*s->hollow)))
			return -ENOMEM;
		s->chunks[s->nchunks++] = t->outcomes[i].record;
		if (t->outcomes[i].hollow)
			s->hollow[s->nhollow++] = t->outcomes[i].record.start;
		p->at[start / INODES_PER_CHUNK] = start + 1;
	}
	return t->failed ? -ENOMEM : 0;
}

/* Settle all candidates, those of the better witness first. */
static int settle_all(struct chunk_search *s, struct chunk_places *places)
{
	struct settling t = { .search = s,
			      .v = calloc(s->count + 1, sizeof(const struct chunk_candidate *)),
			      .outcomes = calloc(s->count + 1, sizeof(*t.outcomes)) };
	int ret = t.v && t.outcomes ? 0 : -ENOMEM;

	ordered_sort(s->v, s->count, MEMBERS(MEMBER(s->v, by), MEMBER(s->v, record.start), MEMBER(s->v, record.free)));
	for (size_t first = 0, end; first < s->count && !ret; first = end) {
		end = first + ordered_run(s->v + first, s->count - first, MEMBER(s->v, by));
		ret = settle_witness(&t, s, first, end, places);
	}
	free((void *)t.v);
	free(t.outcomes);
	s->count = 0;
	return ret;
}

/* hollow[] is in order: its chunks are all by one witness, whose candidates are settled in the order of their starts.
 */
static bool is_hollow(const struct chunk_search *s, agino_t start)
{
	return ordered_find(s->hollow, s->nhollow, ELEMENT(s->hollow), start.v) < s->nhollow;
}

/* By how many inodes the chunks exceed the AGI's count; also 0 if there is no AGI. */
static int64_t miscount(const struct chunk_search *s)
{
	int64_t count = 0;

	if (!s->m->now->traverse->ags[s->agno.v].have_agi)
		return 0;
	for (size_t i = 0; i < s->nchunks; i++)
		count += s->chunks[i].count;
	return count - s->survey->agis[s->agno.v].count;
}

/* How many inodes there are in chunks that have no inode left. */
static int64_t count_hollow(const struct chunk_search *s)
{
	int64_t hollow = 0;

	for (size_t i = 0; i < s->nchunks; i++)
		if (is_hollow(s, s->chunks[i].start))
			hollow += s->chunks[i].count;
	return hollow;
}

/*
 * A damaged record of the rmapbt may have made blocks of a file look like a chunk.  If the AGI's count is right without
 * the chunks that have no inode left, these are dropped.
 */
static void drop_hollow(struct chunk_search *s)
{
	const int64_t hollow = count_hollow(s);
	size_t kept = 0;

	if (!hollow || miscount(s) != hollow)
		return;
	for (size_t i = 0; i < s->nchunks; i++)
		if (!is_hollow(s, s->chunks[i].start))
			s->chunks[kept++] = s->chunks[i];
	s->nchunks = kept;
}

/*
 * Look for chunks that no tree tells of; in blocks that the rmapbt gives to something else, which may be all file data
 * of the AG, only if the AGI's count tells that a chunk is still missing. 0 or -ENOMEM.
 */
static int look_for_more(struct chunk_search *s, struct chunk_places *places)
{
	int ret = chunk_take_looks(s, places, false);

	if (!ret)
		ret = settle_all(s, places);
	if (!ret && s->geo->rmapbt && miscount(s) && miscount(s) != count_hollow(s)) {
		ret = chunk_take_looks(s, places, true);
		if (!ret)
			ret = settle_all(s, places);
	}
	if (!ret)
		drop_hollow(s);
	return ret;
}

/* Where blocks are larger than chunks, inodes fill all of a block: settle the other chunks of each block that has one.
 */
static int complete_blocks(struct chunk_search *s, struct chunk_places *places)
{
	const uint32_t inodes = s->geo->inodes_per_block;
	int ret = 0;

	for (size_t i = 0; i < s->nchunks && inodes > INODES_PER_CHUNK && !ret; i++) {
		const uint32_t first = s->chunks[i].start.v / inodes * inodes;

		for (uint32_t at = first; at < first + inodes && !ret; at += INODES_PER_CHUNK)
			if (is_vacant(places, at))
				ret = chunk_add(s, BY_BLOCK, &(struct inobt_record){ .start = { at } });
	}
	return ret ? ret : settle_all(s, places);
}

int mend_chunks_find(struct mend *m, const struct mend_survey *survey, agno_t agno, enum inobt_trust trust,
		     struct inobt_record **ret_chunks, size_t *ret_count)
{
	const struct geometry *geo = &m->now->geo;
	const struct ag_state *ag = &m->now->traverse->ags[agno.v];
	struct chunk_search s = {
		.m = m, .geo = geo, .agno = agno, .survey = survey, .ag = &survey->ags[agno.v], .trust = trust
	};
	struct chunk_places places = { .inodes = (uint64_t)ag_length(geo, agno) << geo->inopb_log };
	int ret = -ENOMEM;

	places.at = calloc(places.inodes / INODES_PER_CHUNK + 2, sizeof(*places.at));
	s.chunks = calloc(1, sizeof(*s.chunks));
	s.chunks_room = 1;
	if (places.at && s.chunks)
		ret = block_map_new(&s.listed, 0, ag_length(geo, agno));
	if (!ret)
		ret = take_records(&s);
	if (!ret)
		ret = chunk_take_named(&s);
	if (!ret)
		ret = take_strays(&s);
	if (!ret)
		ret = settle_all(&s, &places);
	if (!ret && (trust == INOBT_LOSSY || !ag_tree_whole(ag, BT_INO)) &&
	    (!ag_tree_whole(ag, BT_RMAP) || miscount(&s)))
		ret = look_for_more(&s, &places);
	if (!ret)
		ret = complete_blocks(&s, &places);
	free(places.at);
	free(s.v);
	free(s.hollow);
	block_map_free(&s.listed);
	if (ret) {
		free(s.chunks);
		return ret;
	}
	ordered_sort(s.chunks, s.nchunks, MEMBERS(MEMBER(s.chunks, start)));
	*ret_chunks = s.chunks;
	*ret_count = s.nchunks;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Candidates for chunks that no tree tells of: all blocks that nobody claims and that are not free are read, but for
 * holes of an image file, to see whether they begin with an inode.  So are those that only the group itself claims: the
 * free list may have a block by mistake.
 */
#include "mend/collect/mend_scan.h"
#include "mend_chunk_search.h"

/* The root is the first inode of its chunk (ondisk 00, section 2), so that one is a candidate in any case. */
static int take_root(struct chunk_search *s)
{
	const struct geometry *g = s->geo;

	if (!ino_valid(g, g->rootino) || agno_of_ino(g, g->rootino).v != s->agno.v)
		return 0;
	return chunk_add(s, BY_LOOKS, &(struct inobt_record){ .start = agino_of_ino(g, g->rootino) });
}

/* Blocks that begin with an inode. */
struct looking {
	const struct chunk_search *search;
	struct block_map known;	 /* blocks of chunks that are settled */
	struct block_map inodes; /* blocks that begin with an inode */
	struct block_map listed; /* the same, but the group itself claims them: inodes there may be old ones */
	bool again;		 /* look at known ones, too */
	bool otherwise;		 /* look at those that the rmapbt gives to something else; false: at the others */
};

/* Whether the block may be one of a lost chunk. It is not if it is free: inodes there would be old ones. */
static bool is_nobodys(void *ctx, uint64_t block)
{
	const struct looking *l = ctx;

	return block >= l->search->geo->first_data_agbno && !block_map_get(&l->search->ag->others, block) &&
	       !chunk_block_free(l->search, block) && chunk_block_mapped_otherwise(l->search, block) == l->otherwise &&
	       (l->again || !block_map_get(&l->known, block));
}

static void note_inodes(void *ctx, uint64_t block, const uint8_t *bytes)
{
	struct looking *l = ctx;
	const struct chunk_search *s = l->search;
	const xino_t ino = ino_of(s->geo, s->agno, (agino_t){ (uint32_t)block << s->geo->inopb_log });

	if (chunk_looks_like_inode(s->geo, ino, (const struct dinode_disk *)bytes))
		block_map_mark(chunk_block_taken(s, block) ? &l->listed : &l->inodes, block, 1);
}

/* ---- blocks of the free list that chunks lack ---- */

/* A run of blocks that begin with inodes: [first, last] from the first to the last one that nobody claims. */
struct listed_run {
	uint64_t from, first, last, to;
};

/* The next run from `at` on; false: there is none that has a block which nobody claims. */
static bool next_run(const struct looking *l, uint64_t at, struct listed_run *run)
{
	const uint64_t end = l->inodes.to;

	for (uint64_t b; at < end; at = run->to) {
		*run = (struct listed_run){ .from = block_map_next(&l->inodes, &l->listed, at, true), .first = end };
		run->to = run->from < end ? block_map_next(&l->inodes, &l->listed, run->from, false) : end;
		for (b = run->from; b < run->to; b++) {
			if (!block_map_get(&l->inodes, b))
				continue;
			run->first = run->first < b ? run->first : b;
			run->last = b;
		}
		if (run->first < end)
			return true;
	}
	return false;
}

/*
 * Take as few blocks off both ends of a run as possible, of those that the free list has, so that whole chunks are left
 * from a place where one may begin.  False: there is no such way.
 */
static bool fit_chunks(const struct geometry *g, uint64_t size, struct listed_run *run)
{
	const uint64_t align = g->cluster_align ? g->cluster_align : 1;
	struct listed_run best = { 0 };

	for (uint64_t from = run->from; from <= run->first && from < run->from + size; from++) {
		const uint64_t to = run->to - (run->to - from) % size;

		if (from % align == 0 && to > run->last && to - from > best.to - best.from) {
			best.from = from;
			best.to = to;
		}
	}
	run->from = best.from;
	run->to = best.to;
	return best.to > best.from;
}

/* Give the chunk its blocks that the free list has, if at least half of it is in blocks that nobody claims. */
static void fill_chunk(struct chunk_search *s, struct looking *l, uint64_t start, uint64_t size)
{
	uint64_t sure = 0;

	for (uint64_t b = start; b < start + size; b++)
		sure += block_map_get(&l->inodes, b);
	for (uint64_t b = start; b < start + size && 2 * sure >= size; b++) {
		if (block_map_get(&l->inodes, b))
			continue;
		block_map_set(&l->inodes, b, 1, true);
		block_map_set(&s->listed, b, 1, true);
	}
}

/*
 * A block that a chunk lacks, and that the free list has, is the chunk's: it holds inodes, as those around it do.  With
 * sparse chunks, each part is settled by itself, and names tell of the others.
 */
static void fill_chunks(struct chunk_search *s, struct looking *l)
{
	const struct geometry *g = s->geo;
	const uint64_t size = INODES_PER_CHUNK >> g->inopb_log;
	struct listed_run run = { 0 };

	if (g->sparse || size < 2 || !block_map_count(&l->listed))
		return;
	for (uint64_t at = 0; next_run(l, at, &run);) {
		at = run.to;
		if (fit_chunks(g, size, &run))
			for (uint64_t start = run.from; start < run.to; start += size)
				fill_chunk(s, l, start, size);
	}
}

/* ---- chunks in wrong places ---- */

/* Whether chunks have no holes, and are aligned to less than their size, so that a wrong start may look possible. */
static bool may_be_misplaced(const struct geometry *g)
{
	return !g->sparse && (uint64_t)g->cluster_align << g->inopb_log < INODES_PER_CHUNK;
}

/*
 * The run of blocks [*start, *end) with inodes that holds the first block with inodes of the chunk; empty: there is
 * none.  They hold the run that was found last, which is not looked for again.
 */
static void find_run(const struct looking *l, const struct inobt_record *r, uint32_t *start, uint32_t *end)
{
	const struct geometry *g = l->search->geo;
	const uint32_t behind = agbno_of_agino(g, (agino_t){ r->start.v + INODES_PER_CHUNK }).v;
	uint32_t first = agbno_of_agino(g, r->start).v;

	while (first < behind && !block_map_get(&l->inodes, first))
		first++;
	if (first >= *start && first < *end)
		return;
	*start = *end = first;
	if (first == behind)
		return;
	while (*start > 0 && block_map_get(&l->inodes, *start - 1))
		--*start;
	while (*end < l->inodes.to && block_map_get(&l->inodes, *end))
		++*end;
}

/*
 * In a run of blocks with inodes whose length is a multiple of a chunk's, chunks follow each other from its start.  A
 * record that has one elsewhere is damaged, and would leave pieces on both sides that are too small for a chunk.
 */
static void drop_misplaced(struct chunk_search *s, struct looking *l, struct chunk_places *places)
{
	const uint32_t size = INODES_PER_CHUNK >> s->geo->inopb_log;
	uint32_t start = 0, end = 0;
	size_t kept = 0;

	for (size_t i = 0; i < s->nchunks; i++) {
		const struct inobt_record *r = &s->chunks[i];
		const uint32_t at = agbno_of_agino(s->geo, r->start).v;

		find_run(l, r, &start, &end);
		if (start < end && (end - start) % size == 0 && (at < start || (at - start) % size != 0)) {
			places->at[r->start.v / INODES_PER_CHUNK] = 0;
			mend_chunks_mark(s->geo, r, &l->known, false);
		} else {
			s->chunks[kept++] = *r;
		}
	}
	s->nchunks = kept;
}

int chunk_take_looks(struct chunk_search *s, struct chunk_places *places, bool otherwise)
{
	const uint32_t end = ag_length(s->geo, s->agno);
	struct looking l = { .search = s, .again = !otherwise && may_be_misplaced(s->geo), .otherwise = otherwise };
	const struct mend_scan scan = { s->m, s->agno, is_nobodys, note_inodes, &l };
	uint32_t run = 0;
	int ret = block_map_new(&l.known, 0, end);

	if (!ret)
		ret = block_map_new(&l.inodes, 0, end);
	if (!ret)
		ret = block_map_new(&l.listed, 0, end);
	for (size_t i = 0; i < s->nchunks && !ret; i++)
		mend_chunks_mark(s->geo, &s->chunks[i], &l.known, true);
	if (!ret)
		ret = mend_scan(&scan);
	if (!ret)
		fill_chunks(s, &l);
	if (!ret)
		ret = take_root(s);
	if (!ret && l.again) {
		drop_misplaced(s, &l, places);
		block_map_subtract(&l.inodes, &l.known);
	}
	for (uint32_t b = 0; b <= end && !ret; b++) {
		const bool inodes = b < end && block_map_get(&l.inodes, b);

		if (!inodes && run)
			ret = chunk_add_run(s, BY_LOOKS, b - run, b);
		run = inodes ? run + 1 : 0;
	}
	block_map_free(&l.known);
	block_map_free(&l.inodes);
	block_map_free(&l.listed);
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Candidates for chunks that no tree tells of: all blocks that nobody claims and that are not free are read, but for
 * holes of an image file, to see whether they begin with an inode.
 */
#include "mend/mend_scan.h"
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
	bool again;		 /* look at known ones, too */
	bool otherwise;		 /* look at those that the rmapbt gives to something else; false: at the others */
};

/* Whether the block may be one of a lost chunk. It is not if it is free: inodes there would be old ones. */
static bool is_nobodys(void *ctx, uint64_t block)
{
	const struct looking *l = ctx;

	return block >= l->search->geo->first_data_agbno && !chunk_block_taken(l->search, block) &&
	       !chunk_block_free(l->search, block) && chunk_block_mapped_otherwise(l->search, block) == l->otherwise &&
	       (l->again || !block_map_get(&l->known, block));
}

static void look_at(void *ctx, uint64_t block, const uint8_t *bytes)
{
	struct looking *l = ctx;
	const struct chunk_search *s = l->search;
	const xino_t ino = ino_of(s->geo, s->agno, (agino_t){ (uint32_t)block << s->geo->inopb_log });

	if (chunk_looks_like_inode(s->geo, ino, (const struct dinode_disk *)bytes))
		block_map_mark(&l->inodes, block, 1);
}

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
	const struct mend_scan scan = { s->m, s->agno, is_nobodys, look_at, &l };
	uint32_t run = 0;
	int ret = block_map_new(&l.known, 0, end);

	if (!ret)
		ret = block_map_new(&l.inodes, 0, end);
	for (size_t i = 0; i < s->nchunks && !ret; i++)
		mend_chunks_mark(s->geo, &s->chunks[i], &l.known, true);
	if (!ret)
		ret = mend_scan(&scan);
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
	return ret;
}

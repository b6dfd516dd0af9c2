/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Candidates for chunks that no tree tells of: all blocks that nobody claims and that are not free are read, but for
 * holes of an image file, to see whether they begin with an inode.
 */
#include <errno.h>
#include <stdlib.h>

#include "mend_chunk_search.h"
#include "parallel.h"

/* The root is the first inode of its chunk (ondisk 00, section 2), so that one is a candidate in any case. */
static int take_root(struct chunk_search *s)
{
	const struct geometry *g = s->geo;

	if (!ino_valid(g, g->rootino) || agno_of_ino(g, g->rootino).v != s->agno.v)
		return 0;
	return chunk_add(s, BY_LOOKS, &(struct inobt_record){ .start = agino_of_ino(g, g->rootino) });
}

/* Blocks that begin with an inode, looked for by several threads. */
struct looking {
	const struct chunk_search *search;
	struct block_map known;	 /* blocks of chunks that are settled */
	struct block_map inodes; /* blocks that begin with an inode */
	bool again;		 /* look at known ones, too */
	bool otherwise;		 /* look at those that the rmapbt gives to something else; false: at the others */
	bool failed;		 /* atomic: out of memory */
};

#define LOOK_BYTES  (256u << 10) /* that are read together */
#define LOOK_BLOCKS 1024u	 /* that a thread takes at a time */

/* Whether the block may be one of a lost chunk. It is not if it is free: inodes there would be old ones. */
static bool is_nobodys(const struct looking *l, uint64_t block)
{
	return block >= l->search->geo->first_data_agbno && !chunk_block_taken(l->search, block) &&
	       !chunk_block_free(l->search, block) &&
	       chunk_block_mapped_otherwise(l->search, block) == l->otherwise &&
	       (l->again || !block_map_get(&l->known, block));
}

/* Look at nobody's blocks among [first, first + count). They are read together, or one by one if that fails. */
static void look_at(const struct looking *l, uint8_t *bytes, uint32_t first, uint32_t count)
{
	const struct chunk_search *s = l->search;
	const struct geometry *g = s->geo;
	const agino_t agino = { first << g->inopb_log };

	if (mend_read_once(s->m, bytes, bytes_of_agino(s->geo, s->agno, agino), (size_t)count << g->block_log)) {
		for (uint32_t i = 0; i < count && count > 1; i++)
			if (is_nobodys(l, first + i))
				look_at(l, bytes, first + i, 1);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		const xino_t ino = ino_of(g, s->agno, (agino_t){ (first + i) << g->inopb_log });
		const uint8_t *block = bytes + ((size_t)i << g->block_log);

		if (is_nobodys(l, first + i) && chunk_looks_like_inode(g, ino, (const struct dinode_disk *)block))
			block_map_mark(&l->inodes, first + i, 1);
	}
}

static void look_at_part(void *ctx, size_t part)
{
	struct looking *l = ctx;
	const struct geometry *g = l->search->geo;
	const uint32_t most = g->block_size < LOOK_BYTES ? LOOK_BYTES >> g->block_log : 1;
	const uint32_t gap = sweep_options_of(l->search->m->now).merge_gap >> g->block_log;
	const uint64_t from = (uint64_t)part * LOOK_BLOCKS, end = l->inodes.to;
	const uint64_t to = end - from < LOOK_BLOCKS ? end : from + LOOK_BLOCKS;
	uint8_t *bytes = malloc((size_t)most << g->block_log);
	uint64_t first = from, behind = from; /* [first, behind) is read next */
	struct mend_holes holes = { 0 };

	if (!bytes)
		__atomic_store_n(&l->failed, true, __ATOMIC_RELAXED);
	for (uint64_t b = from; bytes && b < to; b++) {
		const uint64_t at = ag_offset(g, l->search->agno) + (b << g->block_log);
		const uint64_t hole = mend_hole_blocks(l->search->m, &holes, at);

		if (hole)
			b += hole - 1;
		if (hole || !is_nobodys(l, b))
			continue;
		if (first < behind && (b - behind > gap || b - first >= most)) {
			look_at(l, bytes, (uint32_t)first, (uint32_t)(behind - first));
			first = behind;
		}
		first = first == behind ? b : first;
		behind = b + 1;
	}
	if (bytes && first < behind)
		look_at(l, bytes, (uint32_t)first, (uint32_t)(behind - first));
	free(bytes);
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
	uint32_t run = 0;
	int ret = block_map_new(&l.known, 0, end);

	if (!ret)
		ret = block_map_new(&l.inodes, 0, end);
	for (size_t i = 0; i < s->nchunks && !ret; i++)
		mend_chunks_mark(s->geo, &s->chunks[i], &l.known, true);
	if (!ret)
		parallel_each(CHUNK_THREADS, (end + LOOK_BLOCKS - 1) / LOOK_BLOCKS, look_at_part, &l);
	if (!ret)
		ret = l.failed ? -ENOMEM : take_root(s);
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

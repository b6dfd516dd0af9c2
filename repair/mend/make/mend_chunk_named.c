/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds inodes with directory entries, but without a chunk in any inobt.  If an intact inode in use is there, with its
 * own number and a right checksum, the entry is right, and the inobt is stale or has lost the chunk.  After a lost
 * write, headers and btrees of an AG may be intact and match each other, but lack the newest inodes.  Deleted inodes
 * have no entries, so they are not restored.
 */
#include <errno.h>
#include <stdlib.h>

#include "check/facts.h"
#include "check/walk/walker.h"
#include "libxfs/dinode_mend.h"
#include "mend/base/mend_lanes.h"
#include "mend/collect/group_age.h"
#include "mend/collect/mend_facts.h"
#include "mend_chunk_search.h"
#include "repair.h"

/*
 * Candidates for chunks that no btree lists: reads all lost blocks, except holes of an image file, to see if they start
 * with an inode.  Includes blocks that only the AG itself claims, since the free list may have some by mistake.
 */

/* Adds the chunk of the root, which is the first inode of its chunk (ondisk 00, section 2). 0 or -ENOMEM. */
static int take_root(struct chunk_search *s)
{
	const struct geometry *g = s->geo;

	if (!ino_valid(g, g->rootino) || agno_of_ino(g, g->rootino).v != s->agno.v)
		return 0;
	return chunk_add(s, BY_LOOKS, &(struct inobt_record){ .start = agino_of_ino(g, g->rootino) });
}

/* Blocks that start with an inode. */
struct looking {
	const struct chunk_search *search;
	struct block_map known;	 /* blocks of settled chunks */
	struct block_map inodes; /* blocks that start with an inode */
	struct block_map listed; /* likewise, but claimed by the AG itself: their inodes may be old */
	bool again;		 /* examine known ones, too */
	bool otherwise;		 /* examine only blocks with another owner in the rmapbt; false: only the rest */
};

/* True if the block may belong to a lost chunk. Free blocks may not: their inodes would be old. */
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

/* ---- chunk blocks in the free list ---- */

/* A run of blocks that start with inodes; [first, last] spans the unclaimed ones among them. */
struct listed_range {
	uint64_t from, first, last, to;
};

/* Finds the next run from `at` on. False: no run has an unclaimed block. */
static bool next_range(const struct looking *l, uint64_t at, struct listed_range *range)
{
	const uint64_t end = l->inodes.to;

	for (uint64_t b; at < end; at = range->to) {
		*range =
			(struct listed_range){ .from = block_map_next(&l->inodes, &l->listed, at, true), .first = end };
		range->to = range->from < end ? block_map_next(&l->inodes, &l->listed, range->from, false) : end;
		for (b = range->from; b < range->to; b++) {
			if (!block_map_get(&l->inodes, b))
				continue;
			range->first = range->first < b ? range->first : b;
			range->last = b;
		}
		if (range->first < end)
			return true;
	}
	return false;
}

/*
 * Trims as few blocks as possible, all of them in the free list, from both ends of a run, so that it consists of whole
 * chunks from a valid start.  False: impossible.
 */
static bool fit_chunks(const struct geometry *g, uint64_t size, struct listed_range *range)
{
	const uint64_t align = g->cluster_align ? g->cluster_align : 1;
	struct listed_range best = { 0 };

	for (uint64_t from = range->from; from <= range->first && from < range->from + size; from++) {
		const uint64_t to = range->to - (range->to - from) % size;

		if (from % align == 0 && to > range->last && to - from > best.to - best.from) {
			best.from = from;
			best.to = to;
		}
	}
	range->from = best.from;
	range->to = best.to;
	return best.to > best.from;
}

/* Assigns to a chunk its blocks in the free list, if at least half of it is in unclaimed blocks. */
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
 * Assigns blocks of the free list to chunks that lack them, since they hold inodes like the blocks around them.  Not
 * with sparse chunks, where each part is settled by itself, and directory entries reveal the others.
 */
static void fill_chunks(struct chunk_search *s, struct looking *l)
{
	const struct geometry *g = s->geo;
	const uint64_t size = INODES_PER_CHUNK >> g->inopb_log;
	struct listed_range range = { 0 };

	if (g->sparse || size < 2 || !block_map_count(&l->listed))
		return;
	for (uint64_t at = 0; next_range(l, at, &range);) {
		at = range.to;
		if (fit_chunks(g, size, &range))
			for (uint64_t start = range.from; start < range.to; start += size)
				fill_chunk(s, l, start, size);
	}
}

/* ---- misplaced chunks ---- */

/* True if chunks have no holes and are aligned to less than their size, so that a wrong start may look valid. */
static bool may_be_misplaced(const struct geometry *g)
{
	return !g->sparse && (uint64_t)g->cluster_align << g->inopb_log < INODES_PER_CHUNK;
}

/*
 * Sets [*start, *end) to the run of blocks with inodes that includes the chunk's first block with inodes; empty: none.
 * They must hold the run found last, which is not searched for again.
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
 * Drops misplaced chunks.  If the length of a run of blocks with inodes is a multiple of a chunk, chunks follow each
 * other from its start.  A record with another start is damaged, and would leave fragments smaller than a chunk on both
 * sides.
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
	uint32_t range = 0;
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

		if (!inodes && range)
			ret = chunk_add_range(s, BY_LOOKS, b - range, b);
		range = inodes ? range + 1 : 0;
	}
	block_map_free(&l.known);
	block_map_free(&l.inodes);
	block_map_free(&l.listed);
	return ret;
}

xino_t mend_chunks_missing(const struct found *found)
{
	switch (found->problem.finding) {
	case F_INODE_ROOTED_DANGLING:
		return found->place.ino;
	case F_TREE_ROOT:
	case F_DIR_ENTRY_DANGLING:
	case F_DIR_DOTDOT_DANGLING:
	case F_PPTR_STRAY:
		return (xino_t){ found->problem.got };
	default:
		return (xino_t){ NULL_INO };
	}
}

/* ---- missing inodes ---- */

/* Inode numbers, possibly repeated. */
struct numbers {
	xino_t *v;
	size_t count;
};

/* Reduces the list to valid numbers, sorted, each once. */
static void tidy(const struct geometry *geo, struct numbers *n)
{
	size_t kept = 0;

	if (n->count)
		qsort(n->v, n->count, sizeof(*n->v), ino_order);
	for (size_t i = 0; i < n->count; i++)
		if (ino_valid(geo, n->v[i]) && (!kept || n->v[kept - 1].v != n->v[i].v))
			n->v[kept++] = n->v[i];
	n->count = kept;
}

/*
 * Notes those of the sorted inodes that exist without a chunk.  *ret_dirs: the directories among them, which the caller
 * frees.  0 or negative errno.
 */
static int note_lost(struct mend *m, const struct numbers *inos, struct numbers *ret_dirs)
{
	struct numbers dirs = { .v = calloc(inos->count + 1, sizeof(*dirs.v)) };
	struct mend_facts facts = { 0 };
	int ret = dirs.v ? mend_facts_collect(m, inos->v, inos->count, FACTS_CHUNKS, &facts) : -ENOMEM;

	for (size_t i = 0; i < inos->count && !ret; i++) {
		enum ftype type;
		size_t chunks;

		mend_facts_of(&facts, inos->v[i], FACT_CHUNK, &chunks);
		if (chunks || ino_set_has(&m->round.named, inos->v[i]))
			continue;
		type = mend_chunks_type_there(m, inos->v[i]);
		if (type == FT_UNKNOWN)
			continue;
		ret = ino_set_put(&m->round.named, inos->v[i]);
		if (type == FT_DIR)
			dirs.v[dirs.count++] = inos->v[i];
	}
	mend_facts_free(&facts);
	if (ret)
		free(dirs.v);
	else
		*ret_dirs = dirs;
	return ret;
}

static void entry_found(void *ctx, unsigned worker, const struct entry_fact *entry)
{
	if (!entry->dot)
		mend_lanes_add(ctx, worker, &entry->target); /* mend_lanes_join() returns the error */
}

/* Gets the inodes that these directories name, including `..`; the caller frees them. 0 or negative errno. */
static int names_in(struct mend *m, const struct numbers *dirs, struct numbers *ret)
{
	const struct scope scope = { .names = true };
	static const struct sink_ops ops = { .entry = entry_found };
	struct mend_lanes lanes;
	int error = mend_lanes_new(&lanes, m->now, sizeof(*ret->v));

	if (!error)
		error = facts_gather_near(m->now, &scope, dirs->v, dirs->count, &ops, &lanes);
	if (!error)
		error = mend_lanes_join(&lanes, &ret->v, &ret->count);
	mend_lanes_free(&lanes);
	return error;
}

/*
 * Sets where to start: *inos: missing inodes in these findings; *dirs: directories in use that are free in the inobt,
 * so that the check skipped them.  Both have room for all findings.
 */
static void begin_with(struct mend *m, const struct found *found, size_t count, struct numbers *inos,
		       struct numbers *dirs)
{
	for (size_t i = 0; i < count; i++) {
		if (found[i].problem.finding != F_INODE_USED_BUT_FREE)
			inos->v[inos->count++] = mend_chunks_missing(&found[i]);
		else if (ino_valid(&m->now->geo, found[i].place.ino) &&
			 mend_chunks_type_there(m, found[i].place.ino) == FT_DIR)
			dirs->v[dirs->count++] = found[i].place.ino;
	}
}

/* Adds the inodes that these directories name. Terminates: no directory is read twice. 0 or negative errno. */
static int add_names(struct mend *m, const struct numbers *dirs, struct numbers *inos)
{
	struct numbers more = { 0 };
	int ret = dirs->count ? names_in(m, dirs, &more) : 0;
	xino_t *v = ret ? NULL : reallocarray(inos->v, inos->count + more.count + 1, sizeof(*v));

	if (!ret && !v)
		ret = -ENOMEM;
	if (v)
		inos->v = v;
	for (size_t i = 0; i < more.count && !ret; i++) {
		v[inos->count++] = more.v[i];
		ret = ino_valid(&m->now->geo, more.v[i]) ? ino_set_put(&m->round.led, more.v[i]) : 0;
	}
	free(more.v);
	return ret;
}

int mend_chunks_find_named(struct mend *m, const struct found *found, size_t count)
{
	struct numbers next = { .v = calloc(count + 1, sizeof(*next.v)) };
	struct numbers dirs = { .v = calloc(count + 1, sizeof(*dirs.v)) };
	int ret = next.v && dirs.v ? 0 : -ENOMEM;

	if (!ret)
		begin_with(m, found, count, &next, &dirs);
	while (!ret) {
		tidy(&m->now->geo, &dirs);
		ret = add_names(m, &dirs, &next);
		free(dirs.v);
		dirs = (struct numbers){ 0 };
		tidy(&m->now->geo, &next);
		if (ret || !next.count)
			break;
		ret = note_lost(m, &next, &dirs);
		next.count = 0;
	}
	free(dirs.v);
	free(next.v);
	return ret;
}

/* ---- their chunks ---- */

/* True if a block starts with something that looks like an inode. */
static bool has_inode(const struct chunk_search *s, uint64_t block)
{
	const struct geometry *g = s->geo;
	const xino_t ino = ino_of(g, s->agno, (agino_t){ (uint32_t)block << g->inopb_log });
	uint8_t bytes[DINODE_SIZE_MAX];

	return block >= g->first_data_agbno && block < ag_length(g, s->agno) &&
	       !mend_read(s->m, bytes, bytes_of_ino(g, ino), g->inode_size) &&
	       chunk_looks_like_inode(g, ino, (const struct dinode_disk *)bytes);
}

/* True if a chunk may have several starts around an inode, because alignment is to less than its size. */
static bool may_begin_anywhere(const struct geometry *g)
{
	return ((uint64_t)g->cluster_align << g->inopb_log) % INODES_PER_CHUNK != 0;
}

/* Blocks [start, end) with consecutive inodes, in no chunk of the inobt. */
struct inode_range {
	uint64_t start, end;
};

/* Returns the run around a block. known: blocks of chunks in the inobt. */
static struct inode_range range_around(const struct chunk_search *s, const struct block_map *known, uint64_t block)
{
	struct inode_range range = { block, block + 1 };

	while (range.start && !block_map_get(known, range.start - 1) && has_inode(s, range.start - 1))
		range.start--;
	while (range.end < known->to && !block_map_get(known, range.end) && has_inode(s, range.end))
		range.end++;
	return range;
}

/* Returns the start of the chunk of an inode in a run: chunks follow each other from the first valid start. */
static uint64_t start_in_range(const struct geometry *g, const struct inode_range *range, uint64_t agino)
{
	const uint64_t align = g->cluster_align ? g->cluster_align : 1;
	const uint64_t first = (range->start + align - 1) / align * align << g->inopb_log;

	if (agino < first)
		return agino - agino % (align << g->inopb_log);
	return agino - (agino - first) % INODES_PER_CHUNK;
}

/* Marks the blocks of all chunks in the inobt. */
static void mark_known(const struct chunk_search *s, struct block_map *known)
{
	size_t count;
	const struct chunk_fact *chunks = mend_survey_chunks(s->survey, s->agno, &count);

	for (size_t i = 0; i < count; i++)
		if (chunks[i].kind == BT_INO)
			mend_chunks_mark(s->geo, &chunks[i].record, known, true);
}

static int take_these(struct chunk_search *s, const xino_t *inos, size_t count, const struct block_map *known)
{
	const struct geometry *g = s->geo;
	struct inode_range range = { 0 };
	uint64_t last = UINT64_MAX;
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		const uint64_t agino = agino_of_ino(g, inos[i]).v,
			       block = agbno_of_agino(g, agino_of_ino(g, inos[i])).v;
		uint64_t start = agino - agino % INODES_PER_CHUNK;

		if (agno_of_ino(g, inos[i]).v != s->agno.v)
			continue;
		if (may_begin_anywhere(g)) {
			if (block < range.start || block >= range.end)
				range = range_around(s, known, block);
			start = start_in_range(g, &range, agino);
		}
		if (start != last)
			ret = chunk_add(s, BY_NAMES, &(struct inobt_record){ .start = { (uint32_t)start } });
		last = start;
	}
	return ret;
}

int chunk_take_named(struct chunk_search *s)
{
	const struct ino_set *named = &s->m->round.named;
	struct block_map known;
	xino_t *inos;
	int ret;

	if (!ino_set_count(named))
		return 0;
	inos = ino_set_sorted(named);
	ret = block_map_new(&known, 0, ag_length(s->geo, s->agno));
	if (!ret && inos) {
		mark_known(s, &known);
		ret = take_these(s, inos, ino_set_count(named), &known);
	}
	block_map_free(&known);
	free(inos);
	return inos ? ret : -ENOMEM;
}

/* ---- outdated inodes ---- */

/* True if a header of the AG is newer than that LSN. False also if either has no LSN. */
static bool is_later(struct mend *m, agno_t agno, enum ag_sector sector, lsn_t date)
{
	const lsn_t header = group_header_date(m, agno, sector);

	return date.v && header.v != NULL_LSN && header.v > date.v;
}

/*
 * True if the AG's headers are newer than the inode and match their btrees, which list its block as free: its chunk was
 * freed, and the entry is older.
 */
static bool is_given_up(struct mend *m, const struct mend_survey *survey, xino_t ino)
{
	const struct geometry *geo = &m->now->geo;
	const agno_t agno = agno_of_ino(geo, ino);
	const struct ag_state *ag = &m->now->traverse->ags[agno.v];
	const struct survey_ag *maps = mend_survey_maps(survey, agno);
	lsn_t date;

	if (!geo->crc || !maps || !block_map_get(&maps->free, agbno_of_agino(geo, agino_of_ino(geo, ino)).v) ||
	    !ag->have_agi || !ag_tree_whole(ag, BT_INO) || ag->agi.count != ag->inodes || !ag->have_agf ||
	    !ag_tree_whole(ag, BT_BNO) || ag->agf.freeblks != ag->free_blocks)
		return false;
	date = inode_date(m, ino);
	return is_later(m, agno, AGI_SECTOR, date) && is_later(m, agno, AGF_SECTOR, date);
}

int mend_chunks_drop_given_up(struct mend *m, const struct mend_survey *survey)
{
	const struct ino_set *named = &m->round.named;
	xino_t *inos = ino_set_sorted(named);
	struct ino_set kept = { 0 };
	int ret = inos ? 0 : -ENOMEM;

	for (size_t i = 0; inos && i < ino_set_count(named) && !ret; i++)
		if (!is_given_up(m, survey, inos[i]))
			ret = ino_set_put(&kept, inos[i]);
	free(inos);
	ino_set_free(&m->round.named);
	m->round.named = kept;
	return ret;
}

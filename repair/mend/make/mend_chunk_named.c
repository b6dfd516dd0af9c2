/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inodes that names lead to, though no inobt has a chunk there.  If a sound inode in use lies in that place, with its
 * own number and a right checksum, the name is right, and the inobt is out of date or has lost the chunk: after a lost
 * write, headers and trees of a group may all be sound, agree with each other, and know nothing of the newest inodes.
 * Inodes that were deleted have no names, and so do not come back.
 */
#include <errno.h>
#include <stdlib.h>

#include "check/facts.h"
#include "libxfs/dinode_mend.h"
#include "mend/base/mend_lanes.h"
#include "mend/collect/group_age.h"
#include "mend/collect/mend_facts.h"
#include "mend_chunk_search.h"
#include "repair.h"
#include "check/walk/walker.h"

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

/* ---- which inodes there are ---- */

/* Inode numbers, which may be there more than once. */
struct numbers {
	xino_t *v;
	size_t count;
};

/* Keep numbers that can be one, each once, in their order. */
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
 * Note those of the inodes, sorted, that are there without a chunk; *ret_dirs: the directories among them, which the
 * caller frees.  0 or negative errno.
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

static void entry_found(void *ctx, unsigned lane, const struct entry_fact *entry)
{
	if (!entry->dot)
		mend_lanes_add(ctx, lane, &entry->target); /* an error shows when lanes are joined */
}

/* The inodes that these directories name, and their `..`; the caller frees them. 0 or negative errno. */
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
 * Where to begin: *inos: what these findings say is led to in vain; *dirs: directories in use that the inobt has as
 * free, so that the check did not go into them.  Both have room for all findings.
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

/* Add what these directories name; ends, since no directory is gone into twice. 0 or negative errno. */
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

/* True if a block begins with an inode, sound or not. */
static bool has_inode(const struct chunk_search *s, uint64_t block)
{
	const struct geometry *g = s->geo;
	const xino_t ino = ino_of(g, s->agno, (agino_t){ (uint32_t)block << g->inopb_log });
	uint8_t bytes[DINODE_SIZE_MAX];

	return block >= g->first_data_agbno && block < ag_length(g, s->agno) &&
	       !mend_read(s->m, bytes, bytes_of_ino(g, ino), g->inode_size) &&
	       chunk_looks_like_inode(g, ino, (const struct dinode_disk *)bytes);
}

/* True if chunks may begin in several places around an inode: alignment is to less than their size. */
static bool may_begin_anywhere(const struct geometry *g)
{
	return ((uint64_t)g->cluster_align << g->inopb_log) % INODES_PER_CHUNK != 0;
}

/* Blocks [start, end) that hold inodes one after the other, in no chunk of the inobt. */
struct inode_run {
	uint64_t start, end;
};

/* The run around a block. known: blocks of chunks that the inobt has. */
static struct inode_run run_around(const struct chunk_search *s, const struct block_map *known, uint64_t block)
{
	struct inode_run run = { block, block + 1 };

	while (run.start && !block_map_get(known, run.start - 1) && has_inode(s, run.start - 1))
		run.start--;
	while (run.end < known->to && !block_map_get(known, run.end) && has_inode(s, run.end))
		run.end++;
	return run;
}

/* Where the chunk of an inode in a run begins: chunks follow each other from the first place where one may begin. */
static uint64_t start_in_run(const struct geometry *g, const struct inode_run *run, uint64_t agino)
{
	const uint64_t align = g->cluster_align ? g->cluster_align : 1;
	const uint64_t first = (run->start + align - 1) / align * align << g->inopb_log;

	if (agino < first)
		return agino - agino % (align << g->inopb_log);
	return agino - (agino - first) % INODES_PER_CHUNK;
}

/* Mark the blocks of all chunks that the inobt has. */
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
	struct inode_run run = { 0 };
	uint64_t last = UINT64_MAX;
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		const uint64_t agino = agino_of_ino(g, inos[i]).v,
			       block = agbno_of_agino(g, agino_of_ino(g, inos[i])).v;
		uint64_t start = agino - agino % INODES_PER_CHUNK;

		if (agno_of_ino(g, inos[i]).v != s->agno.v)
			continue;
		if (may_begin_anywhere(g)) {
			if (block < run.start || block >= run.end)
				run = run_around(s, known, block);
			start = start_in_run(g, &run, agino);
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

/* ---- which of them are out of date ---- */

/* True if a header of the group was written later than that. False, too: one of them has no date. */
static bool is_later(struct mend *m, agno_t agno, enum ag_sector sector, lsn_t date)
{
	const lsn_t header = group_header_date(m, agno, sector);

	return date.v && header.v != NULL_LSN && header.v > date.v;
}

/*
 * True if the group's headers were written later than the inode, and agree with its trees, by which the inode's block
 * is free: then its chunk was given up, and the name is older than that.
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

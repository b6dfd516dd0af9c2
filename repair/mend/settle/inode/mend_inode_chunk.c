/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rebuilds inode chunks that are missing in all btrees, if something else refers to inodes in them: the superblock,
 * `..` of directories, or parent pointers (ondisk 12, I7, D6, D8).  These inodes are recreated in their places, so that
 * entries can be restored to them; the others become free.
 */
#include <errno.h>
#include <stdlib.h>

#include "disk/inobt.h"
#include "mend/base/mend.h"
#include "mend/collect/mend_inode.h"
#include "mend/make/mend_chunks.h"
#include "mend/make/mend_inode_lost.h"
#include "repair.h"
#include "sets/ordered.h"
#include "mend/base/menders.h"

struct inode_chunk_work {
	struct mend *m;
	struct found *wanted; /* findings at the places of the referenced inodes, by number, each once */
	size_t count;
	struct mend_facts facts;
	bool facts_known; /* about the wanted inodes: collected when the first chunk has room */
};

/* Sets w->wanted. 0 or -ENOMEM. */
static int collect_wanted(struct inode_chunk_work *w, const struct found *found, size_t count)
{
	const struct geometry *geo = &w->m->now->geo;
	size_t n = 0;

	w->wanted = calloc(count + 1, sizeof(*w->wanted));
	if (!w->wanted)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		xino_t ino = mend_chunks_missing(&found[i]);

		if (!ino_valid(geo, ino))
			continue;
		w->wanted[n] = found[i];
		w->wanted[n++].place = mend_place_of_inode(geo, ino);
	}
	w->count = ordered_unique(w->wanted, n, MEMBERS(MEMBER(w->wanted, place.ino)));
	return 0;
}

/* Returns how many inodes are made at a time: a chunk, or all of a block if that is larger. */
static uint32_t inodes_at_a_time(const struct geometry *geo)
{
	return geo->chunk_blocks << geo->inopb_log;
}

/*
 * Returns the AG inode number where the chunk of this inode starts (ondisk 03, inobt).  If alignment leaves several
 * possibilities, as with small blocks, chunks are assumed at multiples of 64 from the root, the first inode of its
 * chunk.
 */
static uint64_t chunk_start(const struct geometry *geo, xino_t ino)
{
	uint64_t agino = agino_of_ino(geo, ino).v, align = (uint64_t)geo->cluster_align << geo->inopb_log;
	uint64_t phase = align % INODES_PER_CHUNK ? agino_of_ino(geo, geo->rootino).v % INODES_PER_CHUNK : 0;

	return agino < phase ? 0 : agino - (agino - phase) % inodes_at_a_time(geo);
}

/* True if there is room for a chunk: it overlaps no other chunk, and its blocks are neither owned nor free. */
static bool is_room(const struct inode_chunk_work *w, const struct mend_survey *survey, agno_t agno, agino_t start)
{
	const struct geometry *geo = &w->m->now->geo;
	uint64_t first = agbno_of_agino(geo, start).v;
	uint64_t end = agbno_of_agino(geo, (agino_t){ start.v + inodes_at_a_time(geo) - 1 }).v + 1ull;
	const struct survey_ag *ag = &survey->ags[agno.v];
	size_t count;
	const struct chunk_fact *chunks = mend_survey_chunks(survey, agno, &count);

	if (first < geo->first_data_agbno || end > ag_length(geo, agno))
		return false;
	for (size_t i = 0; i < count; i++)
		if (chunks[i].kind == BT_INO && chunks[i].record.start.v < start.v + inodes_at_a_time(geo) &&
		    start.v < chunks[i].record.start.v + INODES_PER_CHUNK)
			return false;
	for (uint64_t block = first; block < end; block++)
		if (block_map_get(&ag->claimed, block) || block_map_get(&ag->free, block))
			return false;
	return true;
}

/* Sets *ret if an inode still exists; in_use: only one in use. 0 or negative errno. */
static int is_there(const struct inode_chunk_work *w, xino_t ino, bool in_use, bool *ret)
{
	struct mend_inode inode;
	int error = mend_inode_read(w->m, ino, &inode);

	*ret = !error && mend_chunks_is_inode(&w->m->now->geo, ino, inode.bytes) &&
	       (!in_use || be16_get(mend_inode_disk(&inode)->mode));
	if (!error)
		mend_inode_free(&inode);
	return error == -ENOENT ? 0 : error;
}

/* Writes the inodes of a chunk, except those that exist; wanted[first .. first + count) are in it. */
static int write_chunk(struct inode_chunk_work *w, size_t first, size_t count)
{
	const struct geometry *geo = &w->m->now->geo;
	agino_t start = { (uint32_t)chunk_start(geo, w->wanted[first].place.ino) };
	xino_t ino = ino_of(geo, w->wanted[first].place.agno, start);
	int ret = 0;

	for (unsigned i = 0; i < inodes_at_a_time(geo) && !ret; i++, ino.v++) {
		enum ftype ftype = dinode_internal_type(geo, ino);
		bool wanted = false, there;

		for (size_t k = first; k < first + count; k++)
			wanted |= w->wanted[k].place.ino.v == ino.v;
		ret = is_there(w, ino, wanted, &there);
		if (ret || there)
			continue;
		ret = mend_inode_put_free(w->m, ino);
		if (!ret && wanted)
			ret = mend_inode_make_anew(w->m, &w->facts, ino, ftype == FT_UNKNOWN ? FT_DIR : ftype);
	}
	return ret;
}

static int collect_facts(struct inode_chunk_work *w, unsigned kinds)
{
	xino_t *inos = NULL;
	size_t ninos;
	int ret = mend_facts_inodes(w->wanted, w->count, &inos, &ninos);

	mend_facts_free(&w->facts);
	if (!ret)
		ret = mend_facts_collect(w->m, inos, ninos, kinds, &w->facts);
	free(inos);
	w->facts_known = kinds == FACTS_ALL;
	return ret;
}

/* Returns how many wanted inodes are in the chunk of number i, below number `end`. */
static size_t in_chunk(const struct inode_chunk_work *w, size_t i, size_t end)
{
	const struct geometry *geo = &w->m->now->geo;
	const uint64_t start = chunk_start(geo, w->wanted[i].place.ino);
	size_t n = 1;

	while (i + n < end && chunk_start(geo, w->wanted[i + n].place.ino) == start)
		n++;
	return n;
}

/*
 * Sets room[i - first] for each chunk in wanted[first .. end) whose first inode has number i, by the survey that came
 * with the check, or by one of its own.  0 or negative errno.
 */
static int find_room(const struct inode_chunk_work *w, size_t first, size_t end, bool *room)
{
	const agno_t agno = w->wanted[first].place.agno;
	const struct mend_survey *survey = w->m->survey;
	struct mend_survey own = { 0 };
	int ret = 0;

	if (!mend_survey_maps(survey, agno)) {
		ret = mend_survey_of_ag(w->m, agno, NULL, &own);
		survey = &own;
	}
	for (size_t i = first; i < end && !ret; i += in_chunk(w, i, end))
		room[i - first] = is_room(w, survey, agno,
					  (agino_t){ (uint32_t)chunk_start(&w->m->now->geo, w->wanted[i].place.ino) });
	mend_survey_free(&own);
	return ret;
}

/* Rebuilds the chunks of one AG, with wanted[first .. first + count). */
static int mend_group(struct inode_chunk_work *w, size_t first, size_t count)
{
	bool *room = calloc(count, sizeof(*room)), any = false;
	int ret = room ? find_room(w, first, first + count, room) : -ENOMEM;

	for (size_t i = first, n; i < first + count && !ret; i += n) {
		n = in_chunk(w, i, first + count);
		if (!room[i - first])
			continue;
		if (!w->facts_known)
			ret = collect_facts(w, FACTS_ALL);
		if (!ret)
			ret = write_chunk(w, i, n);
		any = true;
	}
	free(room);
	if (ret) /* another AG may be smaller */
		return mend_left(w->m, &w->wanted[first], count, ret);
	/* this rebuilds the AG's inode btrees from all existing inodes */
	return any ? mend_ag_inodes_anew(w->m, &w->wanted[first]) : 0;
}

/* Removes inodes in chunks that the inobt lists, as most are: other menders mend these. 0 or negative errno. */
static int leave_out_known(struct inode_chunk_work *w)
{
	size_t n = 0;
	int ret = collect_facts(w, FACTS_CHUNKS);

	if (ret)
		return ret;
	for (size_t i = 0; i < w->count; i++) {
		size_t chunks;

		mend_facts_of(&w->facts, w->wanted[i].place.ino, FACT_CHUNK, &chunks);
		if (!chunks)
			w->wanted[n++] = w->wanted[i];
	}
	w->count = n;
	return 0;
}

bool mend_inode_chunk_wants(const struct found *found)
{
	/* the directory that `..` or a parent pointer names may be lost with its chunk */
	return found->problem.finding == F_DIR_DOTDOT_DANGLING || found->problem.finding == F_PPTR_STRAY;
}

int mend_inode_chunk(struct mend *m, const struct found *found, size_t count)
{
	struct inode_chunk_work w = { .m = m };
	int ret = collect_wanted(&w, found, count);

	if (!ret && w.count)
		ret = leave_out_known(&w);
	for (size_t i = 0, n; i < w.count && !ret; i += n) {
		n = ordered_run(w.wanted + i, w.count - i, MEMBER(w.wanted, place.agno));
		ret = mend_group(&w, i, n);
	}
	mend_facts_free(&w.facts);
	free(w.wanted);
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds inode chunks from all sources: records of the inode btrees, the rmapbt, and, if these are lost, unclaimed
 * blocks that look like inodes.  Candidates of the better source come first; one that overlaps a settled chunk is
 * dropped.
 */
#include "mend_chunks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "check/walk/walker.h"
#include "libxfs/crc.h"
#include "libxfs/dinode_mend.h"
#include "mend/base/mend.h"
#include "mend_chunk_search.h"
#include "parallel.h"
#include "repair.h"
#include "sets/ordered.h"

/*
 * Decides if there is a chunk at a valid start, and which of its inodes are in use.  A record of the inobt is accepted
 * unless its blocks hold no inode; other candidates must also not overlap other owners' blocks.  If a record and an
 * inode contradict each other about its being in use, the inode is right if it is intact and consistent: a free one has
 * no type, links or blocks; one in use has a type and links (ondisk 12, I5).
 */

/* ---- inodes ---- */

bool chunk_looks_like_inode(const struct geometry *g, xino_t ino, const struct dinode_disk *d)
{
	if (be16_get(d->magic) != DINODE_MAGIC)
		return false;
	if (g->crc)
		return d->version == DINODE_VERSION && be64_get(d->ino) == ino.v;
	return d->version >= DINODE_VERSION_1 && d->version <= DINODE_VERSION_2;
}

/* True if an inode has the uuid of this file system; in version 4 it has none. */
static bool is_ours(const struct geometry *g, const struct dinode_disk *d)
{
	return !g->crc || memcmp(d->uuid, g->meta_uuid, sizeof(d->uuid)) == 0;
}

static bool checksum_is_right(const struct geometry *g, const uint8_t *bytes)
{
	return !g->crc || crc_is_right(bytes, g->inode_size, offsetof(struct dinode_disk, crc));
}

bool mend_chunks_is_inode(const struct geometry *geo, xino_t ino, const uint8_t *bytes)
{
	return chunk_looks_like_inode(geo, ino, (const struct dinode_disk *)bytes) && checksum_is_right(geo, bytes);
}

enum state {
	NO_INODE,
	IN_USE,
	NOT_IN_USE,
	UNCLEAR, /* an inode, but damaged, inconsistent or another file system's */
};

static enum state state_of(const struct geometry *g, xino_t ino, const uint8_t *bytes)
{
	const struct dinode_disk *d = (const struct dinode_disk *)bytes;
	uint16_t mode = be16_get(d->mode);
	bool links = d->version == DINODE_VERSION_1 ? be16_get(d->metatype) != 0 : be32_get(d->nlink) != 0;

	if (!chunk_looks_like_inode(g, ino, d))
		return NO_INODE;
	if (!checksum_is_right(g, bytes) || !is_ours(g, d))
		return UNCLEAR;
	if (mode == 0 && !links && be64_get(d->nblocks) == 0)
		return NOT_IN_USE;
	return dinode_type_of(mode) != FT_UNKNOWN && links ? IN_USE : UNCLEAR;
}

bool mend_chunks_in_use(const struct geometry *geo, xino_t ino, const uint8_t *bytes)
{
	return state_of(geo, ino, bytes) == IN_USE;
}

bool mend_chunks_read_in_use(struct mend *m, xino_t ino, uint8_t *bytes)
{
	const struct geometry *geo = &m->now->geo;

	return !mend_read(m, bytes, bytes_of_ino(geo, ino), geo->inode_size) && mend_chunks_in_use(geo, ino, bytes);
}

enum ftype mend_chunks_type_there(struct mend *m, xino_t ino)
{
	const struct check check = check_silent(&m->now->geo);
	uint8_t bytes[DINODE_SIZE_MAX];
	struct dinode inode;

	return mend_chunks_read_in_use(m, ino, bytes) && dinode_decode(&check, bytes, ino, true, &inode) ? inode.ftype
													 : FT_UNKNOWN;
}

/* True if an inode without a record, in an unclear state, is in use: a free one has no mode at all. */
static bool used_by_looks(const uint8_t *bytes)
{
	const struct dinode_disk *d = (const struct dinode_disk *)bytes;

	return be16_get(d->mode) != 0;
}

/* ---- records ---- */

typedef bool block_is(const struct chunk_search *s, uint64_t block);

/* True if an owner like a file claims the block. */
static bool is_others(const struct chunk_search *s, uint64_t block)
{
	return block_map_get(&s->ag->others, block);
}

/* True if the rmapbt lists the block as an inode chunk. */
static bool is_mapped(const struct chunk_search *s, uint64_t block)
{
	return block_map_get(&s->ag->inodes, block);
}

/* Sets the counts of a record from its masks; inodes in holes are marked free. */
static void chunk_count(struct inobt_record *r)
{
	uint64_t exist = inobt_existing(r->holemask);

	r->free |= ~exist;
	r->count = (uint8_t)__builtin_popcountll(exist);
	r->freecount = (uint8_t)__builtin_popcountll(r->free & exist);
}

static bool any_block(const struct chunk_search *s, block_is *is, const struct inobt_record *r)
{
	uint64_t exist = inobt_existing(r->holemask);

	for (unsigned i = 0; i < INODES_PER_CHUNK; i++)
		if (exist >> i & 1 && is(s, agbno_of_agino(s->geo, (agino_t){ r->start.v + i }).v))
			return true;
	return false;
}

/* True if the root is among these inodes, so that they exist whatever the contents of their blocks. */
static bool has_root(const struct chunk_search *s, uint64_t first, unsigned count)
{
	const struct geometry *g = s->geo;

	return ino_valid(g, g->rootino) && agno_of_ino(g, g->rootino).v == s->agno.v &&
	       agino_of_ino(g, g->rootino).v - first < count;
}

/*
 * True if directory entries point to any of these inodes, which are intact and in use.  So they exist even if a file
 * claims the blocks: if it had written there, they would be destroyed, so its claim is older.
 */
static bool has_named(const struct chunk_search *s, uint64_t first, unsigned count)
{
	for (unsigned i = 0; i < count && ino_set_count(&s->m->round.named); i++)
		if (ino_set_has(&s->m->round.named, ino_of(s->geo, s->agno, (agino_t){ (uint32_t)first + i })))
			return true;
	return false;
}

/* Returns the minimum number of inodes in a part of a chunk: all, unless there may be holes. */
static unsigned part_of_chunk(const struct geometry *g)
{
	unsigned part = INODES_PER_CHUNK;

	if (g->sparse && (g->sparse_align << g->inopb_log) < part)
		part = g->sparse_align << g->inopb_log;
	return part < INODES_PER_HOLEMASKBIT ? INODES_PER_HOLEMASKBIT : part;
}

/* Returns the hole mask bits of these inodes of a chunk. */
static uint16_t hole_bits(unsigned first, unsigned count)
{
	uint16_t mask = 0;

	for (unsigned i = first; i < first + count; i += INODES_PER_HOLEMASKBIT)
		mask |= (uint16_t)(1u << i / INODES_PER_HOLEMASKBIT);
	return mask;
}

/*
 * Returns the holes of a chunk without an inobt record.  A part of a sparse chunk exists if nothing else claims it, and
 * if at least half of its inodes exist or have blocks that the rmapbt gives to inodes.  A single inode in use suffices
 * if its checksum is right and none of the part's blocks is free; so does the root inode, in any state, or one with a
 * directory entry, even if its block is free or on the free list.
 */
static uint16_t holemask_of(const struct chunk_search *s, enum chunk_witness by, agino_t start,
			    const enum state states[INODES_PER_CHUNK])
{
	const unsigned unit = part_of_chunk(s->geo);
	uint16_t mask = 0;

	for (unsigned first = 0; first < INODES_PER_CHUNK; first += unit) {
		unsigned inodes = 0;
		const bool named = has_named(s, start.v + first, unit);
		bool taken = false, free = false, used = false;

		for (unsigned i = first; i < first + unit; i++) {
			uint64_t block = agbno_of_agino(s->geo, (agino_t){ start.v + i }).v;

			inodes += states[i] != NO_INODE || (by == BY_RMAP && is_mapped(s, block)) || by == BY_STRAYS;
			taken |= chunk_block_taken(s, block);
			free |= chunk_block_free(s, block);
			used |= s->geo->crc && states[i] == IN_USE;
		}
		if (!named && (taken || (2 * inodes < unit && (free || !used) && !has_root(s, start.v + first, unit))))
			mask |= hole_bits(first, unit);
	}
	return mask;
}

/* Returns the holes of a record, except where inodes with directory entries are: the record is older than these. */
static uint16_t without_named(const struct chunk_search *s, const struct inobt_record *r)
{
	const unsigned unit = part_of_chunk(s->geo);
	uint16_t mask = r->holemask;

	for (unsigned first = 0; first < INODES_PER_CHUNK && mask; first += unit)
		if (has_named(s, r->start.v + first, unit))
			mask &= (uint16_t)~hole_bits(first, unit);
	return mask;
}

/* True if another owner claims a part of the chunk that has no inodes with directory entries. */
static bool is_anothers(const struct chunk_search *s, const struct inobt_record *r)
{
	const unsigned unit = part_of_chunk(s->geo);

	for (unsigned first = 0; first < INODES_PER_CHUNK; first += unit) {
		struct inobt_record part = *r;

		part.holemask |= (uint16_t)~hole_bits(first, unit);
		if (!has_named(s, r->start.v + first, unit) && any_block(s, is_others, &part))
			return true;
	}
	return false;
}

static bool possible_start(const struct chunk_search *s, agino_t start)
{
	const struct geometry *g = s->geo;
	uint64_t end = ((uint64_t)ag_length(g, s->agno)) << g->inopb_log;
	uint64_t align = (uint64_t)g->cluster_align << g->inopb_log;

	if (align > INODES_PER_CHUNK)
		align = INODES_PER_CHUNK;
	return start.v >= (uint64_t)g->first_data_agbno << g->inopb_log &&
	       start.v + (uint64_t)INODES_PER_CHUNK <= end && start.v % align == 0;
}

/* True if the record's masks and counts match. */
static bool is_consistent(const struct inobt_record *r)
{
	return r->freecount == __builtin_popcountll(r->free & inobt_existing(r->holemask));
}

/*
 * Decides which inodes are in use: by the inodes themselves if they are intact, else by the record.  Without a trusted
 * record, inodes with a mode count as in use, and so do lost ones, which mend_inode_lost.c recreates or frees.  Roots
 * are always in use.
 */
static void settle_free(const struct chunk_search *s, const struct chunk_candidate *c, const uint8_t *chunk,
			const enum state states[INODES_PER_CHUNK], struct inobt_record *r)
{
	const bool by_looks = c->by > BY_FINOBT || !is_consistent(&c->record);

	for (unsigned i = 0; i < INODES_PER_CHUNK; i++) {
		const xino_t ino = ino_of(s->geo, s->agno, (agino_t){ r->start.v + i });
		bool used = !(r->free >> i & 1);

		if (by_looks)
			used = states[i] == NO_INODE || used_by_looks(chunk + ((size_t)i << s->geo->inode_log));
		if (states[i] == IN_USE || states[i] == NOT_IN_USE)
			used = states[i] == IN_USE;
		used |= ino.v == s->geo->rootino.v || (s->geo->metadir && ino.v == s->geo->metadirino.v) ||
			ino_set_has(&s->m->notes.stray_dirs, ino);
		r->free = (r->free & ~(1ull << i)) | (uint64_t)!used << i;
	}
}

/* True if a candidate without any inode is a chunk nevertheless, with all inodes lost. */
static bool is_lost_chunk(const struct chunk_search *s, enum chunk_witness by, const struct inobt_record *r,
			  bool readable)
{
	bool mapped = any_block(s, is_mapped, r);

	switch (by) {
	case BY_BLOCK:
		return true;
	case BY_INOBT:
		return mapped || !readable;
	case BY_RMAP:
		return mapped && !any_block(s, chunk_block_free, r);
	case BY_STRAYS:
		return inobt_existing(r->holemask) && !any_block(s, chunk_block_free, r);
	default:
		return false;
	}
}

/* Returns the representative in round.usage of all inodes with the same 64 numbers; not 0, which a set can't hold. */
static xino_t usage_slot(uint64_t ino)
{
	return (xino_t){ ino / INODES_PER_CHUNK * INODES_PER_CHUNK + 1 };
}

int mend_chunks_doubt_usage(struct mend *m, xino_t ino)
{
	return ino_set_put(&m->round.usage, usage_slot(ino.v));
}

/* True if the inobt may be wrong about an inode of the chunk, which may extend into two slots. */
static bool usage_in_doubt(const struct chunk_search *s, agino_t start)
{
	const uint64_t first = ino_of(s->geo, s->agno, start).v;

	return ino_set_has(&s->m->round.usage, usage_slot(first)) ||
	       ino_set_has(&s->m->round.usage, usage_slot(first + INODES_PER_CHUNK - 1));
}

/*
 * True if the record of a chunk is right about its inodes being in use, so that they need not be read again: the last
 * check examined all of them without a contradiction.
 */
static bool is_as_recorded(const struct chunk_search *s, const struct chunk_candidate *c)
{
	return s->trust == INOBT_BUT_USAGE && c->by == BY_INOBT && is_consistent(&c->record) &&
	       !usage_in_doubt(s, c->record.start);
}

struct chunk_outcome chunk_settle(const struct chunk_search *s, const struct chunk_candidate *c, uint8_t *chunk)
{
	const struct chunk_outcome none = { 0 };
	const struct geometry *g = s->geo;
	struct inobt_record r = c->record;
	enum state states[INODES_PER_CHUNK];
	const bool certain = c->by == BY_INOBT || c->by == BY_BLOCK;
	unsigned found = 0;
	bool readable, named;

	if (!possible_start(s, r.start) ||
	    (c->by != BY_NAMES && c->by != BY_BLOCK && ino_set_has(&s->m->round.gone, ino_of(g, s->agno, r.start))))
		return none;
	if (is_as_recorded(s, c)) {
		chunk_count(&r);
		return (struct chunk_outcome){ true, false, r };
	}
	readable = !mend_read(s->m, chunk, bytes_of_agino(s->geo, s->agno, r.start),
			      (size_t)INODES_PER_CHUNK << g->inode_log);
	for (unsigned i = 0; i < INODES_PER_CHUNK; i++)
		states[i] = state_of(g, ino_of(g, s->agno, (agino_t){ r.start.v + i }),
				     chunk + ((size_t)i << g->inode_log));
	if (c->by > BY_FINOBT && c->by != BY_BLOCK)
		r.holemask = holemask_of(s, c->by, r.start, states);
	else
		r.holemask = without_named(s, &r);
	for (unsigned i = 0; i < INODES_PER_CHUNK; i++)
		found += states[i] != NO_INODE && inobt_existing(r.holemask) >> i & 1;
	if (found == 0 && !is_lost_chunk(s, c->by, &r, readable))
		return none;
	named = has_named(s, r.start.v, INODES_PER_CHUNK);
	if (!certain && (named ? is_anothers(s, &r) : any_block(s, chunk_block_taken, &r)))
		return none;
	settle_free(s, c, chunk, states, &r);
	chunk_count(&r);
	/* blocks of a freed chunk may still hold all its inodes, some of which seem to be in use */
	if (!certain && !named && (c->by == BY_LOOKS || r.freecount == r.count) && any_block(s, chunk_block_free, &r))
		return none;
	return (struct chunk_outcome){ true, found == 0 && c->by == BY_RMAP, r };
}

int chunk_add(struct chunk_search *s, enum chunk_witness by, const struct inobt_record *record)
{
	return array_add(s->v, s->room, s->count, (struct chunk_candidate){ by, *record });
}

int chunk_add_range(struct chunk_search *s, enum chunk_witness by, uint64_t start, uint64_t end)
{
	const struct geometry *g = s->geo;
	uint64_t first = g->sparse ? start / g->cluster_align * g->cluster_align : start;
	int ret = 0;

	for (uint64_t agino = first << g->inopb_log; agino < end << g->inopb_log && !ret; agino += INODES_PER_CHUNK)
		ret = chunk_add(s, by, &(struct inobt_record){ .start = { (uint32_t)agino } });
	return ret;
}

/* Adds the candidates from inobt, finobt and rmapbt records of the survey. */
static int take_records(struct chunk_search *s)
{
	size_t nchunks;
	const struct chunk_fact *chunks = mend_survey_chunks(s->survey, s->agno, &nchunks);
	int ret = 0;

	for (size_t i = 0; i < nchunks && !ret; i++)
		ret = chunk_add(s, chunks[i].kind == BT_INO ? BY_INOBT : BY_FINOBT, &chunks[i].record);
	for (size_t i = 0; i < s->survey->nranges && !ret; i++)
		if (s->survey->ranges[i].agno.v == s->agno.v)
			ret = chunk_add_range(s, BY_RMAP, s->survey->ranges[i].start, s->survey->ranges[i].end);
	return ret;
}

/* Adds candidates with directories of which blocks are left. 0 or -ENOMEM. */
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

/* Candidates of one source that overlap no chunk, and the verdicts on them. */
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

/* True if a chunk starting at inode `start` would overlap no other one. */
static bool is_vacant(const struct chunk_places *p, uint64_t start)
{
	const uint64_t slot = start / INODES_PER_CHUNK;

	return start < p->inodes && !p->at[slot] &&
	       !(slot && p->at[slot - 1] && p->at[slot - 1] - 1 + INODES_PER_CHUNK > start) &&
	       !(p->at[slot + 1] && p->at[slot + 1] - 1 < start + INODES_PER_CHUNK);
}

/* Settles the candidates [first, end), all of one source: adds those that are chunks to s->chunks, in order. */
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

/* Settles all candidates, those of the better source first. */
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

/* True if a chunk is hollow. hollow[] is sorted: its chunks all come from one source, in order of their starts. */
static bool is_hollow(const struct chunk_search *s, agino_t start)
{
	return ordered_find(s->hollow, s->nhollow, ELEMENT(s->hollow), start.v) < s->nhollow;
}

/* Returns by how many inodes the chunks exceed the AGI's count; 0 also without an AGI. */
static int64_t miscount(const struct chunk_search *s)
{
	int64_t count = 0;

	if (!s->m->now->traverse->ags[s->agno.v].have_agi)
		return 0;
	for (size_t i = 0; i < s->nchunks; i++)
		count += s->chunks[i].count;
	return count - s->survey->agis[s->agno.v].count;
}

/* Returns the number of inodes in chunks without any inodes left. */
static int64_t count_hollow(const struct chunk_search *s)
{
	int64_t hollow = 0;

	for (size_t i = 0; i < s->nchunks; i++)
		if (is_hollow(s, s->chunks[i].start))
			hollow += s->chunks[i].count;
	return hollow;
}

/*
 * Drops hollow chunks if the AGI's count is right without them: a damaged rmapbt record may have made blocks of a file
 * look like a chunk.
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
 * Searches for chunks that no btree lists.  Blocks with another owner in the rmapbt, possibly all file data of the AG,
 * are read only if chunks are still missing by the AGI's count.  0 or -ENOMEM.
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

/* If blocks are larger than chunks, inodes fill whole blocks: settles the other chunks of each block with one. */
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

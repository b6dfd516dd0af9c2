/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chunks of inodes, from all that tells of them.  A record of the inobt counts unless none of its inodes is one; others
 * must lie where nobody else is, and hold inodes.  Where a record and an inode contradict each other about whether
 * that is in use, the inode counts if it is whole and says so throughout: a free one has neither type, nor links, nor
 * blocks; one in use has a type and links (ondisk 12, I5).
 */
#include "mend_chunks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "disk/inobt.h"
#include "disk/inode.h"
#include "libxfs/crc.h"
#include "mend/inode/mend_inode.h"
#include "parallel.h"

/* ---- candidates ---- */

enum witness {
	BY_INOBT,
	BY_FINOBT,
	BY_RMAP,
	BY_LOOKS,
};

struct candidate {
	enum witness by;
	struct inobt_record record; /* of the last two only the start counts */
};

struct search {
	struct mend *m;
	const struct geometry *geo;
	agno_t agno;
	const struct mend_survey *survey;
	const struct survey_ag *ag; /* of it */
	struct candidate *v;
	size_t count, room;
	struct inobt_record *chunks; /* those that are settled */
	size_t nchunks, chunks_room;
};

/*
 * Where chunks are: a mark for each 64 inode numbers that chunks reach into, on either side, since they need not be
 * aligned: 1 + the start of the chunk that begins there.
 */
struct places {
	uint32_t *at;
	uint64_t inodes; /* numbers of the AG */
};

static int add(struct search *s, enum witness by, const struct inobt_record *record)
{
	if (array_grow(&s->v, &s->room, s->count, sizeof(*s->v)))
		return -ENOMEM;
	s->v[s->count++] = (struct candidate){ by, *record };
	return 0;
}

/* Chunks that lie in a run of blocks that inodes have. */
static int add_run(struct search *s, enum witness by, uint64_t start, uint64_t end)
{
	const struct geometry *g = s->geo;
	uint64_t first = g->sparse ? start / g->cluster_align * g->cluster_align : start;
	int ret = 0;

	for (uint64_t agino = first << g->inopb_log; agino < end << g->inopb_log && !ret; agino += INODES_PER_CHUNK)
		ret = add(s, by, &(struct inobt_record){ .start = { (uint32_t)agino } });
	return ret;
}

static int take_records(struct search *s)
{
	size_t nchunks;
	const struct chunk_fact *chunks = mend_survey_chunks(s->survey, s->agno, &nchunks);
	int ret = 0;

	for (size_t i = 0; i < nchunks && !ret; i++)
		ret = add(s, chunks[i].kind == BT_INO ? BY_INOBT : BY_FINOBT, &chunks[i].record);
	for (size_t i = 0; i < s->survey->nruns && !ret; i++)
		if (s->survey->runs[i].agno.v == s->agno.v)
			ret = add_run(s, BY_RMAP, s->survey->runs[i].start, s->survey->runs[i].end);
	return ret;
}

/* ---- blocks ---- */

typedef bool block_is(const struct search *s, uint64_t block);

/*
 * Claimed by somebody else than inodes. Blocks of the free list may still hold inodes; they are told from those by the
 * rmapbt.
 */
static bool is_taken(const struct search *s, uint64_t block)
{
	return block_map_get(&s->ag->others, block) ||
	       (block_map_get(&s->ag->single, block) && !block_map_get(&s->ag->inodes, block));
}

static bool is_free(const struct search *s, uint64_t block)
{
	return block_map_get(&s->ag->free, block);
}

/* By the rmapbt, for inodes. */
static bool is_mapped(const struct search *s, uint64_t block)
{
	return block_map_get(&s->ag->inodes, block);
}

/* ---- inodes ---- */

enum state {
	NO_INODE,
	IN_USE,
	NOT_IN_USE,
	UNCLEAR, /* but an inode */
};

static bool type_possible(uint16_t mode)
{
	switch (mode & MODE_TYPE) {
	case MODE_FIFO:
	case MODE_CHR:
	case MODE_DIR:
	case MODE_BLK:
	case MODE_REG:
	case MODE_SYMLINK:
	case MODE_SOCK:
		return true;
	default:
		return false;
	}
}

static bool looks_like_inode(const struct geometry *g, xino_t ino, const struct dinode_disk *d)
{
	if (be16_get(d->magic) != DINODE_MAGIC)
		return false;
	if (g->crc)
		return d->version == DINODE_VERSION && be64_get(d->ino) == ino.v;
	return d->version >= DINODE_VERSION_1 && d->version <= DINODE_VERSION_2;
}

static bool checksum_is_right(const struct geometry *g, const uint8_t *bytes)
{
	return !g->crc || crc_is_right(bytes, g->inode_size, offsetof(struct dinode_disk, crc));
}

bool mend_chunks_is_inode(const struct geometry *geo, xino_t ino, const uint8_t *bytes)
{
	return looks_like_inode(geo, ino, (const struct dinode_disk *)bytes) && checksum_is_right(geo, bytes);
}

static enum state state_of(const struct search *s, const uint8_t *bytes, agino_t agino)
{
	const struct geometry *g = s->geo;
	const struct dinode_disk *d = (const struct dinode_disk *)bytes;
	uint16_t mode = be16_get(d->mode);
	bool links = d->version == DINODE_VERSION_1 ? be16_get(d->metatype) != 0 : be32_get(d->nlink) != 0;

	if (!looks_like_inode(g, ino_of(g, s->agno, agino), d))
		return NO_INODE;
	if (!checksum_is_right(g, bytes))
		return UNCLEAR;
	if (mode == 0 && !links && be64_get(d->nblocks) == 0)
		return NOT_IN_USE;
	return type_possible(mode) && links ? IN_USE : UNCLEAR;
}

/* What would be the state of an inode of which no record tells: a free one has no type, whichever. */
static bool used_by_looks(const uint8_t *bytes)
{
	const struct dinode_disk *d = (const struct dinode_disk *)bytes;

	return be16_get(d->mode) != 0;
}

/* The root is the first inode of its chunk (ondisk 00, section 2): no other place of one leads past that. */
static int take_root(struct search *s)
{
	const struct geometry *g = s->geo;

	if (!ino_valid(g, g->rootino) || agno_of_ino(g, g->rootino).v != s->agno.v)
		return 0;
	return add(s, BY_LOOKS, &(struct inobt_record){ .start = agino_of_ino(g, g->rootino) });
}

/* Blocks that begin with an inode, looked for by several threads. */
struct looking {
	const struct search *search;
	struct block_map known; /* of chunks that are settled */
	struct block_map inodes;
	bool again;  /* in those, too */
	bool failed; /* atomic: out of memory */
};

#define TOGETHER    8u		 /* threads, most of whose time is the device's */
#define LOOK_BYTES  (256u << 10) /* that are read together */
#define LOOK_BLOCKS 1024u	 /* that a thread takes at a time */

/* Nobody is known to have a claim to it, nor is it free: inodes there would be old ones. */
static bool is_nobodys(const struct looking *l, uint64_t block)
{
	return block >= l->search->geo->first_data_agbno && !is_taken(l->search, block) && !is_free(l->search, block) &&
	       (l->again || !block_map_get(&l->known, block));
}

/* Of blocks [first, first + count) those that are nobody's; together, unless some of them can't be read. */
static void look_at(const struct looking *l, uint8_t *bytes, uint32_t first, uint32_t count)
{
	const struct search *s = l->search;
	const struct geometry *g = s->geo;
	const agino_t agino = { first << g->inopb_log };

	if (mend_read_once(s->m, bytes, bytes_of_agino(s->geo, s->agno, agino), (size_t)count << g->block_log)) {
		for (uint32_t i = 0; i < count && count > 1; i++)
			if (is_nobodys(l, first + i))
				look_at(l, bytes, first + i, 1);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		if (is_nobodys(l, first + i) && state_of(s, bytes + ((size_t)i << g->block_log),
							 (agino_t){ (first + i) << g->inopb_log }) != NO_INODE)
			block_map_mark(&l->inodes, first + i, 1);
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
	uint64_t first = from, behind = from; /* of what is read next */
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

/* Whether chunks are whole, and may begin where another one would be in the middle. */
static bool may_be_misplaced(const struct geometry *g)
{
	return !g->sparse && (uint64_t)g->cluster_align << g->inopb_log < INODES_PER_CHUNK;
}

/* The run of inodes that holds the first one of the chunk; *start == *end: there is none. */
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
 * A run of inodes that chunks fill has them one behind the other: a record that says otherwise is damaged, and would
 * leave pieces on both sides that are too small for another one.
 */
static void drop_misplaced(struct search *s, struct looking *l, struct places *places)
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

/* Where it looks like inodes, with nobody there. */
static int take_looks(struct search *s, struct places *places)
{
	const uint32_t end = ag_length(s->geo, s->agno);
	struct looking l = { .search = s, .again = may_be_misplaced(s->geo) };
	uint32_t run = 0;
	int ret = block_map_new(&l.known, 0, end);

	if (!ret)
		ret = block_map_new(&l.inodes, 0, end);
	for (size_t i = 0; i < s->nchunks && !ret; i++)
		mend_chunks_mark(s->geo, &s->chunks[i], &l.known, true);
	if (!ret)
		parallel_each(TOGETHER, (end + LOOK_BLOCKS - 1) / LOOK_BLOCKS, look_at_part, &l);
	if (!ret)
		ret = l.failed ? -ENOMEM : take_root(s);
	if (!ret && l.again) {
		drop_misplaced(s, &l, places);
		block_map_subtract(&l.inodes, &l.known);
	}
	for (uint32_t b = 0; b <= end && !ret; b++) {
		const bool inodes = b < end && block_map_get(&l.inodes, b);

		if (!inodes && run)
			ret = add_run(s, BY_LOOKS, b - run, b);
		run = inodes ? run + 1 : 0;
	}
	block_map_free(&l.known);
	block_map_free(&l.inodes);
	return ret;
}

/* ---- from candidates to records ---- */

static bool any_block(const struct search *s, block_is *is, const struct inobt_record *r)
{
	uint64_t exist = inobt_existing(r->holemask);

	for (unsigned i = 0; i < INODES_PER_CHUNK; i++)
		if (exist >> i & 1 && is(s, agbno_of_agino(s->geo, (agino_t){ r->start.v + i }).v))
			return true;
	return false;
}

/* Whether these inodes are those with the root among them: they are there, whatever lies in their place. */
static bool has_root(const struct search *s, uint64_t first, unsigned count)
{
	const struct geometry *g = s->geo;

	return ino_valid(g, g->rootino) && agno_of_ino(g, g->rootino).v == s->agno.v &&
	       agino_of_ino(g, g->rootino).v - first < count;
}

/*
 * Parts of a sparse chunk exist that the rmapbt gives to inodes, or that hold some, most of them, and nobody else has.
 * One is enough where its checksum says so, and nothing is free.
 */
static uint16_t holemask_of(const struct search *s, enum witness by, agino_t start,
			    const enum state states[INODES_PER_CHUNK])
{
	unsigned unit = INODES_PER_CHUNK;
	uint16_t mask = 0;

	if (s->geo->sparse && (s->geo->sparse_align << s->geo->inopb_log) < unit)
		unit = s->geo->sparse_align << s->geo->inopb_log;
	if (unit < INODES_PER_HOLEMASKBIT)
		unit = INODES_PER_HOLEMASKBIT;
	for (unsigned first = 0; first < INODES_PER_CHUNK; first += unit) {
		unsigned inodes = 0;
		bool taken = false, free = false, used = false;

		for (unsigned i = first; i < first + unit; i++) {
			uint64_t block = agbno_of_agino(s->geo, (agino_t){ start.v + i }).v;

			inodes += states[i] != NO_INODE || (by == BY_RMAP && is_mapped(s, block));
			taken |= is_taken(s, block);
			free |= is_free(s, block);
			used |= s->geo->crc && states[i] == IN_USE;
		}
		if (taken || (2 * inodes < unit && (free || !used) && !has_root(s, start.v + first, unit)))
			for (unsigned i = first; i < first + unit; i += INODES_PER_HOLEMASKBIT)
				mask |= (uint16_t)(1u << i / INODES_PER_HOLEMASKBIT);
	}
	return mask;
}

static bool possible_start(const struct search *s, agino_t start)
{
	const struct geometry *g = s->geo;
	uint64_t end = ((uint64_t)ag_length(g, s->agno)) << g->inopb_log;
	uint64_t align = (uint64_t)g->cluster_align << g->inopb_log;

	if (align > INODES_PER_CHUNK)
		align = INODES_PER_CHUNK;
	return start.v >= (uint64_t)g->first_data_agbno << g->inopb_log &&
	       start.v + (uint64_t)INODES_PER_CHUNK <= end && start.v % align == 0;
}

static void count_record(struct inobt_record *r)
{
	uint64_t exist = inobt_existing(r->holemask);

	r->free |= ~exist;
	r->count = (uint8_t)__builtin_popcountll(exist);
	r->freecount = (uint8_t)__builtin_popcountll(r->free & exist);
}

/* A record of which masks and counts agree. */
static bool is_consistent(const struct inobt_record *r)
{
	return r->freecount == __builtin_popcountll(r->free & inobt_existing(r->holemask));
}

/*
 * Which are in use: what the inodes say, where they do, or else the record.  Where there is neither one may have been:
 * what others know of it decides that (mend_inode_core.c), which frees it if nobody knows anything.  Roots are.
 */
static void settle_free(const struct search *s, const struct candidate *c, const uint8_t *chunk,
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
		used |= ino.v == s->geo->rootino.v || (s->geo->metadir && ino.v == s->geo->metadirino.v);
		r->free = (r->free & ~(1ull << i)) | (uint64_t)!used << i;
	}
}

/* None of its inodes is one, but it is where a chunk was: what leads to it says so, and the rmapbt. */
static bool is_lost_chunk(const struct search *s, enum witness by, const struct inobt_record *r, bool readable)
{
	bool mapped = any_block(s, is_mapped, r);

	switch (by) {
	case BY_INOBT:
		return mapped || !readable;
	case BY_RMAP:
		return mapped && !any_block(s, is_free, r);
	default:
		return false;
	}
}

/* The record of a chunk as it shall be; false: there is none. chunk: for the bytes of its inodes. */
static bool settle(const struct search *s, const struct candidate *c, uint8_t *chunk, struct inobt_record *ret)
{
	const struct geometry *g = s->geo;
	struct inobt_record r = c->record;
	enum state states[INODES_PER_CHUNK];
	unsigned found = 0;
	bool readable;

	if (!possible_start(s, r.start))
		return false;
	readable = !mend_read(s->m, chunk, bytes_of_agino(s->geo, s->agno, r.start),
			      (size_t)INODES_PER_CHUNK << g->inode_log);
	for (unsigned i = 0; i < INODES_PER_CHUNK; i++)
		states[i] = state_of(s, chunk + ((size_t)i << g->inode_log), (agino_t){ r.start.v + i });
	if (c->by > BY_FINOBT)
		r.holemask = holemask_of(s, c->by, r.start, states);
	for (unsigned i = 0; i < INODES_PER_CHUNK; i++)
		found += states[i] != NO_INODE && inobt_existing(r.holemask) >> i & 1;
	if (found == 0 && !is_lost_chunk(s, c->by, &r, readable))
		return false;
	if (c->by != BY_INOBT && any_block(s, is_taken, &r))
		return false;
	settle_free(s, c, chunk, states, &r);
	count_record(&r);
	/* of a chunk that is gone, everything may still be there, inodes in use included */
	if (c->by != BY_INOBT && (c->by == BY_LOOKS || r.freecount == r.count) && any_block(s, is_free, &r))
		return false;
	*ret = r;
	return true;
}

static int candidate_order(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->by != y->by)
		return x->by < y->by ? -1 : 1;
	if (x->record.start.v != y->record.start.v)
		return x->record.start.v < y->record.start.v ? -1 : 1;
	return (x->record.free > y->record.free) - (x->record.free < y->record.free);
}

static int record_order(const void *a, const void *b)
{
	const struct inobt_record *x = a, *y = b;

	return (x->start.v > y->start.v) - (x->start.v < y->start.v);
}

int mend_chunks_add(struct inobt_record **chunks, size_t *count, const struct inobt_record *more)
{
	struct inobt_record *v = *chunks;
	size_t at = 0;

	while (at < *count && v[at].start.v < more->start.v)
		at++;
	if (at < *count && v[at].start.v == more->start.v) {
		v[at].holemask &= more->holemask;
		count_record(&v[at]);
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

/* ---- all candidates ---- */

#define SLICE 16u /* candidates that a thread takes at a time */

/* Candidates of one witness that don't lie where another chunk is already. */
struct settling {
	const struct search *search;
	const struct candidate **v;
	struct inobt_record *records;
	bool *are; /* whether there is one */
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
		t->are[i] = settle(t->search, t->v[i], chunk, &t->records[i]);
	free(chunk);
}

static bool is_vacant(const struct places *p, uint64_t start)
{
	const uint64_t slot = start / INODES_PER_CHUNK;

	return start < p->inodes && !p->at[slot] &&
	       !(slot && p->at[slot - 1] && p->at[slot - 1] - 1 + INODES_PER_CHUNK > start) &&
	       !(p->at[slot + 1] && p->at[slot + 1] - 1 < start + INODES_PER_CHUNK);
}

/* The candidates [first, end), which one witness has, in their order; those that are chunks go to the settled ones. */
static int settle_witness(struct settling *t, struct search *s, size_t first, size_t end, struct places *p)
{
	t->count = 0;
	for (size_t i = first; i < end; i++)
		if (is_vacant(p, s->v[i].record.start.v))
			t->v[t->count++] = &s->v[i];
	parallel_each(TOGETHER, (t->count + SLICE - 1) / SLICE, settle_slice, t);
	for (size_t i = 0; i < t->count && !t->failed; i++) {
		const uint32_t start = t->v[i]->record.start.v;

		if (!t->are[i] || !is_vacant(p, start))
			continue;
		if (array_grow(&s->chunks, &s->chunks_room, s->nchunks, sizeof(*s->chunks)))
			return -ENOMEM;
		s->chunks[s->nchunks++] = t->records[i];
		p->at[start / INODES_PER_CHUNK] = start + 1;
	}
	return t->failed ? -ENOMEM : 0;
}

/* All candidates, the better witness first; what lies where another chunk is already is dropped. */
static int settle_all(struct search *s, struct places *places)
{
	struct settling t = { .search = s,
			      .v = calloc(s->count + 1, sizeof(const struct candidate *)),
			      .records = calloc(s->count + 1, sizeof(*t.records)),
			      .are = calloc(s->count + 1, sizeof(*t.are)) };
	int ret = t.v && t.records && t.are ? 0 : -ENOMEM;

	if (s->count)
		qsort(s->v, s->count, sizeof(*s->v), candidate_order);
	for (size_t first = 0, end; first < s->count && !ret; first = end) {
		for (end = first; end < s->count && s->v[end].by == s->v[first].by;)
			end++;
		ret = settle_witness(&t, s, first, end, places);
	}
	free((void *)t.v);
	free(t.records);
	free(t.are);
	s->count = 0;
	return ret;
}

int mend_chunks_find(struct mend *m, const struct mend_survey *survey, agno_t agno, bool lossy,
		     struct inobt_record **ret_chunks, size_t *ret_count)
{
	const struct geometry *geo = &m->now->geo;
	const struct ag_state *ag = &m->now->traverse->ags[agno.v];
	struct search s = { .m = m, .geo = geo, .agno = agno, .survey = survey, .ag = &survey->ags[agno.v] };
	struct places places = { .inodes = (uint64_t)ag_length(geo, agno) << geo->inopb_log };
	int ret = -ENOMEM;

	places.at = calloc(places.inodes / INODES_PER_CHUNK + 2, sizeof(*places.at));
	s.chunks = calloc(1, sizeof(*s.chunks));
	s.chunks_room = 1;
	if (places.at && s.chunks)
		ret = take_records(&s);
	if (!ret)
		ret = settle_all(&s, &places);
	if (!ret && (lossy || !ag_tree_whole(ag, BT_INO)) && !ag_tree_whole(ag, BT_RMAP)) {
		ret = take_looks(&s, &places);
		if (!ret)
			ret = settle_all(&s, &places);
	}
	free(places.at);
	free(s.v);
	if (ret) {
		free(s.chunks);
		return ret;
	}
	qsort(s.chunks, s.nchunks, sizeof(*s.chunks), record_order);
	*ret_chunks = s.chunks;
	*ret_count = s.nchunks;
	return 0;
}

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
	const struct mend_evidence *evidence;
	struct block_map others; /* claimed by somebody else than inodes */
	struct block_map free;	 /* by the bnobt */
	struct block_map mapped; /* by the rmapbt, for inodes */
	struct candidate *v;
	size_t count, room;
	uint8_t *chunk; /* bytes of 64 inodes */
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

/* A block that a tree leads to need not be one of its: inodes that know their numbers are better witnesses. */
static bool by_tree(const struct use *use)
{
	return use->owner == OWNER_AG || use->owner == OWNER_INOBT || use->owner == OWNER_REFC;
}

/* Blocks of the free list may still hold inodes; they are told from those by the rmapbt. */
static void take_free_list(struct search *s)
{
	const struct mend_evidence *e = s->evidence;
	group_t group = group_of_ag(s->agno);

	for (size_t i = e->first[group.v]; i < e->first[group.v + 1]; i++) {
		const struct use *use = &e->records.uses[i];

		if (use->kind == USE_CLAIM && use->owner == OWNER_AG && use->len == 1 &&
		    !block_map_get(&s->mapped, use->start))
			block_map_set(&s->others, use->start, 1, true);
	}
}

static int take_records(struct search *s)
{
	const struct evidence_records *r = &s->evidence->records;
	const size_t *first = &s->evidence->first[group_of_ag(s->agno).v];
	int ret = 0;

	for (size_t i = 0; i < r->nchunks && !ret; i++)
		if (r->chunks[i].agno.v == s->agno.v)
			ret = add(s, r->chunks[i].kind == BT_INO ? BY_INOBT : BY_FINOBT, &r->chunks[i].record);
	for (size_t i = first[0]; i < first[1] && !ret; i++) {
		const struct use *use = &r->uses[i];

		if (use->kind == USE_CLAIM && !by_tree(use) && use->owner != OWNER_INODES)
			block_map_set(&s->others, use->start, use->len, true);
		if (use->kind == USE_FREE)
			block_map_set(&s->free, use->start, use->len, true);
		if (use->kind != USE_RMAP || use->owner != OWNER_INODES)
			continue;
		block_map_set(&s->mapped, use->start, use->len, true);
		ret = add_run(s, BY_RMAP, use->start, use->start + use->len);
	}
	take_free_list(s);
	return ret;
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

static enum state state_of(const struct search *s, const uint8_t *bytes, agino_t agino)
{
	const struct geometry *g = s->geo;
	const struct dinode_disk *d = (const struct dinode_disk *)bytes;
	uint16_t mode = be16_get(d->mode);
	bool links = d->version == DINODE_VERSION_1 ? be16_get(d->metatype) != 0 : be32_get(d->nlink) != 0;

	if (be16_get(d->magic) != DINODE_MAGIC)
		return NO_INODE;
	if (g->crc ? d->version != DINODE_VERSION || be64_get(d->ino) != ino_of(g, s->agno, agino).v
		   : d->version < DINODE_VERSION_1 || d->version > DINODE_VERSION_2)
		return NO_INODE;
	if (g->crc && !crc_is_right(bytes, g->inode_size, offsetof(struct dinode_disk, crc)))
		return UNCLEAR;
	if (mode == 0 && !links && be64_get(d->nblocks) == 0)
		return NOT_IN_USE;
	return type_possible(mode) && links ? IN_USE : UNCLEAR;
}

/* What would be the state of an inode of which no record tells. */
static bool used_by_looks(const uint8_t *bytes)
{
	return type_possible(be16_get(((const struct dinode_disk *)bytes)->mode));
}

static uint64_t bytes_of_agino(const struct search *s, agino_t agino)
{
	return mend_inode_offset(s->geo, ino_of(s->geo, s->agno, agino));
}

/* The root is the first inode of its chunk (ondisk 00, section 2): no other place of one leads past that. */
static int take_root(struct search *s)
{
	const struct geometry *g = s->geo;

	if (!ino_valid(g, g->rootino) || agno_of_ino(g, g->rootino).v != s->agno.v)
		return 0;
	return add(s, BY_LOOKS, &(struct inobt_record){ .start = agino_of_ino(g, g->rootino) });
}

/* Where it looks like inodes, with nobody there. */
static int take_looks(struct search *s)
{
	const struct geometry *g = s->geo;
	uint32_t end = ag_length(g, s->agno), run = 0;
	uint8_t *block = malloc(g->block_size);
	int ret = block ? take_root(s) : -ENOMEM;

	for (uint32_t b = g->first_data_agbno; b <= end && !ret; b++) {
		agino_t agino = { b << g->inopb_log };
		bool inodes = b < end && !block_map_get(&s->others, b) &&
			      !mend_read(s->m, block, bytes_of_agino(s, agino), g->block_size) &&
			      state_of(s, block, agino) != NO_INODE;

		if (!inodes && run)
			ret = add_run(s, BY_LOOKS, b - run, b);
		run = inodes ? run + 1 : 0;
	}
	free(block);
	return ret;
}

/* ---- from candidates to records ---- */

static uint64_t existing(uint16_t holemask)
{
	uint64_t exist = 0;

	for (unsigned i = 0; i < INODES_PER_CHUNK; i++)
		if (!(holemask >> i / INODES_PER_HOLEMASKBIT & 1))
			exist |= 1ull << i;
	return exist;
}

static bool any_block(const struct search *s, const struct block_map *map, const struct inobt_record *r)
{
	uint64_t exist = existing(r->holemask);

	for (unsigned i = 0; i < INODES_PER_CHUNK; i++)
		if (exist >> i & 1 && block_map_get(map, agbno_of_agino(s->geo, (agino_t){ r->start.v + i }).v))
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

/* Parts of a sparse chunk exist that the rmapbt gives to inodes, or that hold some, most of them, and nobody else has.
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
		bool taken = false;

		for (unsigned i = first; i < first + unit; i++) {
			uint64_t block = agbno_of_agino(s->geo, (agino_t){ start.v + i }).v;

			inodes += states[i] != NO_INODE || (by == BY_RMAP && block_map_get(&s->mapped, block));
			taken |= block_map_get(&s->others, block);
		}
		if (taken || (2 * inodes < unit && !has_root(s, start.v + first, unit)))
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
	uint64_t exist = existing(r->holemask);

	r->free |= ~exist;
	r->count = (uint8_t)__builtin_popcountll(exist);
	r->freecount = (uint8_t)__builtin_popcountll(r->free & exist);
}

/*
 * Which are in use: what the inodes say, where they do, or else the record.  Where there is neither one may have been:
 * what others know of it decides that (mend_inode_core.c), which frees it if nobody knows anything.
 */
static void settle_free(const struct search *s, const struct candidate *c, const enum state states[INODES_PER_CHUNK],
			struct inobt_record *r)
{
	for (unsigned i = 0; i < INODES_PER_CHUNK; i++) {
		bool used = !(r->free >> i & 1);

		if (c->by > BY_FINOBT)
			used = states[i] == NO_INODE || used_by_looks(s->chunk + ((size_t)i << s->geo->inode_log));
		if (states[i] == IN_USE || states[i] == NOT_IN_USE)
			used = states[i] == IN_USE;
		r->free = (r->free & ~(1ull << i)) | (uint64_t)!used << i;
	}
}

/* None of its inodes is one, but it is where a chunk was: what leads to it says so, and the rmapbt. */
static bool is_lost_chunk(const struct search *s, enum witness by, const struct inobt_record *r, bool readable)
{
	bool mapped = any_block(s, &s->mapped, r);

	switch (by) {
	case BY_INOBT:
		return mapped || !readable;
	case BY_RMAP:
		return mapped && !any_block(s, &s->free, r);
	default:
		return false;
	}
}

/* The record of a chunk as it shall be; false: there is none. */
static bool settle(struct search *s, const struct candidate *c, struct inobt_record *ret)
{
	const struct geometry *g = s->geo;
	struct inobt_record r = c->record;
	enum state states[INODES_PER_CHUNK];
	unsigned found = 0;
	bool readable;

	if (!possible_start(s, r.start))
		return false;
	readable = !mend_read(s->m, s->chunk, bytes_of_agino(s, r.start), (size_t)INODES_PER_CHUNK << g->inode_log);
	for (unsigned i = 0; i < INODES_PER_CHUNK; i++)
		states[i] = state_of(s, s->chunk + ((size_t)i << g->inode_log), (agino_t){ r.start.v + i });
	if (c->by > BY_FINOBT)
		r.holemask = holemask_of(s, c->by, r.start, states);
	for (unsigned i = 0; i < INODES_PER_CHUNK; i++)
		found += states[i] != NO_INODE && existing(r.holemask) >> i & 1;
	if (found == 0 && !is_lost_chunk(s, c->by, &r, readable))
		return false;
	if (c->by != BY_INOBT && any_block(s, &s->others, &r))
		return false;
	settle_free(s, c, states, &r);
	count_record(&r);
	/* of a chunk that is gone, everything may still be there, inodes in use included */
	if (c->by != BY_INOBT && (c->by == BY_LOOKS || r.freecount == r.count) && any_block(s, &s->free, &r))
		return false;
	*ret = r;
	return true;
}

static int candidate_order(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->by != y->by)
		return x->by < y->by ? -1 : 1;
	return (x->record.start.v > y->record.start.v) - (x->record.start.v < y->record.start.v);
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
	uint64_t exist = existing(chunk->holemask);

	for (unsigned i = 0; i < INODES_PER_CHUNK; i++)
		if (exist >> i & 1)
			block_map_set(map, agbno_of_agino(geo, (agino_t){ chunk->start.v + i }).v, 1, value);
}

/* The better witness first; what lies where another chunk is already is dropped. A mark for each 64 inode numbers
 * that chunks reach into, on either side: they need not be aligned. */
static int settle_all(struct search *s, struct inobt_record **ret_chunks, size_t *ret_count)
{
	uint64_t inodes = (uint64_t)ag_length(s->geo, s->agno) << s->geo->inopb_log;
	struct inobt_record *chunks = calloc(s->count + 1, sizeof(*chunks));
	uint32_t *at =
		calloc(inodes / INODES_PER_CHUNK + 2, sizeof(*at)); /* 1 + the start of the chunk that begins there */
	size_t n = 0;

	if (!chunks || !at) {
		free(chunks);
		free(at);
		return -ENOMEM;
	}
	if (s->count)
		qsort(s->v, s->count, sizeof(*s->v), candidate_order);
	for (size_t i = 0; i < s->count; i++) {
		uint64_t start = s->v[i].record.start.v, slot = start / INODES_PER_CHUNK;

		if (start >= inodes || at[slot] ||
		    (slot && at[slot - 1] && at[slot - 1] - 1 + INODES_PER_CHUNK > start) ||
		    (at[slot + 1] && at[slot + 1] - 1 < start + INODES_PER_CHUNK))
			continue;
		if (settle(s, &s->v[i], &chunks[n])) {
			n++;
			at[slot] = (uint32_t)start + 1;
		}
	}
	free(at);
	qsort(chunks, n, sizeof(*chunks), record_order);
	*ret_chunks = chunks;
	*ret_count = n;
	return 0;
}

int mend_chunks_find(struct mend *m, const struct mend_evidence *evidence, agno_t agno, bool lossy,
		     struct inobt_record **ret_chunks, size_t *ret_count)
{
	const struct geometry *geo = &m->now->geo;
	const struct ag_state *ag = &m->now->traverse->ags[agno.v];
	struct search s = { .m = m, .geo = geo, .agno = agno, .evidence = evidence };
	uint32_t blocks = ag_length(geo, agno);
	int ret = -ENOMEM;

	s.chunk = malloc((size_t)INODES_PER_CHUNK << geo->inode_log);
	if (s.chunk && !block_map_new(&s.others, 0, blocks) && !block_map_new(&s.free, 0, blocks) &&
	    !block_map_new(&s.mapped, 0, blocks))
		ret = take_records(&s);
	if (!ret && (lossy || !ag_tree_whole(ag, BT_INO)) && !ag_tree_whole(ag, BT_RMAP))
		ret = take_looks(&s);
	if (!ret)
		ret = settle_all(&s, ret_chunks, ret_count);
	block_map_free(&s.others);
	block_map_free(&s.free);
	block_map_free(&s.mapped);
	free(s.chunk);
	free(s.v);
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Posts inode chunks at the places in the inobt, and decodes the 64 inodes of each (ondisk 00 section 3, 03).  Holes of
 * sparse chunks are not read.
 */
#include "ahead.h"
#include "disk/inobt.h"
#include "sets/save.h"
#include "walk.h"

struct chunk_want {
	struct want want;
	agno_t agno;
	agino_t start; /* the inode of bit 0 in `free` */
	uint64_t free; /* as in the inobt record */
	bool unsure;   /* the inobt block with the record has a wrong checksum */
	bool alone;    /* one inode is wanted; the others in its sector are ignored */
};

/* Posts the inodes [first, end) of a chunk, whose usage is in `free`. */
static void want_inodes(struct walker *w, agno_t agno, agino_t chunk, uint64_t free, unsigned first, unsigned end,
			bool unsure)
{
	const struct geometry *geo = w->t->geo;
	const agino_t start = { chunk.v + first };
	const xdaddr_t daddr = { bytes_of_agino(geo, agno, start) >> SECTOR_LOG };
	struct chunk_want *want = walk_want(w, sizeof(*want));

	if (!want)
		return;
	want->agno = agno;
	want->start = chunk;
	want->free = free;
	want->unsure = unsure;
	want->want.item.source = true;
	walk_inobt_wait(w, agno);
	walk_post(w, &want->want, WANT_CHUNK, agno, daddr, (uint64_t)(end - first) << geo->inode_log, geo->inode_size);
}

/* Claims and posts the inodes [first, end) of a chunk. */
static void post_inodes(struct walker *w, agno_t agno, const struct inobt_record *record, unsigned first, unsigned end,
			bool unsure)
{
	const struct geometry *geo = w->t->geo;
	agino_t start = { record->start.v + first };
	agbno_t agbno = agbno_of_agino(geo, start);
	uint32_t blocks = (end - first) >> geo->inopb_log;

	/* a block that holds several chunks is claimed with the first of them */
	if (blocks == 0 && (start.v & (geo->inodes_per_block - 1)) == 0)
		blocks = 1;
	if (blocks)
		walk_claim_special(w, OBJ_CLUSTER, agno, agbno, blocks, OWNER_INODES);
	want_inodes(w, agno, record->start, record->free, first, end, unsure);
}

void walk_chunk_found(struct walker *w, agno_t agno, const struct inobt_record *record, bool unsure)
{
	unsigned first = 0;

	for (unsigned i = 0; i <= INODES_PER_CHUNK; i += INODES_PER_HOLEMASKBIT) {
		bool hole = i == INODES_PER_CHUNK || record->holemask >> (i / INODES_PER_HOLEMASKBIT) & 1;

		if (!hole)
			continue;
		if (i > first)
			post_inodes(w, agno, record, first, i, unsure);
		first = i + INODES_PER_HOLEMASKBIT;
	}
}

void walk_chunk_save(const struct walker *w, const struct want *want, struct saver *s)
{
	const struct geometry *geo = w->t->geo;
	const struct chunk_want *chunk = (const struct chunk_want *)want;
	const uint64_t from = bytes_of_agino(geo, chunk->agno, chunk->start);

	save_number(s, chunk->start.v);
	save_number(s, (want->item.offset - from) >> geo->inode_log);
	save_number(s, want->item.length >> geo->inode_log);
	save_word(s, chunk->free);
}

void walk_chunk_load(struct walker *w, agno_t agno, struct loader *l)
{
	const struct geometry *geo = w->t->geo;
	const uint64_t inodes = (uint64_t)ag_length(geo, agno) << geo->inopb_log;
	const agino_t start = { (uint32_t)load_at_most(l, inodes < NULL_AGINO ? inodes : NULL_AGINO - 1) };
	const unsigned first = (unsigned)load_at_most(l, INODES_PER_CHUNK);
	const unsigned end = first + (unsigned)load_at_most(l, INODES_PER_CHUNK - first);
	const uint64_t free = load_word(l);

	if (first == end || start.v + (uint64_t)end > inodes || (first | end) % INODES_PER_HOLEMASKBIT ||
	    bytes_of_agino(geo, agno, start) % SECTOR_SIZE)
		load_refuse(l);
	if (load_good(l))
		want_inodes(w, agno, start, free, first, end, false);
}

void walk_chunk_one(struct walker *w, xino_t ino)
{
	const struct geometry *geo = w->t->geo;
	agno_t agno = agno_of_ino(geo, ino);
	agino_t agino = agino_of_ino(geo, ino);
	uint32_t per_sector = geo->inode_size < SECTOR_SIZE ? SECTOR_SIZE / geo->inode_size : 1;
	agino_t start = { agino.v & ~(per_sector - 1) };
	struct chunk_want *want = walk_want(w, sizeof(*want));
	const xdaddr_t daddr = { bytes_of_agino(geo, agno, start) >> SECTOR_LOG };

	if (!want)
		return;
	want->agno = agno;
	want->start = start;
	want->free = ~(1ull << (agino.v - start.v));
	want->alone = true;
	walk_inobt_wait(w, agno);
	walk_post(w, &want->want, WANT_CHUNK, agno, daddr, (uint64_t)per_sector << geo->inode_log, geo->inode_size);
}

/* True if the inode is sound and says that it is free. */
static bool says_free(const struct walker *w, const uint8_t *bytes)
{
	unsigned problems = 0;
	const struct check check = check_counting(w->t->geo, &problems);
	struct dinode inode;

	dinode_decode(&check, bytes, w->place.ino, false, &inode);
	return !problems;
}

/* Notes that an inode in use is unreadable or corrupt.  If it says that it is free, no contents are lost. */
static void inode_gap(struct walker *w, const uint8_t *bytes, bool unsure)
{
	const struct sink *sink = &w->t->sink;

	walk_gap(w, w->place.ino, GAP_ALL);
	if (w->t->scope.contents && !(bytes && says_free(w, bytes)))
		sink_tell(sink, unread, w->worker, w->place.ino, bytes, unsure);
}

void walk_chunk(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset, uint32_t len, bool last)
{
	const struct geometry *geo = w->t->geo;
	const struct chunk_want *chunk = (const struct chunk_want *)want;
	uint64_t in_ag = offset - ag_offset(geo, chunk->agno);
	agino_t agino = { (uint32_t)(in_ag >> geo->inode_log) };
	unsigned count = len >> geo->inode_log, used = 0;
	bool all_readable;

	if (last)
		walk_inobt_more(w, chunk->agno, 1);
	w->place = place_of(OBJ_CLUSTER);
	w->place.agno = chunk->agno;
	w->place.agbno = agbno_of_agino(geo, agino);
	w->place.ino = ino_of(geo, chunk->agno, agino);
	__atomic_store_n(&w->t->at_ino, w->place.ino.v, __ATOMIC_RELAXED);
	all_readable = walk_readable(w, offset, len);
	w->totals.metadata_blocks += (len + geo->block_size - 1) >> geo->block_log;
	for (unsigned i = 0; i < count; i++, agino.v++, bytes += geo->inode_size) {
		bool allocated = !(chunk->free >> (agino.v - chunk->start.v) & 1);
		uint64_t bad, bad_len;
		struct dinode inode;

		if (chunk->alone && !allocated)
			continue;
		used += allocated;
		if (i + 2 < count)
			ahead_fetch(bytes + (size_t)2 * geo->inode_size, geo->inode_size);
		w->place = place_of(OBJ_INODE);
		w->place.agno = chunk->agno;
		w->place.agbno = agbno_of_agino(geo, agino);
		w->place.ino = ino_of(geo, chunk->agno, agino);
		if (!all_readable && device_unreadable(w->t->device, offset + ((uint64_t)i << geo->inode_log),
						       geo->inode_size, &bad, &bad_len)) {
			if (allocated) {
				/* a device that is too short has its own finding */
				if (bad < device_bytes(w->t->device))
					walk_problem(w, F_INODE_UNREADABLE, NO_INDEX, bad_len, bad);
				inode_gap(w, NULL, chunk->unsure);
			}
			continue;
		}
		if (dinode_decode(&w->check, bytes, w->place.ino, allocated, &inode))
			walk_inode(w, &inode);
		else if (allocated)
			inode_gap(w, bytes, chunk->unsure);
	}
	w->totals.inodes += used;
	w->totals.free_inodes += count - used;
	__atomic_fetch_add(&w->t->inodes_done, used, __ATOMIC_RELAXED);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds areas of the data device that something else was written over, as far as metadata shows it: several blocks of
 * metadata close together are destroyed, and none between them is in its place.  File data has no checksums, so nothing
 * shows whether what lies between these blocks, or next to them, is still that of the files.  If the blocks were
 * overwritten with zeroes, so was what lies between them, and anything else there was not.  An area reaches farther if
 * what follows looks like what the blocks were overwritten with, or has metadata of elsewhere.
 *
 * Where the headers of an AG were overwritten, or its inobt, its inodes and their blocks are not found at first.  Later
 * checks, and names that led to lost inodes, show which of them are destroyed.
 */
#include <stdlib.h>

#include "array.h"
#include "cache.h"
#include "check/walk/walker.h"
#include "libxfs/object.h"
#include "loss.h"
#include "repair.h"
#include "report/findings.h"
#include "run.h"
#include "sb/belongs.h"
#include "sets/ordered.h"
#include "zeroes.h"

#define BLOCKS_LEAST 3u		   /* destroyed blocks of an area: fewer may have been written to the wrong place */
#define REACH	     (1u << 20)	   /* bytes between two of them, and that the area may reach beyond the outer ones */
#define REACH_LIKE   (16u << 20)   /* likewise, over blocks that show themselves that they were overwritten */
#define LOOK_MOST    (1ull << 30)  /* bytes to read */
#define WINDOW	     (64ull << 10) /* bytes to read at once: the blocks around a destroyed one are looked at, too */
#define BYTE_VALUES  256u

struct search {
	const struct repair *rc;
	struct loss_areas *areas;
	const uint8_t *block; /* that was read last, in ... */
	uint8_t *window;      /* ... WINDOW bytes as they were before the repair, ... */
	uint64_t window_at;   /* ... from this byte on; UINT64_MAX: none was read */
	bool readable;	      /* as a whole */
	uint64_t left;	      /* bytes of blocks that may be read */
	int error;
};

/* True if a finding says that a block, or an inode, is not what was there. */
static bool is_destroyed(enum finding finding)
{
	switch (finding) {
	case F_BLOCK_MAGIC:
	case F_BLOCK_UUID:
	case F_BLOCK_BLKNO:
	case F_INODE_INO:
	case F_AGF_SEQNO:
	case F_AGI_SEQNO:
	case F_AGFL_SEQNO:
		return true;
	default:
		return false;
	}
}

static int add_block(struct loss_areas *areas, const struct geometry *geo, uint64_t at)
{
	const uint64_t block = at - at % geo->block_size;

	return array_add(areas->destroyed, areas->room_destroyed, areas->ndestroyed, block);
}

static int add_destroyed(struct loss_areas *areas, const struct geometry *geo, const struct found *found)
{
	uint64_t at;
	int ret;

	if (!is_destroyed(found->problem.finding) || !belongs_found(geo, found, &at))
		return 0;
	ret = add_block(areas, geo, at);
	/* mkfs puts roots of btrees behind the headers of a group, and they are not found without these */
	for (unsigned i = 1; i < BLOCKS_LEAST && at % bytes_of_ag(geo) < geo->block_size && !ret; i++)
		ret = add_block(areas, geo, at + (uint64_t)i * geo->block_size);
	return ret;
}

/* True if the inobt of the inode's AG was not whole, so that the first check could not find the inode, nor its blocks.
 */
static bool is_open(const struct repair *rc, xino_t ino)
{
	return ino_valid(&rc->geo, ino) && rc->traverse &&
	       !ag_tree_whole(&rc->traverse->ags[agno_of_ino(&rc->geo, ino).v], BT_INO);
}

static void settle_destroyed(struct loss_areas *areas)
{
	areas->ndestroyed = ordered_unique(areas->destroyed, areas->ndestroyed, MEMBERS(ELEMENT(areas->destroyed)));
}

int loss_areas_note(struct loss_areas *areas, const struct repair *rc, const struct found *found, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		if (is_open(rc, found[i].place.ino))
			ret = add_destroyed(areas, &rc->geo, &found[i]);
	settle_destroyed(areas); /* the next check finds most of them again */
	return ret;
}

/* Adds the blocks of inodes that names lead to, and that are not there. */
static int add_dropped(struct loss_areas *areas, const struct repair *rc, const struct drops *drops)
{
	int ret = 0;

	for (size_t i = 0; i < drops->count && !ret; i++) {
		const struct drop *drop = &drops->all[i];
		const xino_t ino = drop->kind == LOSS_NAME ? drop->target : drop->ino;

		if ((drop->kind == LOSS_NAME || drop->kind == LOSS_INODE) && drop->reason != DROP_OUTDATED &&
		    is_open(rc, ino))
			ret = add_block(areas, &rc->geo, bytes_of_ino(&rc->geo, ino));
	}
	return ret;
}

static bool add_first(void *ctx, const struct found *found)
{
	struct search *s = ctx;

	s->error = add_destroyed(s->areas, &s->rc->geo, found);
	return s->error != 0;
}

/* Reads the block at this byte as it was before the repair, but in its place.  False: it is unreadable, or too much. */
static bool read_block(struct search *s, uint64_t at)
{
	const uint32_t size = s->rc->geo.block_size;
	const uint64_t end = s->rc->geo.dblocks << s->rc->geo.block_log, start = at / WINDOW * WINDOW;
	struct device *device = s->rc->run->device;

	if (s->left < size || at >= end)
		return false;
	s->left -= size;
	if (s->window_at != start) {
		s->window_at = start;
		s->readable = !device_read_below(device, s->window, start, end - start < WINDOW ? end - start : WINDOW,
						 LAYER_MEND);
	}
	if (!s->readable) { /* perhaps because of another block */
		s->window_at = UINT64_MAX;
		s->block = s->window;
		return !device_read_below(device, s->window, at, size, LAYER_MEND);
	}
	s->block = s->window + (at - start);
	return true;
}

/*
 * True if the block that was read is metadata in its place, or an inode in it is; in version 4, without addresses, if
 * it has a magic number.
 */
static bool is_sound(const struct search *s, uint64_t at)
{
	const struct geometry *geo = &s->rc->geo;
	bool sound = false;

	for (unsigned i = 0; i < OBJECT_KINDS && !geo->crc && !sound; i++)
		sound = object_has_magic(geo, &object_kinds[i], s->block);
	for (uint32_t i = 0; i < geo->block_size && !sound; i += geo->crc ? geo->inode_size : geo->block_size)
		sound = belongs_here(s->rc->run->device, geo, s->block + i, at + i);
	return sound;
}

static bool is_zero(struct search *s, uint64_t at)
{
	return read_block(s, at) && all_zero(s->block, s->rc->geo.block_size);
}

/* True if the block at this byte was not overwritten; else it has been read.  zeroes: with zeroes. */
static bool is_spared(struct search *s, uint64_t at, bool zeroes)
{
	return !read_block(s, at) || is_sound(s, at) || (zeroes && !all_zero(s->block, s->rc->geo.block_size));
}

/* True if bytes of all values are about equally frequent in the block that was read, by chi-squared. */
static bool is_random(const struct search *s)
{
	const uint64_t size = s->rc->geo.block_size, most = BYTE_VALUES + 8 * 23 /* deviations */;
	uint32_t counts[BYTE_VALUES] = { 0 };
	uint64_t squares = 0;

	for (uint64_t i = 0; i < size; i++)
		counts[s->block[i]]++;
	for (unsigned i = 0; i < BYTE_VALUES; i++)
		squares += (uint64_t)counts[i] * counts[i];
	return squares * BYTE_VALUES <= size * (size + most);
}

/* True if the block that was read, which is not in its place, begins like metadata: of elsewhere. */
static bool is_misplaced(const struct search *s)
{
	const struct geometry *geo = &s->rc->geo;
	bool magic = false;

	for (unsigned i = 0; i < OBJECT_KINDS && geo->crc && !magic; i++)
		magic = object_kinds[i].magic_width == sizeof(be32_t) &&
			object_has_magic(geo, &object_kinds[i], s->block);
	return magic;
}

/* A way over blocks that may have been overwritten, away from a destroyed one. */
struct way {
	uint64_t bytes; /* gone so far */
	uint64_t end;	/* where it ends, as far as known */
	bool zeroes;	/* the destroyed block reads as zeroes, and so must the others */
	bool alike;	/* all blocks so far do so, or look random, as the destroyed one does */
};

/* Begins at the destroyed block that was read. */
static struct way way_begin(const struct search *s, bool zeroes)
{
	return (struct way){ .end = REACH, .zeroes = zeroes, .alike = zeroes || is_random(s) };
}

/* Goes over the block that was read. */
static void go_on(const struct search *s, struct way *w)
{
	const uint32_t size = s->rc->geo.block_size;
	uint64_t end = 0;

	w->bytes += size;
	w->alike = w->alike && (w->zeroes || is_random(s));
	if (w->alike)
		end = w->bytes + size;
	else if (is_misplaced(s))
		end = w->bytes + REACH;
	end = end < REACH_LIKE ? end : REACH_LIKE;
	w->end = w->end > end ? w->end : end;
}

/* Returns where the blocks begin that may have been overwritten, below the first destroyed one. */
static uint64_t start_below(struct search *s, uint64_t first, struct way way)
{
	const uint32_t size = s->rc->geo.block_size;

	while (way.bytes < way.end && way.bytes < first && !is_spared(s, first - way.bytes - size, way.zeroes))
		go_on(s, &way);
	return first - way.bytes;
}

/* Adds an area; areas are added in ascending order of their destroyed blocks, but may reach into earlier ones. */
static void add_area(struct search *s, uint64_t start, uint64_t end)
{
	struct loss_areas *areas = s->areas;

	while (areas->count && areas->all[areas->count - 1].end >= start) {
		const struct loss_area *last = &areas->all[--areas->count];

		start = last->start < start ? last->start : start;
	}
	s->error = array_add(areas->all, areas->room, areas->count, (struct loss_area){ start, end });
}

/*
 * Adds the area that begins with destroyed block number i, if it has enough of them.  Returns the number of blocks that
 * were looked at.
 */
static size_t look_at_area(struct search *s, size_t i)
{
	const uint64_t size = s->rc->geo.block_size, device_end = s->rc->geo.dblocks << s->rc->geo.block_log;
	const bool zeroes = is_zero(s, s->areas->destroyed[i]);
	const struct way below = way_begin(s, zeroes);
	uint64_t at = s->areas->destroyed[i];
	struct way way = below;
	size_t n = 0;

	/* a block that log replay or the exchange of areas has restored is in its place */
	for (; at < device_end && way.bytes < way.end && !is_spared(s, at, zeroes); at += size) {
		if (i + n < s->areas->ndestroyed && s->areas->destroyed[i + n] == at) {
			way = way_begin(s, zeroes);
			n++;
		} else if (n >= BLOCKS_LEAST) {
			go_on(s, &way);
		} else if (i + n < s->areas->ndestroyed && s->areas->destroyed[i + n] - at <= REACH - way.bytes) {
			way.bytes += size;
		} else {
			break;
		}
	}
	if (n < BLOCKS_LEAST)
		return n ? n : 1;
	add_area(s, start_below(s, s->areas->destroyed[i], below), at);
	return n;
}

int loss_areas_find(const struct repair *rc, const struct drops *drops, struct loss_areas *areas)
{
	struct search s = {
		.rc = rc, .areas = areas, .left = LOOK_MOST, .window = calloc(1, WINDOW), .window_at = UINT64_MAX
	};

	s.block = s.window;
	s.error = s.block ? add_dropped(areas, rc, drops) : -ENOMEM;
	if (!s.error)
		findings_any(rc->findings, add_first, &s);
	settle_destroyed(areas);
	for (size_t i = 0; i + BLOCKS_LEAST <= areas->ndestroyed && !s.error;)
		i += look_at_area(&s, i);
	free(s.window);
	return s.error;
}

void loss_areas_free(struct loss_areas *areas)
{
	free(areas->destroyed);
	free(areas->all);
	*areas = (struct loss_areas){ 0 };
}

bool loss_areas_next(const struct loss_areas *areas, uint64_t from, uint64_t to, struct loss_area *ret)
{
	const size_t i = ordered_behind(areas->all, areas->count, MEMBER(areas->all, end), from);

	if (from >= to || i == areas->count || areas->all[i].start >= to)
		return false;
	ret->start = areas->all[i].start > from ? areas->all[i].start : from;
	ret->end = areas->all[i].end < to ? areas->all[i].end : to;
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds areas of the data device that something else was written over, as far as metadata shows it: several blocks of
 * metadata close together are destroyed, and none between them is in its place.  File data has no checksums, so nothing
 * shows whether what lies between these blocks, or next to them, is still that of the files.  If the blocks were
 * overwritten with zeroes, so was what lies between them, and anything else there was not.
 */
#include <stdlib.h>

#include "array.h"
#include "cache.h"
#include "libxfs/object.h"
#include "loss.h"
#include "repair.h"
#include "report/findings.h"
#include "run.h"
#include "sb/belongs.h"
#include "sets/ordered.h"
#include "zeroes.h"

#define BLOCKS_LEAST 3u		  /* destroyed blocks of an area: fewer may have been written to the wrong place */
#define REACH	     (1u << 20)	  /* bytes between two of them, and that the area may reach beyond the outer ones */
#define LOOK_MOST    (1ull << 30) /* bytes to read */

struct search {
	const struct repair *rc;
	struct loss_areas *areas;
	uint64_t *destroyed; /* ascending: bytes where these blocks begin */
	size_t count, room;
	uint8_t *block;
	uint64_t left; /* bytes that may be read */
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

static bool add_destroyed(void *ctx, const struct found *found)
{
	struct search *s = ctx;
	const uint32_t size = s->rc->geo.block_size;
	uint64_t at;

	if (!is_destroyed(found->problem.finding) || !belongs_found(&s->rc->geo, found, &at))
		return false;
	at -= at % size;
	s->error = array_add(s->destroyed, s->room, s->count, at);
	/* mkfs puts roots of btrees behind the headers of a group, and they are not found without these */
	for (unsigned i = 1; i < BLOCKS_LEAST && at % bytes_of_ag(&s->rc->geo) == 0 && !s->error; i++)
		s->error = array_add(s->destroyed, s->room, s->count, at + (uint64_t)i * size);
	return s->error != 0;
}

/* Reads the block at this byte as it was before the repair, but in its place.  False: it is unreadable, or too much. */
static bool read_block(struct search *s, uint64_t at)
{
	const uint32_t size = s->rc->geo.block_size;

	if (s->left < size)
		return false;
	s->left -= size;
	return !device_read_below(s->rc->run->device, s->block, at, size, LAYER_MEND);
}

/* True if the block that was read is metadata in its place; in version 4, without addresses, if it has a magic number.
 */
static bool is_sound(const struct search *s, uint64_t at)
{
	const struct geometry *geo = &s->rc->geo;
	bool magic = false;

	for (unsigned i = 0; i < OBJECT_KINDS && !geo->crc && !magic; i++)
		magic = object_has_magic(geo, &object_kinds[i], s->block);
	return magic || belongs_here(s->rc->run->device, geo, s->block, at);
}

static bool is_zero(struct search *s, uint64_t at)
{
	return read_block(s, at) && all_zero(s->block, s->rc->geo.block_size);
}

/* True if the block at this byte was not overwritten.  zeroes: with zeroes. */
static bool is_spared(struct search *s, uint64_t at, bool zeroes)
{
	return !read_block(s, at) || is_sound(s, at) || (zeroes && !all_zero(s->block, s->rc->geo.block_size));
}

/* Returns the end of the blocks that may have been overwritten, from this byte on, at most `end`. */
static uint64_t end_above(struct search *s, uint64_t at, uint64_t end, bool zeroes)
{
	while (at < end && !is_spared(s, at, zeroes))
		at += s->rc->geo.block_size;
	return at;
}

/* Returns the beginning of the blocks that may have been overwritten, before this byte, at least `start`. */
static uint64_t start_below(struct search *s, uint64_t at, uint64_t start, bool zeroes)
{
	const uint32_t size = s->rc->geo.block_size;

	while (at > start && !is_spared(s, at - size, zeroes))
		at -= size;
	return at;
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
	const uint64_t size = s->rc->geo.block_size, first = s->destroyed[i];
	const uint64_t device_end = s->rc->geo.dblocks << s->rc->geo.block_log;
	const bool zeroes = is_zero(s, first);
	uint64_t start, end = first;
	size_t n = 0;

	/* a block that log replay or the exchange of areas has restored is in its place */
	while (i + n < s->count && s->destroyed[i + n] - end <= REACH &&
	       end_above(s, end, s->destroyed[i + n] + size, zeroes) == s->destroyed[i + n] + size)
		end = s->destroyed[i + n++] + size;
	if (n < BLOCKS_LEAST)
		return n ? n : 1;
	start = start_below(s, first, first < REACH ? 0 : first - REACH, zeroes);
	end = end_above(s, end, device_end - end < REACH ? device_end : end + REACH, zeroes);
	add_area(s, start, end);
	return n;
}

int loss_areas_find(const struct repair *rc, struct loss_areas *ret)
{
	struct search s = { .rc = rc, .areas = ret, .left = LOOK_MOST, .block = malloc(rc->geo.block_size) };

	*ret = (struct loss_areas){ 0 };
	s.error = s.block ? 0 : -ENOMEM;
	if (!s.error)
		findings_any(rc->findings, add_destroyed, &s);
	if (!s.error)
		s.count = ordered_unique(s.destroyed, s.count, MEMBERS(ELEMENT(s.destroyed)));
	for (size_t i = 0; i + BLOCKS_LEAST <= s.count && !s.error;)
		i += look_at_area(&s, i);
	free(s.destroyed);
	free(s.block);
	return s.error;
}

void loss_areas_free(struct loss_areas *areas)
{
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

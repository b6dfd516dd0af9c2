/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds room for the redo record of a commit.  It must be free with all staged changes, or the record would destroy
 * something; and free on the device as it is, or a run after a crash would miss data there.  Both are decided by the
 * bnobt of either state.  The one on the device may be damaged: corrupt records do not count as free.  If it can't be
 * found at all, blocks count as free if they don't look like metadata.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "commit.h"
#include "libxfs/ag.h"
#include "libxfs/btree.h"
#include "repair.h"
#include "run.h"
#include "sets/ordered.h"

/* Bytes [start, end) of the device. */
struct byte_range {
	uint64_t start, end;
};

/* The sufficiently large free extents in the bnobt of an AG, with the first `layers` layers of the overlay. */
struct survey {
	struct device *device;
	const struct geometry *geo;
	agno_t agno;
	unsigned layers;
	uint64_t need;
	struct byte_range *ranges;
	size_t count, room;
	struct btree_expect *todo;
	size_t ntodo, todo_room;
	bool rooted; /* some block of the bnobt could be decoded */
	int error;
};

static int add_run(struct survey *s, uint64_t start, uint64_t end)
{
	return array_add(s->ranges, s->room, s->count, (struct byte_range){ start, end });
}

static void free_record_found(void *ctx, const union btree_record *record, uint32_t index)
{
	struct survey *s = ctx;
	uint64_t start = bytes_of_daddr(daddr_of(s->geo, s->agno, record->alloc.start));
	uint64_t len = (uint64_t)record->alloc.len << s->geo->block_log;

	(void)index;
	if (!s->error && len >= s->need)
		s->error = add_run(s, start, start + len);
}

static void bnobt_child_found(void *ctx, const struct btree_expect *child)
{
	struct survey *s = ctx;

	if (s->error || !child->keys_ok || s->ntodo >= ag_length(s->geo, s->agno))
		return;
	s->error = array_add(s->todo, s->todo_room, s->ntodo, *child);
}

/* Reads the bnobt, and fills s->runs, which the caller frees.  Returns 0 or -ENOMEM. */
static int survey(struct survey *s)
{
	const struct check check = check_silent(s->geo);
	const struct btree_visitor visitor = { s, free_record_found, bnobt_child_found, NULL };
	uint64_t agf_at = ag_sector_offset(s->geo, s->agno, AGF_SECTOR);
	uint8_t *block = malloc(s->geo->block_size > s->geo->sector_size ? s->geo->block_size : s->geo->sector_size);
	struct btree_block found;
	struct agf agf;

	if (!block)
		return -ENOMEM;
	if (!device_read_below(s->device, block, agf_at, s->geo->sector_size, s->layers) &&
	    agf_decode(&check, block, s->agno, &agf) && agf.root_ok[BT_BNO]) {
		const struct btree_expect root = { .kind = BT_BNO,
						   .agno = s->agno,
						   .agbno = agf.root[BT_BNO],
						   .owner = s->agno.v,
						   .level = (uint8_t)(agf.level[BT_BNO] - 1),
						   .keys_ok = true,
						   .root = true };

		bnobt_child_found(s, &root);
	}
	for (size_t i = 0; i < s->ntodo && !s->error; i++) {
		const struct btree_expect expect = s->todo[i];
		uint64_t at = bytes_of_daddr(daddr_of(s->geo, expect.agno, expect.agbno));

		if (!device_read_below(s->device, block, at, s->geo->block_size, s->layers))
			s->rooted |= btree_decode(&check, block, &expect, &visitor, &found);
	}
	ordered_sort(s->ranges, s->count, MEMBERS(MEMBER(s->ranges, start)));
	free(s->todo);
	free(block);
	return s->error;
}

/* Cuts a run down to the larger part before or behind a staged range.  1: nothing is left. */
static int leave_out(void *ctx, uint64_t offset, const void *bytes, size_t len)
{
	struct byte_range *range = ctx;

	(void)bytes;
	if (offset >= range->end || offset + len <= range->start)
		return 0;
	if (offset > range->start && offset - range->start > range->end - (offset + len))
		range->end = offset;
	else
		range->start = offset + len;
	return range->start >= range->end;
}

/* True if a block may be metadata, even old: in version 5 by the uuid in its first sector, else by magic numbers. */
static bool looks_used(const struct geometry *geo, const uint8_t *block)
{
	static const char *const magics[] = { "IN", "ABT", "IAB", "FIB", "BMAP", "XD2", "XFS", "XAG" };

	if (geo->crc)
		return memmem(block, SECTOR_SIZE, geo->meta_uuid, sizeof(geo->meta_uuid));
	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (!memcmp(block, magics[i], strlen(magics[i])))
			return true;
	/* da nodes and leaves have their magic behind the sibling pointers */
	return (block[8] == 0xfe && block[9] == 0xbe) || (block[8] == 0xfb && block[9] == 0xee) ||
	       (block[8] == 0xd2 && (block[9] == 0xf1 || block[9] == 0xff));
}

#define USED_MAX 65536u /* blocks to read, beyond those that are needed, before giving up */

/*
 * Moves the start of a run behind blocks that look used, until `need` unused bytes follow, or the run ends.  False: a
 * block is unreadable, or too many look used.
 */
static bool leave_out_used(struct commit *c, struct byte_range *range, uint64_t need)
{
	const struct geometry *geo = &c->rc->geo;
	uint64_t looked_at = 0, most = need + USED_MAX * (uint64_t)geo->block_size;
	uint8_t *block = malloc(geo->block_size);
	bool known = block != NULL;

	for (uint64_t at = range->start; known && at < range->end && at - range->start < need; at += geo->block_size) {
		looked_at += geo->block_size;
		known = looked_at <= most && !device_read_below(c->rc->run->device, block, at, geo->block_size, 0);
		if (known && looks_used(geo, block))
			range->start = at + geo->block_size;
	}
	free(block);
	return known;
}

/* Trims unusable blocks from a run.  rooted: the bnobt on the device has it as free.  False: too little is left. */
static bool is_room(struct commit *c, struct byte_range *range, uint64_t need, bool rooted)
{
	const struct redo_place *resumed = &c->rc->run->resumed;
	uint32_t align = device_align(c->rc->run->device);
	uint64_t bad, len;

	if (resumed->bytes)
		leave_out(range, resumed->offset, NULL, resumed->bytes);
	for (unsigned layer = 0; layer < LAYERS && range->start < range->end; layer++)
		if (device_staged_each(c->rc->run->device, layer, leave_out, range) < 0)
			return false;
	if (!rooted && range->start < range->end && !leave_out_used(c, range, need))
		return false;
	range->start = (range->start + align - 1) / align * align;
	return range->start < range->end && need <= range->end - range->start &&
	       !device_unreadable(c->rc->run->device, range->start, need, &bad, &len);
}

#define TRIES 4u /* runs to try in an AG */

/* Finds a run of `need` bytes that is free both before and after the commit. */
static bool room_in_both(struct commit *c, const struct survey *before, const struct survey *after, uint64_t need,
			 uint64_t *ret_offset)
{
	unsigned tries = 0;

	for (size_t i = 0, k = 0; i < before->count && k < after->count && tries < TRIES;) {
		const struct byte_range *a = &before->ranges[i], *b = &after->ranges[k];
		struct byte_range both = { a->start > b->start ? a->start : b->start,
					   a->end < b->end ? a->end : b->end };

		if (both.start < both.end && both.end - both.start >= need) {
			tries++;
			if (is_room(c, &both, need, before->rooted)) {
				*ret_offset = both.start;
				return true;
			}
		}
		if (a->end < b->end)
			i++;
		else
			k++;
	}
	return false;
}

int redo_room(struct commit *c, uint64_t need, uint64_t *ret_offset)
{
	const struct repair *rc = c->rc;
	bool found = false;
	int ret = 0;

	need += device_align(rc->run->device);
	for (uint32_t ag = rc->geo.agcount; ag-- > 0 && !found && !ret;) {
		struct survey before = { .device = rc->run->device, .geo = &rc->geo, .agno = { ag }, .need = need };
		struct survey after = before;

		after.layers = LAYERS;
		ret = survey(&before);
		if (!ret && !before.rooted)
			ret = add_run(&before, 0, UINT64_MAX);
		if (!ret && before.count)
			ret = survey(&after);
		found = !ret && room_in_both(c, &before, &after, need, ret_offset);
		free(before.ranges);
		free(after.ranges);
	}
	return ret ? ret : found ? 0 : -ENOSPC;
}

int redo_room_free(struct device *device, const struct geometry *geo, uint64_t limit, uint64_t need,
		   bool in_first_group, uint64_t *ret_offset)
{
	const uint32_t first = in_first_group ? 0 : 1, end = in_first_group ? 1 : geo->agcount;
	bool found = false;
	int ret = 0;

	for (uint32_t ag = end; ag-- > first && !found && !ret;) {
		struct survey s = { .device = device, .geo = geo, .agno = { ag }, .layers = LAYERS, .need = need };

		if (ag_offset(geo, s.agno) >= limit)
			continue;
		ret = survey(&s);
		for (size_t i = 0; i < s.count && !ret && !found; i++) {
			*ret_offset = s.ranges[i].start;
			found = limit >= need && s.ranges[i].start <= limit - need;
		}
		free(s.ranges);
	}
	return ret ? ret : found ? 0 : -ENOSPC;
}

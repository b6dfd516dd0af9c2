/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Moves exchanged areas of the device back, as when a RAID was assembled in the wrong order.  In version 5, blocks name
 * their places (ondisk 00, section 6).  If one names a place, and blocks there name this place, both areas are followed
 * as far as their blocks agree, and everything in them is exchanged again, including data, which no other mender could
 * restore.  This comes first, because headers and btrees in another AG's place would be rebuilt over what belongs
 * there.  It is certain, since both areas have several blocks as evidence, unless their ends are unclear.  Two single
 * blocks are left to mend_block_place.c.
 *
 * If data or free space was exchanged with metadata, only one area names the other, and no finding is about its place.
 * It is searched for (belongs.h) if several blocks close together, or an AG header, are missing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "cache.h"
#include "disk/agf.h"
#include "libxfs/crc.h"
#include "libxfs/log_stamp.h"
#include "libxfs/object.h"
#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend/collect/mend_inode.h"
#include "mend_logged.h"
#include "repair.h"
#include "report.h"
#include "report/words.h"
#include "run.h"
#include "sb/belongs.h"
#include "sets/ordered.h"
#include "zeroes.h"

#define FEW_VOTES 4u		/* fewer blocks don't show how large an area is */
#define CHANCE	  8u		/* alignment to 1 in CHANCE offsets, at both ends, is no coincidence */
#define AREA_MAX  (1ull << 30)	/* bytes: the exchange is staged */
#define LOOK_MAX  (1ull << 30)	/* bytes to search for areas without findings */
#define WINDOW	  (64ull << 10) /* bytes */

/* An area, and the offset of its contents in bytes: the other area starts at start + shift. */
struct area {
	uint64_t start, end; /* bytes of the device */
	int64_t shift;
	uint64_t here;	   /* number of blocks that confirm the shift */
	uint64_t there;	   /* number of blocks in the other area that are misplaced */
	int64_t and_shift; /* the shift in their headers: back to here, unless more than two areas were exchanged */
	bool pair;	   /* and_shift points back to here */
	uint64_t from, to; /* bytes: blocks before and after the area contradict it; those in between are neutral */
	bool put_back;
};

/* The block in the place of a finding. */
struct sight {
	uint64_t at; /* byte of the device; UINT64_MAX: the finding has no such place */
	int64_t shift;
	bool says; /* it has an address, `shift` bytes further on */
};

/* A block without an address, in the place of a finding. */
struct missed {
	uint64_t at; /* byte of the device */
	const struct found *found;
};

/* A range of the device, read as a whole because all its blocks are examined. */
struct window {
	uint64_t start;
	bool readable;
	uint8_t *bytes; /* PIECE bytes; NULL: nothing read */
};

/* What to search for, in this order. */
enum look {
	LOOK_PAIRS,  /* two areas that name each other */
	LOOK_RINGS,  /* more than two, or a pair that starts where a ring was restored */
	LOOK_MISSED, /* two areas, only one with headers; last, because parts of rings look the same */
};

struct exchange {
	struct mend *m;
	enum look look;
	struct sight *sights; /* per finding, as before anything was exchanged */
	struct area *areas;   /* all that were examined */
	size_t count, room;
	struct missed *missed;
	size_t missed_count, missed_room;
	struct window here, there; /* of the two current areas */
	int error;		   /* of a search; 0 or negative errno */
	uint64_t endless;	   /* number of areas with unclear ends */
};

bool mend_exchanged_wants(const struct found *found)
{
	switch (found->problem.finding) {
	case F_BLOCK_BLKNO:
	case F_BLOCK_MAGIC:
	case F_INODE_INO:
	case F_AGF_SEQNO:
		return true;
	default:
		return false;
	}
}

/* Gets the shift of an AG's header, which contains the AG number. False: not such a header. */
static bool header_says(const struct geometry *geo, uint64_t at, const uint8_t *block, int64_t *ret_shift)
{
	const struct agf_disk *agf = (const void *)(block + geo->sector_size);
	const uint64_t ag_bytes = bytes_of_ag(geo);

	if (2 * geo->sector_size > geo->block_size || be32_get(agf->magicnum) != AGF_MAGIC ||
	    be32_get(agf->seqno) >= geo->agcount || memcmp(agf->uuid, geo->meta_uuid, sizeof(agf->uuid)) ||
	    !crc_is_right(agf, geo->sector_size, offsetof(struct agf_disk, crc)))
		return false;
	*ret_shift = (int64_t)(be32_get(agf->seqno) * ag_bytes) - (int64_t)at;
	return true;
}

/* Returns the block at this offset; NULL: unreadable. */
static const uint8_t *block_at(struct exchange *x, struct window *w, uint64_t at)
{
	const uint64_t end = x->m->now->geo.dblocks << x->m->now->geo.block_log, start = at / WINDOW * WINDOW;

	if (!w->bytes || w->start != start) {
		if (!w->bytes)
			w->bytes = malloc(WINDOW);
		if (!w->bytes)
			return NULL;
		w->start = start;
		w->readable = !mend_read_once(x->m, w->bytes, start, end - start < WINDOW ? end - start : WINDOW);
	}
	return w->readable ? w->bytes + (at - start) : NULL;
}

/* Sets *ret_shift to the distance in bytes from this block to the address in its header. False: it has no address. */
static bool says_shift(struct exchange *x, struct window *w, uint64_t at, int64_t *ret_shift)
{
	const struct geometry *geo = &x->m->now->geo;
	const uint8_t *block = block_at(x, w, at);
	uint64_t home;
	xdaddr_t daddr;
	xino_t first;

	if (!block)
		return false;
	if (header_says(geo, at, block, ret_shift))
		return true;
	if (mend_inodes_home(geo, block, &first))
		home = bytes_of_ino(geo, first);
	else if (log_stamp_daddr(geo, block, &daddr))
		home = bytes_of_daddr(daddr);
	else
		return false;
	*ret_shift = (int64_t)home - (int64_t)at;
	return true;
}

/*
 * Examines the block at this offset, and the one where it belongs.  1: one of them confirms the area; 0: both are
 * neutral; -1: one of them contradicts it, or can't be in such an area.
 */
static int vote(struct exchange *x, struct area *a, uint64_t at)
{
	const struct geometry *geo = &x->m->now->geo;
	const uint64_t there = at + (uint64_t)a->shift, end = geo->dblocks << geo->block_log;
	int64_t shift;
	int ret = 0;

	/* the log may already be staged */
	if (at >= end || there >= end || bytes_on_log(geo, at, geo->block_size) ||
	    bytes_on_log(geo, there, geo->block_size))
		return -1;
	if (says_shift(x, &x->here, at, &shift)) {
		if (shift != a->shift)
			return -1;
		a->here++;
		ret = 1;
	}
	if (says_shift(x, &x->there, there, &shift)) {
		/* the block is in its place, or belongs to another area than its neighbours */
		if (!shift || ((a->pair || a->there) && shift != a->and_shift))
			return -1;
		a->and_shift = shift;
		a->there++;
		ret = 1;
	}
	return ret;
}

/*
 * Follows both areas from `seed`, up or down the device.  Returns the end of the area: after the last block that
 * confirms it, or at the lowest one.  *ret_limit: likewise, of the last block that does not contradict it.
 */
static uint64_t follow(struct exchange *x, struct area *a, uint64_t seed, bool up, uint64_t *ret_limit)
{
	const uint64_t step = x->m->now->geo.block_size;
	/* the two areas don't overlap */
	const uint64_t most = (uint64_t)(a->shift < 0 ? -a->shift : a->shift) - (up ? seed - a->start : 0);
	uint64_t last = seed, at = seed;

	for (uint64_t n = step; n < most && n < AREA_MAX && (up || n <= seed) && !mend_exhausted(x->m); n += step) {
		const uint64_t next = up ? seed + n : seed - n;
		const int said = vote(x, a, next);

		if (said < 0)
			break;
		at = next;
		if (said > 0)
			last = at;
	}
	*ret_limit = up ? at + step : at;
	return up ? last + step : last;
}

/* Returns the last multiple of this power of two up to an offset; UINT64_MAX: none from `least` on. */
static uint64_t multiple_in(uint64_t least, uint64_t most, uint64_t unit)
{
	const uint64_t at = most & ~(unit - 1);

	return at < least ? UINT64_MAX : at;
}

/*
 * True if neutral blocks up to an offset belong to the area: it is a multiple of this power of two.  If that may be
 * chance, none of the others that are as round may lie between them.
 */
static bool ends_at(uint64_t at, uint64_t neutral, uint64_t unit, uint64_t block_size)
{
	return at % unit == 0 && (unit >= CHANCE * CHANCE * block_size || !at || neutral < (at & -at));
}

/* Extends the area up to contradicting blocks, if that offset is round enough for its size. */
static void end_at_limits(struct area *a, uint64_t block_size)
{
	uint64_t unit = CHANCE * block_size;

	if (unit > (a->to - a->from) / 4)
		return;
	while (unit <= (a->to - a->from) / 8)
		unit <<= 1;
	if (ends_at(a->from, a->start - a->from, unit, block_size))
		a->start = a->from;
	if (ends_at(a->to, a->to - a->end, unit, block_size))
		a->end = a->to;
}

/*
 * Extends the area over neutral blocks at its ends only if the result is aligned so well that it can hardly be chance,
 * since exchanging wrong blocks would destroy them: up to contradicting blocks, or, at both ends, to offsets in
 * between.  Returns how certain the ends are.
 */
static enum sure round_area(struct area *a, uint64_t block_size)
{
	uint64_t starts, ends; /* numbers of possible offsets */

	end_at_limits(a, block_size);
	starts = (a->start - a->from) / block_size + 1;
	ends = (a->to - a->end) / block_size + 1;
	for (uint64_t unit = AREA_MAX; unit >= CHANCE * block_size && unit > (a->end - a->start) / 8; unit >>= 1) {
		const uint64_t start = multiple_in(a->from, a->start, unit), end = multiple_in(a->end, a->to, unit);
		const uint64_t blocks = unit / block_size;

		if (start == UINT64_MAX || end == UINT64_MAX || a->shift % (int64_t)unit != 0)
			continue;
		if (starts > blocks || ends > blocks || starts * ends > blocks / CHANCE * (blocks / CHANCE))
			break;
		a->start = start;
		a->end = end;
		return SURE_CERTAIN;
	}
	return a->start == a->from && a->end == a->to ? SURE_CERTAIN : SURE_LIKELY;
}

/* True if the offset is in an area that was examined, or in its counterpart. */
static bool was_looked_at(const struct exchange *x, uint64_t at)
{
	for (size_t i = 0; i < x->count; i++) {
		const struct area *a = &x->areas[i];
		const uint64_t other = a->start + (uint64_t)a->shift;

		if ((at >= a->start && at < a->end) || (at >= other && at - other < a->end - a->start))
			return true;
	}
	return false;
}

/* True if the other area is all zero, so that this one may be just a copy of what was there. */
static bool other_is_blank(struct exchange *x, const struct area *a)
{
	const uint32_t block_size = x->m->now->geo.block_size;

	for (uint64_t at = a->start; at < a->end; at += block_size) {
		const uint8_t *block = block_at(x, &x->there, at + (uint64_t)a->shift);

		if (block && !all_zero(block, block_size))
			return false;
	}
	return true;
}

/* Exchanges the contents of both areas. What is unreadable stays as it is. 0 or negative errno. */
static int exchange(struct exchange *x, const struct area *a)
{
	struct device *device = x->m->rc->run->device;
	uint8_t *one = malloc(WINDOW), *other = malloc(WINDOW);
	const bool copied = !a->there && other_is_blank(x, a);
	int ret = one && other ? 0 : -ENOMEM;

	for (uint64_t at = a->start, len; at < a->end && !ret; at += len) {
		const uint64_t there = at + (uint64_t)a->shift;

		len = a->end - at < WINDOW ? a->end - at : WINDOW;
		if (mend_read_once(x->m, one, at, len) || mend_read_once(x->m, other, there, len))
			continue;
		ret = device_stage(device, LAYER_PLACE, one, there, len);
		if (!ret && !copied)
			ret = device_stage(device, LAYER_PLACE, other, at, len);
	}
	free(one);
	free(other);
	return ret;
}

/* Gets the byte offset of the block with a finding's object. False: the finding has no such place. */
static bool block_of(const struct geometry *geo, const struct found *found, uint64_t *ret_at)
{
	const struct object_kind *kind = object_kind(found->place.object);

	if (!kind || !object_offset(geo, kind, &found->place, ret_at))
		return false;
	*ret_at -= *ret_at % geo->block_size;
	return true;
}

static void windows_free(struct exchange *x)
{
	free(x->here.bytes);
	free(x->there.bytes);
	x->here.bytes = x->there.bytes = NULL;
}

/* Finds how far the area around `seed` reaches. False: nothing confirms it. */
static bool outline(struct exchange *x, uint64_t seed, int64_t shift, struct area *ret_area)
{
	struct area a = { .shift = shift, .and_shift = -shift, .pair = x->look != LOOK_RINGS };

	if (vote(x, &a, seed) < 0)
		return false;
	a.start = follow(x, &a, seed, false, &a.from);
	a.end = follow(x, &a, seed, true, &a.to);
	*ret_area = a;
	return true;
}

/*
 * Finds the area around `seed`, a block that belongs `shift` bytes further on, and restores its contents if there is
 * enough evidence.  found: the finding to report it with.  0 or negative errno.
 */
static int exchange_around(struct exchange *x, uint64_t seed, int64_t shift, const struct found *found)
{
	struct area a = { 0 };
	enum sure sure;
	int ret;

	if (!outline(x, seed, shift, &a))
		return 0;
	/* if neighbours were exchanged, the first one continues what precedes it: no ring */
	a.put_back =
		a.here && (a.there ? a.and_shift != shift : x->look == LOOK_MISSED) && a.here + a.there >= FEW_VOTES;
	sure = a.put_back ? round_area(&a, x->m->now->geo.block_size) : SURE_GUESS;
	if (array_add(x->areas, x->room, x->count, a))
		return -ENOMEM;
	if (!a.put_back)
		return 0;
	ret = exchange(x, &a);
	windows_free(x); /* they hold the old contents */
	x->endless += sure != SURE_CERTAIN;
	if (!ret)
		mend_done_sure(x->m, found, a.there ? sure : SURE_LIKELY);
	return ret;
}

/* Restores the areas of findings. Blocks without an address are kept as missed, once. 0 or negative errno. */
static int exchange_found(struct exchange *x, const struct found *found, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret && !mend_exhausted(x->m); i++) {
		const struct sight *sight = &x->sights[i];

		if (sight->at == UINT64_MAX || was_looked_at(x, sight->at))
			continue;
		if (sight->says)
			ret = sight->shift ? exchange_around(x, sight->at, sight->shift, &found[i]) : 0;
		else if (x->look == LOOK_PAIRS)
			ret = array_add(x->missed, x->missed_room, x->missed_count,
					((struct missed){ sight->at, &found[i] }));
	}
	return ret;
}

/* Looks at the blocks of all findings, in the order of their addresses, so that each part of the device is read once.
 */
static int look_at_all(struct exchange *x, const struct found *found, size_t count)
{
	struct sight **sorted = calloc(count + 1, sizeof(struct sight *));
	int ret;

	x->sights = calloc(count + 1, sizeof(*x->sights));
	ret = sorted && x->sights ? 0 : -ENOMEM;
	for (size_t i = 0; i < count && !ret; i++) {
		sorted[i] = &x->sights[i];
		if (!block_of(&x->m->now->geo, &found[i], &sorted[i]->at))
			sorted[i]->at = UINT64_MAX;
	}
	if (!ret)
		ordered_sort(sorted, count, MEMBERS(THROUGH(sorted, at)));
	for (size_t i = 0; i < count && !ret && sorted[i]->at != UINT64_MAX; i++)
		sorted[i]->says = says_shift(x, &x->here, sorted[i]->at, &sorted[i]->shift);
	free(sorted);
	return ret;
}

/* ---- areas without findings ---- */

/* Returns the first missed block from this byte on; NULL: none. */
static const struct missed *missed_from(const struct exchange *x, uint64_t at)
{
	const size_t i = ordered_from(x->missed, x->missed_count, MEMBER(x->missed, at), at);

	return i < x->missed_count ? &x->missed[i] : NULL;
}

/* Sorts missed blocks, and removes duplicates and those that were restored. */
static void settle_missed(struct exchange *x)
{
	size_t n = 0;

	ordered_sort(x->missed, x->missed_count, MEMBERS(MEMBER(x->missed, at)));
	for (size_t i = 0; i < x->missed_count; i++)
		if ((!n || x->missed[i].at != x->missed[n - 1].at) && !was_looked_at(x, x->missed[i].at))
			x->missed[n++] = x->missed[i];
	x->missed_count = n;
}

/* True if any block between two bytes of the device is in its place: no area reaches over it. */
static bool any_in_place(struct exchange *x, uint64_t from, uint64_t to)
{
	int64_t shift = -1;

	for (uint64_t at = from; at < to && shift; at += x->m->now->geo.block_size)
		if (!says_shift(x, &x->there, at, &shift))
			shift = -1;
	return !shift;
}

/* True if an AG header is missed, and with it the blocks behind, which mostly are roots of btrees in their places. */
static bool header_is_missed(struct exchange *x, uint64_t at)
{
	const struct geometry *geo = &x->m->now->geo;

	return at % bytes_of_ag(geo) == 0 &&
	       !any_in_place(x, at + geo->block_size, at + (uint64_t)FEW_VOTES * geo->block_size);
}

/* True if enough blocks are missed in one place for an area, or an AG header is. */
static bool area_is_missed(struct exchange *x)
{
	for (size_t i = 0; i < x->missed_count; i++) {
		const uint64_t first = x->missed[i + 1 < FEW_VOTES ? 0 : i + 1 - FEW_VOTES].at, last = x->missed[i].at;

		if (header_is_missed(x, last) ||
		    (i + 1 >= FEW_VOTES && last - first < WINDOW && !any_in_place(x, first, last)))
			return true;
	}
	return false;
}

/* A belongs_fn: restores the area around metadata that is missed in its place. */
static void exchange_stray(void *ctx, const uint8_t *sector, uint64_t where, uint64_t at)
{
	struct exchange *x = ctx;
	const uint64_t in_block = where % x->m->now->geo.block_size, home = where - in_block;
	const bool whole_blocks = at % x->m->now->geo.block_size == in_block;
	const struct missed *missed = where == at || !whole_blocks || x->error ? NULL : missed_from(x, home);
	int64_t shift;

	(void)sector;
	if (!missed || missed->at != home || was_looked_at(x, at - in_block) || was_looked_at(x, home) ||
	    !says_shift(x, &x->here, at - in_block, &shift) || shift != (int64_t)(where - at))
		return;
	x->error = exchange_around(x, at - in_block, shift, missed->found);
}

/* Starts a search of another kind, among everything that was not restored. */
static void look_for(struct exchange *x, enum look look)
{
	size_t n = 0;

	for (size_t i = 0; i < x->count; i++)
		if (x->areas[i].put_back)
			x->areas[n++] = x->areas[i];
	x->count = n;
	x->look = look;
}

/* Searches misplaced metadata for what is missed. 0 or negative errno. */
static int exchange_missed(struct exchange *x)
{
	settle_missed(x);
	if (area_is_missed(x))
		belongs_sample(x->m->rc->run->device, &x->m->now->geo, LOOK_MAX, exchange_stray, x);
	return x->error;
}

/* Reports areas with unclear ends: the files with data there are unknown. */
static void tell_endless(struct exchange *x)
{
	struct words note = { 0 };

	if (!x->endless)
		return;
	words_add(&note, "The metadata in ");
	words_add_count(&note, x->endless, "exchanged area", "exchanged areas");
	words_add(&note, " does not show where it ends: files with data beside it may have contents of others.");
	report_note(x->m->rc->report, note.text);
}

int mend_exchanged(struct mend *m, const struct found *found, size_t count)
{
	const struct device *device = m->rc->run->device;
	struct exchange x = { .m = m };
	int ret;

	/* replayed or mended blocks would be on top of exchanged ones */
	if (!m->now->geo.crc || device_staged(device, LAYER_REPLAY) || device_staged(device, LAYER_MEND))
		return 0;
	ret = look_at_all(&x, found, count);
	if (!ret)
		ret = exchange_found(&x, found, count);
	look_for(&x, LOOK_RINGS);
	if (!ret)
		ret = exchange_found(&x, found, count);
	look_for(&x, LOOK_MISSED);
	if (!ret)
		ret = exchange_missed(&x);
	tell_endless(&x);
	free(x.sights);
	free(x.areas);
	free(x.missed);
	windows_free(&x);
	return ret;
}

/* A staged_fn of cache.h: stages the bytes in the repair, combined with LAYER_PLACE. */
static int add_to_repair(void *ctx, uint64_t offset, const void *placed, size_t len)
{
	struct device *device = ctx;
	uint8_t *bytes = malloc(len);
	int ret = bytes ? 0 : -ENOMEM;

	(void)placed;
	if (!ret)
		ret = device_read_below(device, bytes, offset, len, LAYER_MEND + 1);
	if (!ret)
		ret = device_stage(device, LAYER_MEND, bytes, offset, len);
	free(bytes);
	return ret;
}

int mend_exchanged_settle(struct mend *m)
{
	struct device *device = m->rc->run->device;
	int ret = device_staged_each(device, LAYER_PLACE, add_to_repair, device);

	if (!ret)
		device_unstage(device, LAYER_PLACE);
	return ret;
}

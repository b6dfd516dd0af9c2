/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Areas of the device that have changed places, as when a RAID is put together in the wrong order.  Blocks of version 5
 * say where they belong (ondisk 00, section 6).  Where one names a place, and from that place on others name this one,
 * both areas are followed as far as blocks in them agree, and all that lies in them is exchanged again: the data, too,
 * which no other mender could put back.  It comes first, since headers and trees that lie in another group's place
 * would be written anew, over what belongs there.  Both areas are witnesses, with several blocks, so it is certain,
 * unless it is not where they end.  Two blocks alone are for mend_block_place.c.
 *
 * If data or free space has changed places with metadata, only one area says so, and no finding is about its place: it
 * is looked for (belongs.h) if what belongs to it is missed in several blocks close together, or is a group's header.
 */
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
#include "zeroes.h"

#define FEW_VOTES 4u		/* fewer blocks don't tell how large an area is */
#define CHANCE	  8u		/* one offset of so many, at both ends, is no accident */
#define AREA_MAX  (1ull << 30)	/* bytes: what is exchanged is staged */
#define LOOK_MAX  (1ull << 30)	/* bytes that are looked through for areas that no finding is about */
#define PIECE	  (64ull << 10) /* bytes */

/* An area, and by how many bytes what lies in it has moved: the other one begins at start + shift. */
struct area {
	uint64_t start, end; /* bytes of the device */
	int64_t shift;
	uint64_t here;	   /* how many blocks say so */
	uint64_t there;	   /* how many blocks in the other area say that they don't belong there ... */
	int64_t and_shift; /* ... but so many bytes on: here, unless more than two areas have changed places */
	bool pair;	   /* and_shift is back to here */
	uint64_t from, to; /* bytes: blocks before and behind the area contradict it; between, none says anything */
	bool put_back;
};

/* A block that does not say where it belongs, and should be what a finding is about. */
struct missed {
	uint64_t at; /* byte of the device */
	const struct found *found;
};

/* A piece of the device, read as a whole, since all its blocks are asked. */
struct window {
	uint64_t start;
	bool readable;
	uint8_t *bytes; /* PIECE of them; NULL: none was read */
};

/* What is looked for, in turn. */
enum look {
	LOOK_PAIRS,  /* two areas, both of which say so */
	LOOK_RINGS,  /* more than two, or a pair that begins where a ring was put in order */
	LOOK_MISSED, /* two areas, one of which says nothing; last, since parts of rings look like that */
};

struct exchange {
	struct mend *m;
	enum look look;
	struct area *areas; /* all that were looked at */
	size_t count, room;
	struct missed *missed;
	size_t missed_count, missed_room;
	struct window here, there; /* of the two areas at hand */
	int error;		   /* 0 or negative errno: of a search */
	uint64_t endless;	   /* areas whose ends are not sure */
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

/* The shift of a group's header, which names its group, wherever it lies.  False: there is none. */
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

/* The block at this offset; NULL: it can't be read. */
static const uint8_t *block_at(struct exchange *x, struct window *w, uint64_t at)
{
	const uint64_t end = x->m->now->geo.dblocks << x->m->now->geo.block_log, start = at / PIECE * PIECE;

	if (!w->bytes || w->start != start) {
		if (!w->bytes)
			w->bytes = malloc(PIECE);
		if (!w->bytes)
			return NULL;
		w->start = start;
		w->readable = !mend_read_once(x->m, w->bytes, start, end - start < PIECE ? end - start : PIECE);
	}
	return w->readable ? w->bytes + (at - start) : NULL;
}

/* By how many bytes, a multiple of the block size, this block has moved by its own header.  False: it has none. */
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
 * Ask the block at this offset, and the one where it belongs.  1: one of them agrees with the area; 0: neither says
 * anything; -1: one of them contradicts, or can't lie in such an area.
 */
static int vote(struct exchange *x, struct area *a, uint64_t at)
{
	const struct geometry *geo = &x->m->now->geo;
	const uint64_t there = at + (uint64_t)a->shift, end = geo->dblocks << geo->block_log;
	int64_t shift;
	int ret = 0;

	/* a log may be staged anew already */
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
		/* what is there belongs there, or comes from elsewhere than what is around it */
		if (!shift || ((a->pair || a->there) && shift != a->and_shift))
			return -1;
		a->and_shift = shift;
		a->there++;
		ret = 1;
	}
	return ret;
}

/*
 * Follow both areas from `seed` on, to the end or to the beginning of the device.  Returns the first offset behind the
 * last block that agrees, or its own.  *ret_limit: the same of the last one that does not contradict.
 */
static uint64_t follow(struct exchange *x, struct area *a, uint64_t seed, bool up, uint64_t *ret_limit)
{
	const uint64_t step = x->m->now->geo.block_size;
	/* the two areas have nothing in common */
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

/* The last multiple of this unit, a power of two, up to an offset; UINT64_MAX: none of them is from `least` on. */
static uint64_t multiple_in(uint64_t least, uint64_t most, uint64_t unit)
{
	const uint64_t at = most & ~(unit - 1);

	return at < least ? UINT64_MAX : at;
}

/* Have the area end where what contradicts begins, if that is at so round an offset for its size. */
static void end_at_limits(struct area *a, uint64_t block_size)
{
	uint64_t unit = CHANCE * block_size;

	if (unit > (a->to - a->from) / 4)
		return;
	while (unit <= (a->to - a->from) / 8)
		unit <<= 1;
	if (a->from % unit == 0)
		a->start = a->from;
	if (a->to % unit == 0)
		a->end = a->to;
}

/*
 * Blocks at the ends of an area that say nothing may belong to it or not: if they were exchanged wrongly, what is right
 * would be lost.  They are added only up to so round an offset that it can hardly be by chance: where what contradicts
 * begins, or, at both ends, between what belongs to the area and that.  Returns how sure it is where the area ends.
 */
static enum sure round_area(struct area *a, uint64_t block_size)
{
	uint64_t starts, ends; /* so many offsets are possible */

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

/* True if the offset lies in an area that was looked at, or in the other one that belongs to it. */
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

/* Whether the other area is zero as a whole, so that this one may be a mere copy of what was there. */
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

/* Exchange what lies in both areas.  What can't be read stays as it is.  0 or negative errno. */
static int exchange(struct exchange *x, const struct area *a)
{
	struct device *device = x->m->rc->run->device;
	uint8_t *one = malloc(PIECE), *other = malloc(PIECE);
	const bool copied = !a->there && other_is_blank(x, a);
	int ret = one && other ? 0 : -ENOMEM;

	for (uint64_t at = a->start, len; at < a->end && !ret; at += len) {
		const uint64_t there = at + (uint64_t)a->shift;

		len = a->end - at < PIECE ? a->end - at : PIECE;
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

/* The offset of the block that a finding is about, or in which its object lies.  False: its place is none. */
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

/* Find out how far the area around `seed` goes.  False: nothing agrees. */
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
 * Find the area around `seed`, where a block belongs so many bytes on, and put back what lies in it, if enough says so.
 * found: what it is done for.  0 or negative errno.
 */
static int exchange_around(struct exchange *x, uint64_t seed, int64_t shift, const struct found *found)
{
	struct area a = { 0 };
	enum sure sure;
	int ret;

	if (!outline(x, seed, shift, &a))
		return 0;
	/* of neighbours that have changed places, the first is in a row with what lies before it, and no ring */
	a.put_back =
		a.here && (a.there ? a.and_shift != shift : x->look == LOOK_MISSED) && a.here + a.there >= FEW_VOTES;
	sure = a.put_back ? round_area(&a, x->m->now->geo.block_size) : SURE_GUESS;
	if (array_add(x->areas, x->room, x->count, a))
		return -ENOMEM;
	if (!a.put_back)
		return 0;
	ret = exchange(x, &a);
	windows_free(x); /* of what was there before */
	x->endless += sure != SURE_CERTAIN;
	if (!ret)
		mend_done_sure(x->m, found, a.there ? sure : SURE_LIKELY);
	return ret;
}

/* Put back the areas that findings are about; keep as missed, once, what says nothing.  0 or negative errno. */
static int exchange_found(struct exchange *x, const struct found *found, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret && !mend_exhausted(x->m); i++) {
		struct missed missed = { .found = &found[i] };
		int64_t shift;

		if (!block_of(&x->m->now->geo, &found[i], &missed.at) || was_looked_at(x, missed.at))
			continue;
		if (says_shift(x, &x->here, missed.at, &shift))
			ret = shift ? exchange_around(x, missed.at, shift, &found[i]) : 0;
		else if (x->look == LOOK_PAIRS)
			ret = array_add(x->missed, x->missed_room, x->missed_count, missed);
	}
	return ret;
}

/* ---- areas that no finding is about ---- */

static int by_missed(const void *a, const void *b)
{
	const struct missed *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

static bool before_missed(const void *element, const void *key)
{
	return by_missed(element, key) < 0;
}

/* The first block from this byte on that is missed; NULL: there is none. */
static const struct missed *missed_from(const struct exchange *x, uint64_t at)
{
	const struct missed key = { .at = at };
	const size_t i = array_lower_bound(x->missed, x->missed_count, sizeof(key), &key, before_missed);

	return i < x->missed_count ? &x->missed[i] : NULL;
}

/* Sort what is missed, and leave out what is twice there, or has been put back. */
static void settle_missed(struct exchange *x)
{
	size_t n = 0;

	if (x->missed_count)
		qsort(x->missed, x->missed_count, sizeof(*x->missed), by_missed);
	for (size_t i = 0; i < x->missed_count; i++)
		if ((!n || x->missed[i].at != x->missed[n - 1].at) && !was_looked_at(x, x->missed[i].at))
			x->missed[n++] = x->missed[i];
	x->missed_count = n;
}

/* Whether enough is missed in one place for an area, or the header of a group. */
static bool area_is_missed(const struct exchange *x)
{
	for (size_t i = 0; i < x->missed_count; i++)
		if (x->missed[i].at % bytes_of_ag(&x->m->now->geo) == 0 ||
		    (i + 1 >= FEW_VOTES && x->missed[i].at - x->missed[i + 1 - FEW_VOTES].at < PIECE))
			return true;
	return false;
}

/* A belongs_fn: put back the area around metadata that is missed in its place. */
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

/* Begin to look for something else, at all that was not put back. */
static void look_for(struct exchange *x, enum look look)
{
	size_t n = 0;

	for (size_t i = 0; i < x->count; i++)
		if (x->areas[i].put_back)
			x->areas[n++] = x->areas[i];
	x->count = n;
	x->look = look;
}

/* Look for what is missed among all that belongs elsewhere.  0 or negative errno. */
static int exchange_missed(struct exchange *x)
{
	settle_missed(x);
	if (area_is_missed(x))
		belongs_sample(x->m->rc->run->device, &x->m->now->geo, LOOK_MAX, exchange_stray, x);
	return x->error;
}

/* Files whose data lies where an area may end can't be told. */
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

	/* what was replayed or mended lies on top of what would be exchanged */
	if (!m->now->geo.crc || device_staged(device, LAYER_REPLAY) || device_staged(device, LAYER_MEND))
		return 0;
	ret = exchange_found(&x, found, count);
	look_for(&x, LOOK_RINGS);
	if (!ret)
		ret = exchange_found(&x, found, count);
	look_for(&x, LOOK_MISSED);
	if (!ret)
		ret = exchange_missed(&x);
	tell_endless(&x);
	free(x.areas);
	free(x.missed);
	windows_free(&x);
	return ret;
}

/* A staged_fn of cache.h: stage in the repair what it and LAYER_PLACE make of these bytes. */
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

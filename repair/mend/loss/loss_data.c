/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the data of a file: which blocks of its old map are still at the same file offsets.  Where others are,
 * contents are compared, because menders copy blocks that two files claimed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "array.h"
#include "loss.h"
#include "loss_compare.h"
#include "repair.h"
#include "report/findings.h"
#include "run.h"
#include "sets/ordered.h"

/* Blocks [from, to) of the file. */
struct span {
	uint64_t from, to;
};

/* Blocks [from, to) of a group. */
struct run_of_blocks {
	group_t group;
	uint64_t from, to;
};

struct data {
	struct loss_compare *c;
	struct inode_facts *f;
	const struct loss_fact **before, **after, **dropped; /* by file offset */
	size_t nbefore, nafter, ndropped;
	struct run_of_blocks *places; /* all blocks of `after`; NULL: not listed yet */
	size_t nplaces;
	uint64_t end;	       /* current end of the file, in blocks */
	uint64_t bytes;	       /* the size to compare: the larger one */
	uint64_t lost;	       /* number of blocks */
	uint64_t excess;       /* blocks of the old map behind old_end() */
	struct span *reported; /* reported as lost or changed */
	size_t nreported, reported_room;
	struct span *holes; /* find_holes() */
	size_t nholes, holes_room;
	struct span pending; /* about to be reported, */
	enum loss_fate fate; /* with this fate */
	enum loss_witness witness;
};

static uint64_t end_of(const struct loss_fact *blocks)
{
	return blocks->c > UINT64_MAX - blocks->a ? UINT64_MAX : blocks->a + blocks->c;
}

/* Returns why a part of the file was dropped, according to a mender. */
static enum drop_reason reason_of(const struct data *d, const struct span *s)
{
	for (size_t i = 0; i < d->ndropped; i++)
		if (d->dropped[i]->a < s->to && end_of(d->dropped[i]) > s->from &&
		    d->dropped[i]->reason != DROP_GUESSED)
			return d->dropped[i]->reason;
	return DROP_UNKNOWN;
}

/* True if a mender guessed which blocks the file has. */
static bool is_guessed(const struct data *d)
{
	for (size_t i = 0; i < d->ndropped; i++)
		if (d->dropped[i]->reason == DROP_GUESSED)
			return true;
	return false;
}

/* ---- telling ---- */

static void tell_why(struct data *d, const struct span *s, enum loss_fate fate, enum loss_witness witness,
		     enum drop_reason reason, uint64_t most)
{
	const unsigned log = d->c->rc->geo.block_log;
	struct loss loss = { .kind = LOSS_DATA,
			     .fate = (uint8_t)fate,
			     .witness = (uint8_t)witness,
			     .reason = (uint8_t)reason,
			     .doubt = reason == DROP_AMID	   ? DOUBT_AREA
				      : reason == DROP_UNCONFIRMED ? DOUBT_CHECKSUM
								   : DOUBT_NONE,
			     .ftype = d->f->ftype,
			     .ino = d->f->ino,
			     .dir = { NULL_INO },
			     .now_dir = { NULL_INO } };

	loss.from = s->from << log;
	loss.to = smaller(s->to << log, d->bytes);
	loss.count = smaller(loss.to - loss.from, most);
	loss_tell(d->c, d->f, &loss, NULL, NULL);
}

static void tell(struct data *d, const struct span *s, enum loss_fate fate, enum loss_witness witness, uint64_t most)
{
	tell_why(d, s, fate, witness, fate == FATE_CHANGED && is_guessed(d) ? DROP_GUESSED : reason_of(d, s), most);
}

static void flush(struct data *d)
{
	const struct span s = d->pending;

	d->pending = (struct span){ 0 };
	if (s.from == s.to)
		return;
	tell(d, &s, d->fate, d->witness, UINT64_MAX);
	if (d->fate == FATE_LOST)
		d->lost += s.to - s.from;
	if (!array_grow(&d->reported, &d->reported_room, d->nreported, sizeof(*d->reported)))
		d->reported[d->nreported++] = s;
}

/* Adds a part of the file to what is about to be reported; parts come in ascending order. */
static void add(struct data *d, uint64_t from, uint64_t to, enum loss_fate fate, enum loss_witness witness)
{
	if (d->pending.from != d->pending.to && (d->pending.to < from || d->fate != fate || d->witness != witness))
		flush(d);
	if (d->pending.from == d->pending.to) {
		d->pending.from = from;
		d->fate = fate;
		d->witness = witness;
	}
	d->pending.to = larger(d->pending.to, to);
}

/* ---- the two maps ---- */

static bool ends_before(const void *element, const void *key)
{
	return end_of(*(const struct loss_fact *const *)element) <= *(const uint64_t *)key;
}

/* Returns the index of the first current extent that ends after this block. */
static size_t find_after(const struct data *d, uint64_t off)
{
	return array_lower_bound(d->after, d->nafter, sizeof(*d->after), &off, ends_before);
}

static bool lies_before(const void *element, const void *key)
{
	const struct run_of_blocks *x = element, *y = key;

	return x->group.v < y->group.v || (x->group.v == y->group.v && x->to <= y->from);
}

/* Lists the blocks that the file has now, which may share some with itself. False: no memory. */
static bool list_places(struct data *d)
{
	size_t n = 0;

	d->places = calloc(d->nafter + 1, sizeof(*d->places));
	if (!d->places)
		return false;
	for (size_t i = 0; i < d->nafter; i++) {
		const struct loss_fact *is = d->after[i];

		d->places[i] = (struct run_of_blocks){ is->group, is->b, is->b + is->c };
	}
	ordered_sort(d->places, d->nafter, MEMBERS(MEMBER(d->places, group), MEMBER(d->places, from)));
	for (size_t i = 0; i < d->nafter; i++) {
		struct run_of_blocks *last = n ? &d->places[n - 1] : NULL;

		if (last && last->group.v == d->places[i].group.v && d->places[i].from <= last->to)
			last->to = larger(last->to, d->places[i].to);
		else
			d->places[n++] = d->places[i];
	}
	d->nplaces = n;
	return true;
}

/*
 * True if the file has this block now, at any offset. *ret_blocks: that is so for this many blocks from it on, at
 * least.
 */
static bool is_elsewhere(struct data *d, group_t group, uint64_t block, uint64_t *ret_blocks)
{
	const struct run_of_blocks sought = { .group = group, .from = block }, *place;
	size_t i;

	*ret_blocks = UINT64_MAX;
	if (!d->places && !list_places(d))
		return false;
	i = array_lower_bound(d->places, d->nplaces, sizeof(*d->places), &sought, lies_before);
	place = i < d->nplaces && d->places[i].group.v == group.v ? &d->places[i] : NULL;
	if (place)
		*ret_blocks = (place->from <= block ? place->to : place->from) - block;
	return place && place->from <= block;
}

static struct device *device_of(const struct repair *rc, group_t group)
{
	return group_is_rt(&rc->geo, group) && rc->run->rt_device ? rc->run->rt_device : rc->run->device;
}

/* True if the old and new blocks at an offset of the file have the same contents. */
static bool same_contents(struct data *d, const struct loss_fact *was, const struct loss_fact *is, uint64_t off,
			  uint8_t *buffers)
{
	const struct repair *rc = d->c->rc, *again = d->c->again;
	const uint32_t size = rc->geo.block_size;

	if (d->c->bytes_left < size)
		return false;
	d->c->bytes_left -= size;
	return !device_read_below(device_of(rc, was->group), buffers,
				  bytes_of_gbno(&rc->geo, was->group, (gbno_t){ was->b + (off - was->a) }), size,
				  LAYER_MEND) &&
	       !device_read_once(device_of(again, is->group), buffers + size,
				 bytes_of_gbno(&again->geo, is->group, (gbno_t){ is->b + (off - is->a) }), size) &&
	       !memcmp(buffers, buffers + size, size);
}

/* Compares blocks [from, to), which have moved on the device. */
static void compare_contents(struct data *d, const struct loss_fact *was, const struct loss_fact *is, uint64_t from,
			     uint64_t to)
{
	uint8_t *buffers = malloc((size_t)2 * d->c->rc->geo.block_size);

	for (uint64_t off = from; off < to; off++)
		if (!buffers || !same_contents(d, was, is, off, buffers))
			add(d, off, off + 1, FATE_CHANGED, WITNESS_BLOCK);
	free(buffers);
}

/* Reports a hole where the file had these blocks, except for blocks that it has at another offset now. */
static void lose(struct data *d, const struct loss_fact *was, uint64_t from, uint64_t to)
{
	while (from < to) {
		uint64_t blocks, end;
		const bool elsewhere = is_elsewhere(d, was->group, was->b + (from - was->a), &blocks);

		end = blocks < to - from ? from + blocks : to;
		if (!elsewhere)
			add(d, from, end, FATE_LOST, WITNESS_BLOCK);
		from = end;
	}
}

/*
 * Returns where an extent of the old map ends.  An extent that reaches into the next one is too long.  If the file
 * still has its beginning, the extent ends where the current one does, else where the next one begins.  Only the count
 * of blocks tells whether it was longer.
 */
static uint64_t old_end(const struct data *d, size_t at)
{
	const struct loss_fact *was = d->before[at], *next = at + 1 < d->nbefore ? d->before[at + 1] : NULL, *is;
	const size_t i = find_after(d, was->a);

	if (!next || next->a <= was->a || next->a >= end_of(was))
		return end_of(was);
	is = i < d->nafter && d->after[i]->a <= was->a ? d->after[i] : NULL;
	return is && is->group.v == was->group.v && is->b - is->a == was->b - was->a ? smaller(end_of(is), next->a)
										     : next->a;
}

/* Compares an extent of the old map. */
static void compare_extent(struct data *d, size_t at)
{
	const struct loss_fact *was = d->before[at];
	size_t i = find_after(d, was->a);
	uint64_t off = was->a, end = old_end(d, at);

	d->excess += end_of(was) - end;
	end = smaller(end, d->end);
	while (off < end) {
		const struct loss_fact *is = i < d->nafter ? d->after[i] : NULL;
		const uint64_t begin = is ? smaller(larger(is->a, off), end) : end;
		uint64_t stop;

		if (begin > off)
			lose(d, was, off, begin);
		if (begin == end)
			break;
		stop = smaller(end_of(is), end);
		if (is->group.v != was->group.v || is->b - is->a != was->b - was->a)
			compare_contents(d, was, is, begin, stop);
		off = stop;
		i++;
	}
}

/*
 * Reports blocks that the file has now where its old map had none or invalid ones.  If a mender guessed them, they may
 * be another file's.
 */
static void compare_added(struct data *d)
{
	const enum loss_fate fate = is_guessed(d) ? FATE_CHANGED : FATE_GAINED;
	size_t k = 0;

	for (size_t i = 0; i < d->nafter; i++) {
		const uint64_t end = smaller(end_of(d->after[i]), d->end);
		uint64_t from = d->after[i]->a;

		for (; from < end && k < d->nbefore && d->before[k]->a < end; k++) {
			if (d->before[k]->a > from)
				add(d, from, d->before[k]->a, fate, WITNESS_ROUND);
			from = larger(from, old_end(d, k));
			if (from > end)
				break; /* it extends into the next extent, too */
		}
		if (from < end)
			add(d, from, end, fate, WITNESS_ROUND);
	}
	flush(d);
}

/* ---- dropped parts, and parts known only from counts ---- */

/* Adds the parts of [from, to) that have not been reported to d->holes. */
static void add_unreported(struct data *d, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i <= d->nreported && from < to; i++) {
		const struct span *reported = i < d->nreported ? &d->reported[i] : NULL;
		const struct span hole = { from, reported ? smaller(reported->from, to) : to };

		if (reported && reported->to <= from)
			continue;
		if (hole.from < hole.to && !array_grow(&d->holes, &d->holes_room, d->nholes, sizeof(hole)))
			d->holes[d->nholes++] = hole;
		from = reported ? reported->to : to;
	}
}

/* Sets d->holes to the parts of [from, to) that are holes now and have not been reported. */
static void find_holes(struct data *d, uint64_t from, uint64_t to)
{
	ordered_sort(d->reported, d->nreported, MEMBERS(MEMBER(d->reported, from)));
	for (size_t i = find_after(d, from); from < to; i++) {
		const uint64_t stop = i < d->nafter ? smaller(larger(d->after[i]->a, from), to) : to;

		add_unreported(d, from, stop);
		from = i < d->nafter ? end_of(d->after[i]) : to;
	}
}

static void tell_dropped(struct data *d)
{
	for (size_t i = 0; i < d->ndropped; i++) {
		if (d->dropped[i]->reason == DROP_GUESSED)
			continue;
		d->nholes = 0;
		find_holes(d, d->dropped[i]->a, smaller(end_of(d->dropped[i]), d->end));
		for (size_t k = 0; k < d->nholes; k++)
			add(d, d->holes[k].from, d->holes[k].to, FATE_LOST, WITNESS_ROUND);
		flush(d);
	}
}

#define MAP_SHARE 32u /* 1/MAP_SHARE of the missing blocks may belong to the bmbt, plus MAP_LEAST */
#define MAP_LEAST 4u

/* True if the inode counted more extents than its map had; otherwise the count of blocks is wrong. */
static bool extents_missing(const struct data *d)
{
	const struct fact_range *r = &d->f->of[FACT_BLOCKS];
	uint64_t extents = 0;

	for (size_t i = 0; i < r->count; i++)
		extents += r->all[i]->side == SIDE_BEFORE && !(r->all[i]->flags & (RMAP_ATTR | RMAP_BMBT));
	return extents < d->f->before->nextents;
}

/*
 * Reports blocks that the inode counted, but that are neither in its old nor its new map: they were where holes are
 * now.  If there are not as many holes, or no part of the map was lost, the count was wrong.
 */
static void tell_hidden(struct data *d, uint64_t missing)
{
	const struct fact_range *unmapped = &d->f->of[FACT_UNMAPPED];
	uint64_t holes = 0;

	d->nholes = 0;
	for (size_t i = 0; i < unmapped->count; i++)
		if (unmapped->all[i]->side == SIDE_BEFORE)
			find_holes(d, unmapped->all[i]->a, smaller(unmapped->all[i]->b, d->end));
	if (!unmapped->count && extents_missing(d))
		find_holes(d, 0, d->end);
	for (size_t i = 0; i < d->nholes; i++)
		holes += d->holes[i].to - d->holes[i].from;
	if (missing > holes + holes / MAP_SHARE + MAP_LEAST)
		return;
	for (size_t i = 0; i < d->nholes && missing; i++) {
		const struct span *s = &d->holes[i];
		const uint64_t blocks = smaller(missing, s->to - s->from);

		tell(d, s, FATE_LOST, WITNESS_COUNT, blocks << d->c->rc->geo.block_log);
		missing -= blocks;
	}
}

/* Reports blocks [from, to) of the file as changed, perhaps, except for reported ones, which are sorted. */
static void tell_doubt(struct data *d, uint64_t from, uint64_t to, enum drop_reason reason)
{
	d->nholes = 0;
	add_unreported(d, from, smaller(to, d->end));
	for (size_t i = 0; i < d->nholes; i++)
		tell_why(d, &d->holes[i], FATE_CHANGED, WITNESS_BLOCK, reason, UINT64_MAX);
}

/* Reports those of an extent's blocks that may have been overwritten. */
static void tell_amid(struct data *d, const struct loss_fact *is)
{
	const struct geometry *geo = &d->c->rc->geo;
	const uint64_t start = bytes_of_gbno(geo, is->group, (gbno_t){ is->b }),
		       end = start + (is->c << geo->block_log);
	struct loss_area area;

	for (uint64_t at = start; loss_areas_next(d->c->areas, at, end, &area); at = area.end) {
		const uint64_t from = is->a + ((area.start - start) >> geo->block_log);

		tell_doubt(d, from, from + blocks_of_bytes(geo, area.end - area.start), DROP_AMID);
	}
}

/* A found_fn: notes a file some of whose blocks the rmapbt lacks.  True: no memory. */
static bool note_not_in_rmapbt(void *ctx, const struct found *found)
{
	struct ino_set *files = ctx;

	return found->problem.finding == F_RMAP_LACKS && found->place.ino.v != NULL_INO &&
	       ino_set_put(files, found->place.ino);
}

int loss_not_in_rmapbt(const struct repair *rc, struct ino_set *ret)
{
	return findings_any(rc->findings, note_not_in_rmapbt, ret) ? -ENOMEM : 0;
}

/*
 * True if an extent was read from a block of the map with a wrong checksum, and stayed as it was: its blocks may be
 * wrong, unless an rmapbt has them, too.  For a wrong checksum of the inode, there is another record.
 */
static bool is_unconfirmed(const struct data *d, const struct loss_fact *was)
{
	return was->unsound && !was->restored && d->f->before && !d->f->before->unsound &&
	       (!d->c->rc->geo.rmapbt || ino_set_has(d->c->not_in_rmapbt, d->f->ino));
}

/* Blocks of one file on one side. */
struct block_sums {
	uint64_t data, map; /* with those of attributes */
};

static void count_blocks(const struct data *d, struct block_sums sums[SIDE_AFTER + 1])
{
	const struct fact_range *r = &d->f->of[FACT_BLOCKS];

	for (size_t i = 0; i < r->count; i++) {
		const struct loss_fact *fact = r->all[i];

		if (fact->flags & (RMAP_ATTR | RMAP_BMBT))
			sums[fact->side].map += fact->c;
		else
			sums[fact->side].data += fact->c;
	}
}

/* Returns how many blocks the inode counted that neither map had. */
static uint64_t missing_blocks(const struct data *d)
{
	struct block_sums sums[SIDE_AFTER + 1] = { 0 };
	const struct block_sums *was = &sums[SIDE_BEFORE], *is = &sums[SIDE_AFTER];
	uint64_t seen;

	count_blocks(d, sums);
	sums[SIDE_BEFORE].data -= smaller(sums[SIDE_BEFORE].data, d->excess);
	/* the current bmbt is the old one, with restored parts, or a new one */
	seen = was->data + larger(was->map, is->map);
	/* restored blocks: in the file now, but not before */
	seen += beyond(is->data + d->lost, was->data);
	return beyond(d->f->before->nblocks, seen);
}

/* ---- one file ---- */

/* True for data blocks, and for current blocks of an inode that is no longer, or never was, a regular file. */
static bool is_data(const struct data *d, const struct loss_fact *fact)
{
	return fact->data || (fact->side == SIDE_AFTER && !(fact->flags & (RMAP_ATTR | RMAP_BMBT)) &&
			      (d->f->after->mode & S_IFMT) != S_IFREG);
}

static bool split(struct data *d)
{
	const struct fact_range *r = &d->f->of[FACT_BLOCKS];
	const unsigned log = d->c->rc->geo.block_log;

	d->before = calloc(r->count + 1, sizeof(*d->before));
	d->after = calloc(r->count + 1, sizeof(*d->after));
	d->dropped = calloc(r->count + 1, sizeof(*d->dropped));
	if (!d->before || !d->after || !d->dropped)
		return false;
	for (size_t i = 0; i < r->count; i++) {
		const struct loss_fact *fact = r->all[i];

		if (!is_data(d, fact) || (fact->restored && fact->side == SIDE_BEFORE))
			continue;
		if (fact->side == SIDE_BEFORE || fact->restored)
			d->before[d->nbefore++] = fact;
		if (fact->side == SIDE_AFTER)
			d->after[d->nafter++] = fact;
		else if (fact->side == SIDE_DROPPED)
			d->dropped[d->ndropped++] = fact;
		/* the size is that of the older file, which may have been shorter */
		if (fact->side == SIDE_DROPPED && fact->reason == DROP_OTHER_FILE)
			d->bytes = larger(d->bytes, smaller(end_of(fact), UINT64_MAX >> log) << log);
	}
	d->end = blocks_of_bytes(&d->c->rc->geo, d->bytes);
	return true;
}

void loss_compare_data(struct loss_compare *c, struct inode_facts *f)
{
	struct data d = { .c = c, .f = f, .bytes = f->after->size };

	if (f->ftype != FT_REG)
		return;
	if (f->before)
		d.bytes = larger(d.bytes, f->before->size);
	if (split(&d)) {
		for (size_t i = 0; i < d.nbefore; i++)
			compare_extent(&d, i);
		flush(&d);
		if (f->before)
			compare_added(&d);
		tell_dropped(&d);
		ordered_sort(d.reported, d.nreported, MEMBERS(MEMBER(d.reported, from)));
		for (size_t i = 0; i < d.nafter; i++)
			if (d.after[i]->amid)
				tell_amid(&d, d.after[i]);
		for (size_t i = 0; i < d.nbefore; i++)
			if (is_unconfirmed(&d, d.before[i]))
				tell_doubt(&d, d.before[i]->a, end_of(d.before[i]), DROP_UNCONFIRMED);
		if (f->before && f->before->nlink)
			tell_hidden(&d, missing_blocks(&d));
	}
	free(d.before);
	free(d.after);
	free(d.dropped);
	free(d.places);
	free(d.reported);
	free(d.holes);
}

uint64_t loss_data_bytes(const struct loss_compare *c, const struct inode_facts *f)
{
	const struct fact_range *r = &f->of[FACT_BLOCKS];
	uint64_t blocks = 0, end;

	if (!f->before)
		return 0;
	end = blocks_of_bytes(&c->rc->geo, f->before->size);
	for (size_t i = 0; i < r->count; i++) {
		const struct loss_fact *fact = r->all[i];

		if (fact->side == SIDE_BEFORE && fact->data && fact->a < end)
			blocks += smaller(end_of(fact), end) - fact->a;
	}
	return blocks << c->rc->geo.block_log;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recognizes arrays with members in the wrong order, or with another chunk size than before.  Metadata shows where it
 * belongs (belongs.h).  All metadata in a chunk of such an array has moved by the same distance, and so have chunks of
 * other stripes.  If only two areas have changed places, each distance occurs once, and the moved area is no longer
 * than the distance: mend_exchanged.c puts such areas back.  It can't do that if one of them has a part of the log,
 * which must be replayed first.  Blocks that inodes and btrees point to are found in the log's place, too; but if the
 * area begins with AG headers, nothing points to its blocks.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cache.h"
#include "repair.h"
#include "report/findings.h"
#include "report/words.h"
#include "run.h"
#include "sb/belongs.h"

#define PLACES	  1024u /* maximum of findings whose blocks are examined */
#define DISTANCES 256u	/* maximum of different distances */
#define LOG_FEW	  4u	/* blocks at one distance, in the log or of it: copies in records are at many distances */
#define CHUNK	  4096	/* bytes: minimum chunk size of md and LVM; all distances are multiples of the chunk size */
#define AREAS	  4u	/* areas at distances that occur more than once */
#define PAIR	  2u	/* areas, and blocks in them, if two blocks have changed places */
#define SHARE	  8u	/* and one in so many blocks in them: more than a few misdirected writes */
#define SHOWN	  6u	/* distances to report */

/* Metadata that has moved by the same distance. */
struct distance {
	int64_t bytes;	   /* from its place on the device to where it belongs */
	uint64_t blocks;   /* headers, inodes and blocks at this distance */
	uint64_t areas;	   /* number of areas, at least */
	uint64_t log;	   /* of the blocks: in the place of the log, or log records */
	uint64_t headers;  /* of the blocks: AG headers */
	uint64_t from, to; /* bytes of the device: the first block, and behind the last */
	uint64_t start;	   /* byte of the device: of the last area */
	bool moved;	   /* metadata of the last area is not in its place, too, so this is not just a copy of it */
};

struct order {
	struct device *device;
	const struct geometry *geo;
	struct dates *dates; /* NULL: nobody wants them */
	uint64_t blocks;     /* with an address */
	struct distance all[DISTANCES];
	unsigned count;
};

/* True if the sector that belongs at `at` is there. */
static bool in_place(const struct order *order, uint64_t at)
{
	uint8_t sector[SECTOR_SIZE];

	return at < device_bytes(order->device) && device_read_once(order->device, sector, at, sizeof(sector)) == 0 &&
	       belongs_here(order->device, order->geo, sector, at);
}

static struct distance *distance_of(struct order *order, int64_t bytes)
{
	unsigned i = 0;

	while (i < order->count && order->all[i].bytes != bytes)
		i++;
	if (i == DISTANCES)
		return NULL;
	if (i == order->count)
		order->all[order->count++] = (struct distance){ .bytes = bytes };
	return &order->all[i];
}

static void count(void *ctx, const uint8_t *sector, uint64_t where, uint64_t at)
{
	struct order *order = ctx;
	struct distance *d;
	uint64_t home;

	if (order->dates)
		old_member_note(order->dates, sector, where, at);
	order->blocks++;
	d = where == at ? NULL : distance_of(order, (int64_t)(where - at));
	if (!d)
		return;
	/* two areas that have changed places don't overlap, so each is no longer than the distance */
	if (!d->areas || at - d->start >= (uint64_t)llabs(d->bytes)) {
		d->start = at;
		d->moved = !in_place(order, where);
		d->areas += d->moved;
	}
	if (!d->moved)
		return;
	d->from = d->blocks++ ? d->from : at;
	d->to = at + SECTOR_SIZE;
	d->headers += belongs_header(order->geo, sector, &home);
	d->log += bytes_on_log(order->geo, at, SECTOR_SIZE) || bytes_on_log(order->geo, where, SECTOR_SIZE);
}

/* Compares the blocks of distances: descending. */
static int by_blocks(const void *a, const void *b)
{
	const struct distance *x = a, *y = b;

	return (x->blocks < y->blocks) - (x->blocks > y->blocks);
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Keeps the distances with at least so many areas. */
static void keep(struct order *order, uint64_t areas)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < order->count; i++)
		if (order->all[i].areas >= areas)
			order->all[kept++] = order->all[i];
	order->count = kept;
}

/* Returns the minimum of areas at one distance that show an array: in version 4 few blocks have an address. */
static uint64_t areas_at_least(const struct geometry *geo)
{
	return geo->crc ? 2 : 1;
}

/*
 * True if the distances show a wrongly assembled array.  In version 4 nothing puts exchanged areas back, and two of
 * them are enough; but two single blocks are just two misdirected writes.
 */
static bool is_wrong(const struct order *order)
{
	uint64_t areas = 0, blocks = 0;

	for (unsigned i = 0; i < order->count; i++) {
		if (order->all[i].areas < areas_at_least(order->geo) || order->all[i].bytes % CHUNK)
			continue;
		areas += order->all[i].areas;
		blocks += order->all[i].blocks;
	}
	return areas >= (order->geo->crc ? AREAS : PAIR) && blocks > PAIR && blocks >= order->blocks / SHARE;
}

/* Adds how many blocks belong elsewhere, and at which distances. */
static void say(struct order *order, struct words *w)
{
	uint64_t unit = 0, blocks = 0;

	qsort(order->all, order->count, sizeof(order->all[0]), by_blocks);
	for (unsigned i = 0; i < order->count; i++) {
		unit = common_divisor((uint64_t)llabs(order->all[i].bytes), unit);
		blocks += order->all[i].blocks;
	}
	words_add(w,
		  "%" PRIu64 " of %" PRIu64 " metadata blocks that were looked at belong elsewhere, so many bytes on: ",
		  blocks, order->blocks);
	for (unsigned i = 0; i < order->count && i < SHOWN; i++)
		words_add(w, "%s%+" PRId64, i ? ", " : "", order->all[i].bytes);
	words_add(w, "%s (multiples of %" PRIu64 ")", order->count > SHOWN ? ", and others" : "", unit);
}

/* Reads the starts of AGs all over the device.  The caller frees the result.  NULL: no memory. */
static struct order *look(struct device *device, const struct geometry *geo, struct dates *dates)
{
	struct order *order = calloc(1, sizeof(*order));

	if (!order)
		return NULL;
	order->device = device;
	order->geo = geo;
	order->dates = dates;
	belongs_sample(device, geo, BELONGS_SAMPLE, count, order);
	return order;
}

/* Keeps the distances of metadata that moved from or to the place of the log together with AG headers.  False: none. */
static bool keep_log(struct order *order)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < order->count; i++)
		if (order->all[i].log >= LOG_FEW && order->all[i].headers)
			order->all[kept++] = order->all[i];
	order->count = kept;
	return kept;
}

static enum phase_result refuse_moved_log(const struct repair *rc, const struct order *order)
{
	struct words w = { 0 };

	words_add(&w, "%s is not in order: a part of the log has changed places with other metadata. ",
		  device_name(rc->run->device));
	for (unsigned i = 0; i < order->count && i < 2; i++)
		words_add(&w, "%s %" PRIu64 " to %" PRIu64 " belong %" PRId64 " bytes %s", i ? "; bytes" : "Bytes",
			  order->all[i].from, order->all[i].to - 1, (int64_t)llabs(order->all[i].bytes),
			  order->all[i].bytes < 0 ? "before" : "behind");
	words_add(&w,
		  ", perhaps with what is beside them. Nothing is written: assemble the device as it was, or exchange "
		  "these areas on a copy");
	return trouble(rc, w.text);
}

static enum phase_result refuse_wrong(const struct repair *rc, struct dates *dates)
{
	struct order *order = look(rc->run->device, &rc->geo, dates);
	enum phase_result result = PHASE_DONE;
	struct words w = { 0 };
	char sentence[1024];

	if (!order)
		return PHASE_DONE;
	if (is_wrong(order)) {
		keep(order, areas_at_least(order->geo));
		say(order, &w);
		snprintf(sentence, sizeof(sentence),
			 "%s is not in order: %s. An array looks like this whose members are in the wrong order, or "
			 "which has the wrong chunk size. Nothing is written; assemble it as it was",
			 device_name(rc->run->device), w.text);
		result = trouble(rc, sentence);
	} else if (keep_log(order)) {
		result = refuse_moved_log(rc, order);
	}
	free(order);
	return result;
}

bool wrong_order_say(struct device *device, const struct geometry *geo, struct words *w)
{
	struct order *order = look(device, geo, NULL);
	bool any;

	if (!order)
		return false;
	keep(order, 1);
	any = order->count > 0;
	if (any)
		say(order, w);
	free(order);
	return any;
}

enum phase_result wrong_order_by_headers(const struct repair *rc)
{
	const agno_t last = { rc->geo.agcount - 1 };

	if (rc->log.condition != LOG_DAMAGED && belongs_has_header(rc->run->device, &rc->geo, last))
		return PHASE_DONE;
	return refuse_wrong(rc, NULL);
}

/* True if the block in the place of a finding belongs elsewhere, or may do so. */
static bool found_elsewhere(const struct repair *rc, const struct found *found)
{
	uint8_t sector[SECTOR_SIZE];
	uint64_t at, where;

	/* the device must be searched to see where log records and version 4 blocks belong */
	if (found->place.object == OBJ_LOG || !rc->geo.crc)
		return true;
	return belongs_found(&rc->geo, found, &at) && device_read(rc->run->device, sector, at, sizeof(sector)) == 0 &&
	       belongs_sector(rc->run->device, &rc->geo, sector, at, &where) && where != at;
}

enum phase_result wrong_order_by_findings(const struct repair *rc, struct dates *dates)
{
	const struct found *found;
	bool elsewhere = false;

	findings_rewind(rc->findings);
	/* all findings of one area may be about missing blocks: if there are too many, the device is read */
	for (unsigned i = 0; !elsewhere && (found = findings_next(rc->findings)); i++)
		elsewhere = i == PLACES || found_elsewhere(rc, found);
	findings_rewind(rc->findings);
	return elsewhere ? refuse_wrong(rc, dates) : PHASE_DONE;
}

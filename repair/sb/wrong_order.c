/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recognizes arrays whose members are in the wrong order, or that have another chunk size than before.  Metadata says
 * where it belongs (belongs.h).  What lies in a chunk of such an array has moved by the same distance, and so have
 * chunks of other stripes.  Where only two areas have changed places, each distance occurs once, and what has moved is
 * no longer than the distance: such areas are put back by mend_exchanged.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cache.h"
#include "libxfs/ag.h"
#include "libxfs/object.h"
#include "repair.h"
#include "report/findings.h"
#include "report/words.h"
#include "run.h"
#include "sb/belongs.h"
#include "wrong_order.h"

#define LOOK_MAX  (256u << 20) /* bytes that are looked through at most, divided among ... */
#define GROUPS	  64u	       /* ... so many groups at most */
#define PLACES	  1024u	       /* findings whose blocks are looked at */
#define DISTANCES 256u	       /* different distances that are counted */
#define AREAS	  4u	       /* so many areas at distances that occur more than once */
#define SHARE	  8u	       /* and one of so many blocks in them: more than a few misdirected writes */
#define SHOWN	  6u	       /* distances that the user is shown */

/* What has moved by the same distance. */
struct distance {
	int64_t bytes;	 /* from where it lies to where it belongs */
	uint64_t blocks; /* headers, inodes and blocks that say so */
	uint64_t areas;	 /* in so many areas at least */
	uint64_t start;	 /* byte of the device: of the last area */
	bool moved;	 /* what belongs to the last area is not in its place, so this is not a mere copy of it */
};

struct order {
	const struct repair *rc;
	uint8_t *buf;	 /* BELONGS_PIECE bytes */
	uint64_t blocks; /* that say where they belong */
	struct distance all[DISTANCES];
	unsigned count;
};

/* True if the sector that belongs at `at` lies there, too. */
static bool in_place(const struct order *order, uint64_t at)
{
	struct device *device = order->rc->run->device;
	uint8_t sector[SECTOR_SIZE];
	uint64_t where;

	return at < device_bytes(device) && device_read_once(device, sector, at, sizeof(sector)) == 0 &&
	       belongs_sector(&order->rc->geo, sector, &where) && where == at;
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

static void count(void *ctx, uint64_t where, uint64_t at)
{
	struct order *order = ctx;
	struct distance *d;

	order->blocks++;
	d = where == at ? NULL : distance_of(order, (int64_t)(where - at));
	if (!d)
		return;
	/* two areas that have changed places have nothing in common, so each is no longer than the distance */
	if (!d->areas || at - d->start >= (uint64_t)llabs(d->bytes)) {
		d->start = at;
		d->moved = !in_place(order, where);
		d->areas += d->moved;
	}
	d->blocks += d->moved;
}

/* How often a distance occurs: descending. */
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

/* Keep the distances that occur more than once.  Whether they show an array that is put together wrongly. */
static bool is_wrong(struct order *order)
{
	uint64_t areas = 0, blocks = 0;
	unsigned kept = 0;

	for (unsigned i = 0; i < order->count; i++) {
		if (order->all[i].areas < 2)
			continue;
		areas += order->all[i].areas;
		blocks += order->all[i].blocks;
		order->all[kept++] = order->all[i];
	}
	order->count = kept;
	return areas >= AREAS && blocks >= order->blocks / SHARE;
}

static enum phase_result refuse(struct order *order)
{
	uint64_t unit = 0, blocks = 0;
	struct words w = { 0 };
	char sentence[1024];

	qsort(order->all, order->count, sizeof(order->all[0]), by_blocks);
	for (unsigned i = 0; i < order->count; i++) {
		unit = common_divisor((uint64_t)llabs(order->all[i].bytes), unit);
		blocks += order->all[i].blocks;
		if (i < SHOWN)
			words_add(&w, "%s%+" PRId64, i ? ", " : "", order->all[i].bytes);
	}
	snprintf(sentence, sizeof(sentence),
		 "%s is not in order: %" PRIu64 " of %" PRIu64
		 " metadata blocks that were looked at belong elsewhere, so "
		 "many bytes on: %s%s (multiples of %" PRIu64
		 "). An array looks like this whose members are in the wrong "
		 "order, or which has the wrong chunk size. Nothing is written; assemble it as it was",
		 device_name(order->rc->run->device), blocks, order->blocks, w.text,
		 order->count > SHOWN ? ", and others" : "", unit);
	return trouble(order->rc, sentence);
}

/* Look through the beginnings of groups all over the device. */
static enum phase_result look(const struct repair *rc)
{
	const struct geometry *geo = &rc->geo;
	const uint32_t groups = geo->agcount < GROUPS ? geo->agcount : GROUPS;
	const uint64_t ag_bytes = bytes_of_ag(geo), most = LOOK_MAX / groups;
	struct order *order = calloc(1, sizeof(*order));
	enum phase_result result = PHASE_DONE;

	if (!order)
		return PHASE_DONE;
	order->rc = rc;
	order->buf = malloc(BELONGS_PIECE);
	for (uint32_t i = 0; i < groups && order->buf; i++) {
		const uint64_t start = (uint64_t)i * geo->agcount / groups * ag_bytes;

		belongs_each(order->rc, order->buf, start, start + (ag_bytes < most ? ag_bytes : most), count, order);
	}
	if (is_wrong(order))
		result = refuse(order);
	free(order->buf);
	free(order);
	return result;
}

enum phase_result wrong_order_by_headers(const struct repair *rc)
{
	const agno_t last = { rc->geo.agcount - 1 };

	if (rc->log.condition != LOG_DAMAGED && belongs_has_header(rc, last))
		return PHASE_DONE;
	return look(rc);
}

/* True if what lies in the place of a finding belongs elsewhere, or may do so. */
static bool found_elsewhere(const struct repair *rc, const struct found *found)
{
	const struct object_kind *kind = object_kind(found->place.object);
	uint8_t sector[SECTOR_SIZE];
	uint64_t at, where;

	if (found->place.object == OBJ_LOG) /* where its records belong shows only when they are looked at */
		return true;
	if (!kind || !object_offset(&rc->geo, kind, &found->place, &at))
		return false;
	at -= at % SECTOR_SIZE;
	return device_read(rc->run->device, sector, at, sizeof(sector)) == 0 &&
	       belongs_sector(&rc->geo, sector, &where) && where != at;
}

enum phase_result wrong_order_by_findings(const struct repair *rc)
{
	const struct found *found;
	bool elsewhere = false;

	findings_rewind(rc->findings);
	for (unsigned i = 0; i < PLACES && !elsewhere && (found = findings_next(rc->findings)); i++)
		elsewhere = found_elsewhere(rc, found);
	findings_rewind(rc->findings);
	return elsewhere ? look(rc) : PHASE_DONE;
}

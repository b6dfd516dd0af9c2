/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts the changes of all layers together: the ends of all ranges are sorted, and gone through once. */
#include "preview_ranges.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "commit.h"
#include "repair.h"
#include "run.h"
#include "sets/ordered.h"

/* A range of a layer begins or ends here. */
struct border {
	uint64_t at;
	uint32_t layer;
	int32_t step; /* 1 or -1 */
};

struct borders {
	struct border *v;
	size_t count, room;
	enum overlay_layer layer;
};

static int add_range(struct borders *b, enum overlay_layer layer, uint64_t start, uint64_t end)
{
	if (start >= end)
		return 0;
	return array_add(b->v, b->room, b->count, (struct border){ start, layer, 1 }) ||
			       array_add(b->v, b->room, b->count, (struct border){ end, layer, -1 })
		       ? -ENOMEM
		       : 0;
}

static int add_change(void *ctx, const struct change *change)
{
	struct borders *b = ctx;

	/* an image may end within a sector, which no file system uses */
	return add_range(b, b->layer, change->offset, (change->offset + change->len) / SECTOR_SIZE * SECTOR_SIZE);
}

static int collect(struct commit *c, unsigned device, struct borders *b)
{
	int ret = 0;

	for (unsigned layer = 0; layer < LAYERS && !ret; layer++) {
		b->layer = layer;
		ret = device_changes(c->devices[device], layer, NULL, NULL, add_change, b);
	}
	if (!ret && device == ON_DATA)
		ret = add_range(b, c->mends ? LAYER_MEND : LAYER_REPLAY, 0, c->rc->geo.sector_size);
	ordered_sort(b->v, b->count, MEMBERS(MEMBER(b->v, at)));
	return ret;
}

/* Call fn() for a range, in pieces that are not too long. */
static int tell(unsigned device, uint64_t start, uint64_t end, enum overlay_layer layer, preview_range_fn *fn,
		void *ctx)
{
	int ret = 0;

	for (uint64_t at = start; at < end && !ret; at += PREVIEW_MAX) {
		struct preview_range range = { .device = device, .offset = at, .layer = layer };

		range.len = end - at < PREVIEW_MAX ? (uint32_t)(end - at) : PREVIEW_MAX;
		ret = fn(ctx, &range);
	}
	return ret;
}

/* The uppermost layer that has a range open; LAYERS: none has. */
static enum overlay_layer uppermost(const int32_t open[static LAYERS])
{
	for (unsigned layer = LAYERS; layer-- > 0;)
		if (open[layer] > 0)
			return (enum overlay_layer)layer;
	return LAYERS;
}

int preview_ranges(struct commit *c, unsigned device, preview_range_fn *fn, void *ctx)
{
	struct borders b = { 0 };
	int ret = collect(c, device, &b);
	int32_t open[LAYERS] = { 0 };
	enum overlay_layer now = LAYERS;
	uint64_t start = 0;

	for (size_t i = 0; i < b.count && !ret;) {
		const uint64_t at = b.v[i].at;
		enum overlay_layer next;

		for (; i < b.count && b.v[i].at == at; i++)
			open[b.v[i].layer] += b.v[i].step;
		next = uppermost(open);
		if (next == now)
			continue;
		if (now != LAYERS)
			ret = tell(device, start, at, now, fn, ctx);
		start = at;
		now = next;
	}
	free(b.v);
	return ret;
}

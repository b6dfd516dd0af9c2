/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a layer of the overlay differs from the device itself: what a commit must write and an undo file must keep, and
 * nothing else.  What is staged is compared run by run with what is on the device, in units that it
 * can write.  Relies on overlay.c for what is staged, on write.c for writing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "read.h"
#include "unreadable.h"
#include "write.h"

struct comparison {
	struct device *device;
	sector_fn *which;
	void *which_ctx;
	change_fn *fn;
	void *ctx;

	/* of the run at hand, in whole units */
	uint64_t start, end;
	uint8_t *before;
	uint8_t *after;
	bool any_lost;
};

static bool is_lost(const struct comparison *c, uint64_t start, uint64_t end)
{
	uint64_t at, n;

	return c->any_lost && unreadable_find(c->device->unreadable, start, end, &at, &n);
}

/* Read the units that [offset, offset + len) lies in. */
static int read_before(struct comparison *c, uint64_t offset, size_t len)
{
	struct device *device = c->device;
	int ret;

	c->start = align_down(offset, device->align);
	c->end = align_up(offset + len, device->align);
	c->end = c->end < device->bytes ? c->end : device->bytes;
	c->before = device_buffer(device, c->end - c->start);
	c->after = device_buffer(device, c->end - c->start);
	if (!c->before || !c->after)
		return -ENOMEM;
	ret = read_below(device, c->before, c->start, c->end - c->start);
	if (ret == -ENOMEM)
		return ret;
	c->any_lost = ret != 0;
	memcpy(c->after, c->before, c->end - c->start);
	return 0;
}

/* Put the sectors that are meant into `after`. -EIO: the rest of their unit is lost. */
static int choose(struct comparison *c, uint64_t offset, const uint8_t *bytes, size_t len)
{
	for (uint64_t at = offset; at < offset + len; at += SECTOR_SIZE) {
		uint64_t unit = align_down(at, c->device->align), unit_end = unit + c->device->align;

		if (c->which && !c->which(c->which_ctx, at))
			continue;
		if ((unit < offset || unit_end > offset + len) && is_lost(c, unit, unit_end)) {
			c->device->failed_offset = unit;
			c->device->failed_len = c->device->align;
			return -EIO;
		}
		memcpy(c->after + (at - c->start), bytes + (at - offset), SECTOR_SIZE);
	}
	return 0;
}

/* Whether the unit at this offset of the run is to be written. */
static bool differs(const struct comparison *c, uint64_t unit)
{
	uint64_t end = unit + c->device->align < c->end ? unit + c->device->align : c->end;

	/* zeroes may be what is to be there, but not what is */
	return memcmp(c->before + (unit - c->start), c->after + (unit - c->start), end - unit) != 0 ||
	       (is_lost(c, unit, end) && (!c->which || c->which(c->which_ctx, unit)));
}

static int tell(const struct comparison *c, uint64_t start, uint64_t end)
{
	struct change change = {
		.offset = start,
		.len = end - start,
		.before = c->before + (start - c->start),
		.after = c->after + (start - c->start),
		.lost = is_lost(c, start, end),
	};

	return c->fn(c->ctx, &change);
}

/* Tell the runs of units that differ; one that is lost is told alone. */
static int tell_changes(const struct comparison *c)
{
	uint32_t align = c->device->align;
	int ret = 0;

	for (uint64_t unit = c->start; unit < c->end && !ret; unit += align) {
		uint64_t first = unit, end;
		bool lost;

		if (!differs(c, unit))
			continue;
		lost = is_lost(c, unit, unit + align);
		while (unit + align < c->end && differs(c, unit + align) && !lost &&
		       !is_lost(c, unit + align, unit + 2 * (uint64_t)align))
			unit += align;
		end = unit + align < c->end ? unit + align : c->end;
		ret = tell(c, first, end);
	}
	return ret;
}

static int compare_run(void *ctx, uint64_t offset, const void *bytes, size_t len)
{
	struct comparison *c = ctx;
	int ret = read_before(c, offset, len);

	if (!ret)
		ret = choose(c, offset, bytes, len);
	if (!ret)
		ret = tell_changes(c);
	device_buffer_free(c->before);
	device_buffer_free(c->after);
	c->before = c->after = NULL;
	return ret;
}

int device_changes(struct device *device, enum overlay_layer layer, sector_fn *which, void *which_ctx, change_fn *fn,
		   void *ctx)
{
	struct comparison c = { .device = device, .which = which, .which_ctx = which_ctx, .fn = fn, .ctx = ctx };

	return device_staged_each(device, layer, compare_run, &c);
}

static int write_change(void *ctx, const struct change *change)
{
	return write_units(ctx, change->after, change->offset, change->len);
}

int device_commit(struct device *device, enum overlay_layer layer, sector_fn *which, void *which_ctx)
{
	return device_changes(device, layer, which, which_ctx, write_change, device);
}

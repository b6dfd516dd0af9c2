/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds where a layer of the overlay differs from the device, which is what a commit writes and an undo file keeps.
 * Staged ranges are compared with the device in its units. Many ranges are read at a time; what was read is kept as far
 * as memory allows, since a commit asks several times. Writes between two flushes need no order, so many are made at a
 * time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kept.h"
#include "parallel.h"
#include "read.h"
#include "unreadable.h"
#include "device.h"

#define TOGETHER 8u	    /* threads, which mostly wait for the device */
#define FEW	 16u	    /* ranges compared together at first, for callers that only ask whether anything differs */
#define MANY	 512u	    /* the most ranges compared together ... */
#define BYTES	 (2u << 20) /* ... and their most bytes, unless it is a single range */

/* A contiguous staged range. */
struct staged_range {
	uint64_t offset; /* of the staged bytes */
	size_t len;
	uint64_t start, end; /* the units that contain them */
	uint8_t *before;     /* contents of these units on the device */
	uint8_t *after;	     /* contents to be; at first only the staged bytes are set */
	int read_error;	     /* 0: all units could be read */
	int error;	     /* of the comparison, or from fn() */
};

struct comparison {
	struct device *device;
	sector_fn *which;
	void *which_ctx;
	change_fn *fn;
	void *ctx;
	struct staged_range *ranges; /* room for MANY ranges that are compared together and share no unit */
	size_t count, most;
	size_t bytes;
	unsigned threads; /* that may call fn(); with one thread, changes come in order */
	size_t failed;	  /* atomic: the first range with an error; ranges after it are not begun */
};

static bool is_lost(const struct comparison *c, const struct staged_range *range, uint64_t start, uint64_t end)
{
	uint64_t at, n;

	return range->read_error && unreadable_find(c->device->unreadable, start, end, &at, &n);
}

/* True if the caller has chosen the sector at this offset. */
static bool is_meant(const struct comparison *c, uint64_t offset)
{
	return !c->which || c->which(c->which_ctx, offset);
}

/*
 * Completes range->after: sectors that are not staged or not chosen stay as on the device. *ret_meant: bytes of the
 * other sectors. -EIO: a unit is unreadable and not staged whole.
 */
static int complete(const struct comparison *c, const struct staged_range *range, uint64_t *ret_meant)
{
	uint64_t meant = 0;

	for (uint64_t at = range->start; at < range->end; at += SECTOR_SIZE) {
		uint64_t unit = align_down(at, c->device->align), unit_end = unit + c->device->align;
		size_t n = range->end - at < SECTOR_SIZE ? (size_t)(range->end - at) : SECTOR_SIZE;

		if (at < range->offset || at >= range->offset + range->len || !is_meant(c, at)) {
			memcpy(range->after + (at - range->start), range->before + (at - range->start), n);
			continue;
		}
		meant += n;
		if ((unit < range->offset || unit_end > range->offset + range->len) &&
		    is_lost(c, range, unit, unit_end))
			return write_failed(c->device, unit, c->device->align, -EIO);
	}
	*ret_meant = meant;
	return 0;
}

/* True if the unit at this offset must be written. */
static bool differs(const struct comparison *c, const struct staged_range *range, uint64_t unit)
{
	uint64_t end = unit + c->device->align < range->end ? unit + c->device->align : range->end;

	/* an unreadable unit has zeroes in `before`, which are not its contents */
	return memcmp(range->before + (unit - range->start), range->after + (unit - range->start), end - unit) != 0 ||
	       (is_lost(c, range, unit, end) && is_meant(c, unit));
}

static int tell(const struct comparison *c, const struct staged_range *range, uint64_t start, uint64_t end)
{
	struct change change = {
		.offset = start,
		.len = end - start,
		.before = range->before + (start - range->start),
		.after = range->after + (start - range->start),
		.lost = is_lost(c, range, start, end),
	};

	return c->fn(c->ctx, &change);
}

/* Calls fn() for each range of units that differ; unreadable units come alone. */
static int tell_changes(const struct comparison *c, const struct staged_range *range)
{
	uint32_t align = c->device->align;
	int ret = 0;

	for (uint64_t unit = range->start; unit < range->end && !ret; unit += align) {
		uint64_t first = unit, end;
		bool lost;

		if (!differs(c, range, unit))
			continue;
		lost = is_lost(c, range, unit, unit + align);
		while (unit + align < range->end && differs(c, range, unit + align) && !lost &&
		       !is_lost(c, range, unit + align, unit + 2 * (uint64_t)align))
			unit += align;
		end = unit + align < range->end ? unit + align : range->end;
		ret = tell(c, range, first, end);
	}
	return ret;
}

static void read_run(void *ctx, size_t i)
{
	const struct comparison *c = ctx;
	struct staged_range *range = &c->ranges[i];
	const size_t len = range->end - range->start;

	if (kept_take(c->device->below, range->before, range->start, len))
		return;
	range->read_error = read_below(c->device, range->before, range->start, len);
	if (!range->read_error)
		kept_put(c->device->below, range->before, range->start, len, false);
}

static int compare_range(const struct comparison *c, const struct staged_range *range)
{
	uint64_t meant = 0;
	int ret = range->read_error == -ENOMEM ? -ENOMEM : complete(c, range, &meant);

	if (!ret)
		ret = tell_changes(c, range);
	atomic_fetch_add_explicit(&c->device->compared, meant, memory_order_relaxed);
	return ret;
}

static void compare_unless_failed(void *ctx, size_t i)
{
	struct comparison *c = ctx;
	struct staged_range *range = &c->ranges[i];
	size_t failed = __atomic_load_n(&c->failed, __ATOMIC_RELAXED);

	if (i > failed)
		return;
	range->error = compare_range(c, range);
	while (range->error && i < failed &&
	       !__atomic_compare_exchange_n(&c->failed, &failed, i, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

static void range_free(const struct staged_range *range)
{
	device_buffer_free(range->before);
	device_buffer_free(range->after);
}

static void forget_all(struct comparison *c)
{
	for (size_t i = 0; i < c->count; i++)
		range_free(&c->ranges[i]);
	c->count = c->bytes = 0;
}

/* Reads the units of the collected ranges, then compares them. */
static int compare_all(struct comparison *c)
{
	int ret;

	parallel_each(TOGETHER, c->count, read_run, c);
	c->failed = c->count;
	parallel_each(c->threads, c->count, compare_unless_failed, c);
	ret = c->failed < c->count ? c->ranges[c->failed].error : 0;
	forget_all(c);
	c->most = c->most * 2 < MANY ? c->most * 2 : MANY;
	return ret;
}

static bool any_meant(const struct comparison *c, uint64_t offset, size_t len)
{
	uint64_t at = offset;

	while (at < offset + len && !is_meant(c, at))
		at += SECTOR_SIZE;
	return at < offset + len;
}

static int add_run(void *ctx, uint64_t offset, const void *bytes, size_t len)
{
	struct comparison *c = ctx;
	struct device *device = c->device;
	struct staged_range range = { .offset = offset, .len = len, .start = align_down(offset, device->align) };
	int ret = 0;

	if (!any_meant(c, offset, len))
		return 0;
	range.end = align_up(offset + len, device->align);
	range.end = range.end < device->bytes ? range.end : device->bytes;
	/* a shared unit of the range before may have to be written before it is read again */
	if (c->count && (c->count == c->most || c->bytes + len > BYTES || range.start < c->ranges[c->count - 1].end))
		ret = compare_all(c);
	if (ret)
		return ret;
	range.before = device_buffer(device, range.end - range.start);
	range.after = device_buffer(device, range.end - range.start);
	if (!range.before || !range.after) {
		range_free(&range);
		return -ENOMEM;
	}
	memcpy(range.after + (offset - range.start), bytes, len);
	c->ranges[c->count++] = range;
	c->bytes += len;
	return 0;
}

static int compare_layer(struct comparison *c, enum overlay_layer layer)
{
	int ret = -ENOMEM;

	c->most = FEW;
	c->ranges = calloc(MANY, sizeof(*c->ranges));
	if (c->ranges)
		ret = device_staged_each(c->device, layer, add_run, c);
	if (!ret)
		ret = compare_all(c);
	forget_all(c);
	free(c->ranges);
	return ret;
}

int device_changes(struct device *device, enum overlay_layer layer, sector_fn *which, void *which_ctx, change_fn *fn,
		   void *ctx)
{
	struct comparison c = {
		.device = device,
		.which = which,
		.which_ctx = which_ctx,
		.fn = fn,
		.ctx = ctx,
		.threads = 1,
	};

	return compare_layer(&c, layer);
}

static int write_change(void *ctx, const struct change *change)
{
	struct device *device = ctx;

	kept_forget(device->below, change->offset, change->len);
	return write_units(device, change->after, change->offset, change->len);
}

void device_keep_below(struct device *device, size_t limit)
{
	kept_limit(device->below, limit);
}

int device_commit(struct device *device, enum overlay_layer layer, sector_fn *which, void *which_ctx)
{
	struct comparison c = {
		.device = device,
		.which = which,
		.which_ctx = which_ctx,
		.fn = write_change,
		.ctx = device,
	};

	/* an image that ends within a unit is written through the page cache, not to be mixed with direct writes */
	c.threads = device->bytes % device->align ? 1 : TOGETHER;
	return compare_layer(&c, layer);
}

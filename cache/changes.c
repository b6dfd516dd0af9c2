/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds where a layer of the overlay differs from the device, which is what a commit writes and an undo file keeps.
 * Staged runs are compared with the device in its units. Many runs are read at a time; what was read is kept as far as
 * memory allows, since a commit asks several times. Writes between two flushes need no order, so many are made at a
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
#define FEW	 16u	    /* runs compared together at first, for callers that only ask whether anything differs */
#define MANY	 512u	    /* the most runs compared together ... */
#define BYTES	 (2u << 20) /* ... and their most bytes, unless it is a single run */

/* A contiguous staged range. */
struct staged_run {
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
	struct staged_run *runs; /* room for MANY runs that are compared together and share no unit */
	size_t count, most;
	size_t bytes;
	unsigned threads; /* that may call fn(); with one thread, changes come in order */
	size_t failed;	  /* atomic: the first run with an error; runs after it are not begun */
};

static bool is_lost(const struct comparison *c, const struct staged_run *run, uint64_t start, uint64_t end)
{
	uint64_t at, n;

	return run->read_error && unreadable_find(c->device->unreadable, start, end, &at, &n);
}

/* True if the caller has chosen the sector at this offset. */
static bool is_meant(const struct comparison *c, uint64_t offset)
{
	return !c->which || c->which(c->which_ctx, offset);
}

/*
 * Completes run->after: sectors that are not staged or not chosen stay as on the device. *ret_meant: bytes of the other
 * sectors. -EIO: a unit is unreadable and not staged whole.
 */
static int complete(const struct comparison *c, const struct staged_run *run, uint64_t *ret_meant)
{
	uint64_t meant = 0;

	for (uint64_t at = run->start; at < run->end; at += SECTOR_SIZE) {
		uint64_t unit = align_down(at, c->device->align), unit_end = unit + c->device->align;
		size_t n = run->end - at < SECTOR_SIZE ? (size_t)(run->end - at) : SECTOR_SIZE;

		if (at < run->offset || at >= run->offset + run->len || !is_meant(c, at)) {
			memcpy(run->after + (at - run->start), run->before + (at - run->start), n);
			continue;
		}
		meant += n;
		if ((unit < run->offset || unit_end > run->offset + run->len) && is_lost(c, run, unit, unit_end))
			return write_failed(c->device, unit, c->device->align, -EIO);
	}
	*ret_meant = meant;
	return 0;
}

/* True if the unit at this offset must be written. */
static bool differs(const struct comparison *c, const struct staged_run *run, uint64_t unit)
{
	uint64_t end = unit + c->device->align < run->end ? unit + c->device->align : run->end;

	/* an unreadable unit has zeroes in `before`, which are not its contents */
	return memcmp(run->before + (unit - run->start), run->after + (unit - run->start), end - unit) != 0 ||
	       (is_lost(c, run, unit, end) && is_meant(c, unit));
}

static int tell(const struct comparison *c, const struct staged_run *run, uint64_t start, uint64_t end)
{
	struct change change = {
		.offset = start,
		.len = end - start,
		.before = run->before + (start - run->start),
		.after = run->after + (start - run->start),
		.lost = is_lost(c, run, start, end),
	};

	return c->fn(c->ctx, &change);
}

/* Calls fn() for each range of units that differ; unreadable units come alone. */
static int tell_changes(const struct comparison *c, const struct staged_run *run)
{
	uint32_t align = c->device->align;
	int ret = 0;

	for (uint64_t unit = run->start; unit < run->end && !ret; unit += align) {
		uint64_t first = unit, end;
		bool lost;

		if (!differs(c, run, unit))
			continue;
		lost = is_lost(c, run, unit, unit + align);
		while (unit + align < run->end && differs(c, run, unit + align) && !lost &&
		       !is_lost(c, run, unit + align, unit + 2 * (uint64_t)align))
			unit += align;
		end = unit + align < run->end ? unit + align : run->end;
		ret = tell(c, run, first, end);
	}
	return ret;
}

static void read_run(void *ctx, size_t i)
{
	const struct comparison *c = ctx;
	struct staged_run *run = &c->runs[i];
	const size_t len = run->end - run->start;

	if (kept_take(c->device->below, run->before, run->start, len))
		return;
	run->read_error = read_below(c->device, run->before, run->start, len);
	if (!run->read_error)
		kept_put(c->device->below, run->before, run->start, len, false);
}

static int compare_run(const struct comparison *c, const struct staged_run *run)
{
	uint64_t meant = 0;
	int ret = run->read_error == -ENOMEM ? -ENOMEM : complete(c, run, &meant);

	if (!ret)
		ret = tell_changes(c, run);
	atomic_fetch_add_explicit(&c->device->compared, meant, memory_order_relaxed);
	return ret;
}

static void compare_unless_failed(void *ctx, size_t i)
{
	struct comparison *c = ctx;
	struct staged_run *run = &c->runs[i];
	size_t failed = __atomic_load_n(&c->failed, __ATOMIC_RELAXED);

	if (i > failed)
		return;
	run->error = compare_run(c, run);
	while (run->error && i < failed &&
	       !__atomic_compare_exchange_n(&c->failed, &failed, i, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

static void run_free(const struct staged_run *run)
{
	device_buffer_free(run->before);
	device_buffer_free(run->after);
}

static void forget_all(struct comparison *c)
{
	for (size_t i = 0; i < c->count; i++)
		run_free(&c->runs[i]);
	c->count = c->bytes = 0;
}

/* Reads the units of the collected runs, then compares them. */
static int compare_all(struct comparison *c)
{
	int ret;

	parallel_each(TOGETHER, c->count, read_run, c);
	c->failed = c->count;
	parallel_each(c->threads, c->count, compare_unless_failed, c);
	ret = c->failed < c->count ? c->runs[c->failed].error : 0;
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
	struct staged_run run = { .offset = offset, .len = len, .start = align_down(offset, device->align) };
	int ret = 0;

	if (!any_meant(c, offset, len))
		return 0;
	run.end = align_up(offset + len, device->align);
	run.end = run.end < device->bytes ? run.end : device->bytes;
	/* a shared unit of the run before may have to be written before it is read again */
	if (c->count && (c->count == c->most || c->bytes + len > BYTES || run.start < c->runs[c->count - 1].end))
		ret = compare_all(c);
	if (ret)
		return ret;
	run.before = device_buffer(device, run.end - run.start);
	run.after = device_buffer(device, run.end - run.start);
	if (!run.before || !run.after) {
		run_free(&run);
		return -ENOMEM;
	}
	memcpy(run.after + (offset - run.start), bytes, len);
	c->runs[c->count++] = run;
	c->bytes += len;
	return 0;
}

static int compare_layer(struct comparison *c, enum overlay_layer layer)
{
	int ret = -ENOMEM;

	c->most = FEW;
	c->runs = calloc(MANY, sizeof(*c->runs));
	if (c->runs)
		ret = device_staged_each(c->device, layer, add_run, c);
	if (!ret)
		ret = compare_all(c);
	forget_all(c);
	free(c->runs);
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

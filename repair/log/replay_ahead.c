/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the targets of the log into the cache before the second pass: in the order of addresses and in large pieces,
 * instead of block by block in the order of changes.  This is for speed only: unreadable blocks, and those that do not
 * fit into the cache, are read when needed.
 */
#include "repair.h"
#include "replay.h"
#include "run.h"
#include "sets/ordered.h"

#include <errno.h>

#define DEPTH	    16u
#define REQUEST_MAX (256u << 10) /* bytes of a request */
#define GAP_MAX	    (32u << 10)	 /* bytes: gaps up to this size are read, too */

struct ahead {
	struct replay *r;
	struct ioq *ioq;
	struct io ios[DEPTH];
	unsigned used;	 /* ios with a buffer */
	struct io *idle; /* the request that was completed last */
	uint32_t align;
};

int replay_want(struct replay *r, xdaddr_t daddr, uint32_t len)
{
	return extent_counts_add(&r->wanted, daddr, len) ? 0 : -ENOMEM;
}

/* Waits for a request, and puts its blocks into the cache.  False: none is in flight. */
static bool take_one(struct ahead *a)
{
	struct io *io = ioq_wait(a->ioq);

	if (!io)
		return false;
	if (!io->error)
		block_cache_offer(a->r->cache, io->buf, io->offset, io->len);
	a->idle = io;
	return true;
}

/* Returns a request that can be submitted; waits for one if all are in flight.  NULL: out of memory. */
static struct io *free_io(struct ahead *a)
{
	struct io *io = &a->ios[a->used];

	if (a->used == DEPTH)
		return take_one(a) ? a->idle : NULL;
	io->buf = device_buffer(a->r->rc->run->device, REQUEST_MAX);
	if (io->buf)
		a->used++;
	return io->buf ? io : NULL;
}

/* Submits a read of these bytes, rounded to the alignment.  Returns 0 or a negative errno. */
static int submit_read(struct ahead *a, uint64_t start, uint64_t end)
{
	uint64_t device_end = device_bytes(a->r->rc->run->device) & ~(uint64_t)(a->align - 1);
	struct io *io = free_io(a);

	if (!io)
		return -ENOMEM;
	start &= ~(uint64_t)(a->align - 1);
	end = (end + a->align - 1) & ~(uint64_t)(a->align - 1);
	if (end > device_end)
		end = device_end;
	if (start >= end)
		return -ENODATA;
	io->offset = start;
	io->len = (uint32_t)(end - start);
	return ioq_submit(a->ioq, io);
}

/* Reads the sorted wanted buffers, several with one request.  Returns 0 or a negative errno. */
static int read_all(struct ahead *a)
{
	const struct extent_counts *wanted = &a->r->wanted;
	uint64_t start = 0, end = 0;
	int ret = 0;

	for (size_t i = 0; i < wanted->count && !ret && !block_cache_full(a->r->cache); i++) {
		const struct extent_count *next = &wanted->all[i];
		uint64_t from = bytes_of_daddr((xdaddr_t){ next->daddr });
		uint64_t to = from + ((uint64_t)next->len << SECTOR_LOG);

		if (replay_is_cancelled(a->r, (xdaddr_t){ next->daddr }, next->len))
			continue;
		if (start < end && from <= end + GAP_MAX && to - start <= REQUEST_MAX - 2 * (uint64_t)a->align) {
			end = to > end ? to : end;
			continue;
		}
		if (start < end)
			ret = submit_read(a, start, end);
		start = from;
		end = to;
	}
	return ret || start >= end ? ret : submit_read(a, start, end);
}

void replay_ahead(struct replay *r)
{
	struct ahead a = { .r = r, .align = device_align(r->rc->run->device) };

	/* the cache takes only whole blocks */
	if (a.align < r->geo.block_size)
		a.align = r->geo.block_size;
	if (r->wanted.count == 0 || ioq_create(r->rc->run->device, DEPTH, &a.ioq))
		return;
	ordered_sort(r->wanted.all, r->wanted.count, MEMBERS(MEMBER(r->wanted.all, daddr)));
	read_all(&a);
	while (take_one(&a))
		;
	ioq_destroy(a.ioq);
	for (unsigned i = 0; i < a.used; i++)
		device_buffer_free(a.ios[i].buf);
	extent_counts_free(&r->wanted);
}

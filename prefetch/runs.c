/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The requests of one worker: a ring in the order they were made.  They are
 * handed over in that order, whatever the order of completion, so that the
 * pieces of a long item arrive in theirs.  Delivered ones are kept up to a
 * byte limit: metadata that is found later, and lies in them, is not read again.
 */
#include "sweep.h"

#include <errno.h>
#include <stdlib.h>

static struct run *run_at(const struct runs *runs, size_t i)
{
	return &runs->ring[(runs->first + i) % runs->size];
}

int runs_init(struct runs *runs, struct device *device, unsigned depth, size_t keep_bytes)
{
	*runs = (struct runs){ .device = device, .depth = depth, .keep_limit = keep_bytes };
	runs->size = depth + 4 * (size_t)depth + 64;
	runs->ring = calloc(runs->size, sizeof(*runs->ring));
	if (!runs->ring)
		return -ENOMEM;
	return ioq_create(device, depth, &runs->ioq);
}

static void drop_oldest(struct runs *runs)
{
	struct run *run = run_at(runs, 0);

	runs->kept_bytes -= run->io.len;
	device_buffer_free(run->io.buf);
	run->io.buf = NULL;
	run->npieces = 0;
	run->done = false;
	runs->first = (runs->first + 1) % runs->size;
	runs->count--;
	runs->delivered--;
}

void runs_drop_kept(struct runs *runs)
{
	while (runs->delivered)
		drop_oldest(runs);
}

void runs_free(struct runs *runs)
{
	while (runs_active(runs)) { /* only after an error: let them land */
		runs_wait_oldest(runs);
		runs_delivered(runs);
	}
	if (runs->ring)
		runs_drop_kept(runs);
	for (size_t i = 0; runs->ring && i < runs->size; i++)
		free(runs->ring[i].pieces);
	free(runs->ring);
	if (runs->ioq)
		ioq_destroy(runs->ioq);
}

size_t runs_active(const struct runs *runs)
{
	return runs->count - runs->delivered;
}

struct run *runs_new(struct runs *runs)
{
	if (runs_active(runs) == runs->depth)
		return NULL;
	if (runs->count == runs->size)
		drop_oldest(runs);
	return run_at(runs, runs->count);
}

bool run_add(struct run *run, struct sweep_item *item, uint32_t len)
{
	if (run->npieces == run->room) {
		size_t room = run->room ? run->room * 2 : 16;
		struct piece *pieces = reallocarray(run->pieces, room, sizeof(*pieces));

		if (!pieces)
			return false;
		run->pieces = pieces;
		run->room = room;
	}
	run->pieces[run->npieces++] = (struct piece){ item, item->offset, len, len == item->length };
	item->offset += len;
	item->length -= len;
	return true;
}

int runs_submit(struct runs *runs, const struct order_run *extent)
{
	struct run *run = run_at(runs, runs->count);
	int ret;

	run->io = (struct io){ .offset = extent->start, .len = (uint32_t)(extent->end - extent->start), .cookie = run };
	run->done = false;
	run->io.buf = device_buffer(runs->device, run->io.len);
	if (!run->io.buf)
		return -ENOMEM;
	ret = ioq_submit(runs->ioq, &run->io);
	if (ret) {
		device_buffer_free(run->io.buf);
		run->io.buf = NULL;
		return ret;
	}
	runs->count++;
	return 0;
}

struct run *runs_wait_oldest(struct runs *runs)
{
	struct run *oldest;

	if (!runs_active(runs))
		return NULL;
	oldest = run_at(runs, runs->delivered);
	while (!oldest->done) {
		struct io *io = ioq_wait(runs->ioq);

		((struct run *)io->cookie)->done = true;
	}
	return oldest;
}

void runs_delivered(struct runs *runs)
{
	struct run *run = run_at(runs, runs->delivered);

	run->npieces = 0;
	runs->delivered++;
	runs->kept_bytes += run->io.len;
	while (runs->kept_bytes > runs->keep_limit)
		drop_oldest(runs);
}

struct run *runs_find(struct runs *runs, uint64_t offset, uint32_t len)
{
	/* newest first: that is where a file's blocks are most likely to be */
	for (size_t i = runs->count; i-- > 0;) {
		struct run *run = run_at(runs, i);

		if (offset >= run->io.offset && offset + len <= run->io.offset + run->io.len)
			return run;
	}
	return NULL;
}

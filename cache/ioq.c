/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A queue of reads in flight, for all engines. Reads that failed or ended short are completed here by blocking reads
 * while others stay in flight. Holes of an image file take no request, nor do ranges that are partly known to be
 * unreadable until they are completed.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"
#include "read.h"
#include "source.h"

/*
 * Finding a hole takes two system calls. For scattered blocks of a sparse image each request would make them in vain,
 * so after this many in a row only one of ASKED_OF requests does.
 */
#define IN_VAIN_MOST 32u
#define ASKED_OF     16u

/* Bytes [from, to) of the device. */
struct range {
	uint64_t from, to;
};

/* A read without a request, and its result. */
struct settled {
	struct io *io;
	ssize_t result;
};

struct ioq {
	struct device *device;
	const struct engine_ops *ops;
	void *engine;
	unsigned depth;
	unsigned in_flight;
	uint64_t position; /* end of the last request */
	struct read_tally tally;
	struct range hole, data; /* the last ones found in an image file */
	unsigned in_vain;	 /* consecutive lookups that found no hole for the read */
	unsigned unasked;	 /* requests since then without a lookup */
	struct settled *settled; /* ring of `depth` slots */
	unsigned first_settled, nsettled;
};

static int create_engine(struct ioq *ioq)
{
	if (ioq->device->source->engine && !ioq->device->pace.share) {
		ioq->ops = ioq->device->source->engine;
		return ioq->ops->create(ioq->device, ioq->depth, &ioq->engine);
	}
	if (ioq->device->uring) {
		int ret = engine_uring.create(ioq->device, ioq->depth, &ioq->engine);

		ioq->ops = &engine_uring;
		if (!ret || ioq->device->uring_required)
			return ret;
	}
	ioq->ops = &engine_threads;
	return engine_threads.create(ioq->device, ioq->depth, &ioq->engine);
}

int ioq_create(struct device *device, unsigned depth, struct ioq **ret_ioq)
{
	struct ioq *ioq;
	int ret;

	if (!depth)
		return -EINVAL;
	ioq = calloc(1, sizeof(*ioq));
	if (!ioq)
		return -ENOMEM;
	ioq->device = device;
	ioq->depth = depth;
	ioq->settled = calloc(depth, sizeof(*ioq->settled));
	ret = ioq->settled ? create_engine(ioq) : -ENOMEM;
	if (ret) {
		free(ioq->settled);
		free(ioq);
		return ret;
	}
	*ret_ioq = ioq;
	return 0;
}

void ioq_window(struct ioq *ioq, void *buf, size_t len)
{
	if (ioq->ops->window)
		ioq->ops->window(ioq->engine, buf, len);
}

void ioq_destroy(struct ioq *ioq)
{
	if (!ioq)
		return;
	while (ioq_wait(ioq))
		; /* the kernel may write to their memory until then */
	ioq->ops->destroy(ioq->engine);
	read_tell(ioq->device, &ioq->tally);
	free(ioq->settled);
	free(ioq);
}

static uint64_t present_end(const struct device *device)
{
	uint64_t bytes = 0;

	return device->source->size(device, &bytes) ? 0 : bytes;
}

/* Sets ioq->hole and ioq->data from `offset` on; both empty if unknown. */
static void look_for_hole(struct ioq *ioq, uint64_t offset)
{
	const struct device *device = ioq->device;
	uint64_t data = device->bytes, hole = data;
	const int ret = device->source->extent(device, offset, &data, &hole);

	ioq->hole = ioq->data = (struct range){ 0 };
	if (ret && ret != -ENXIO)
		return;
	/* a hole up to the end of the file reaches to its current end */
	ioq->hole = (struct range){ offset, ret ? present_end(device) : data };
	if (!ret)
		ioq->data = (struct range){ data, hole };
}

static bool is_in(const struct range *range, const struct io *io)
{
	return io->offset >= range->from && io->offset + io->len <= range->to;
}

/* True if the whole range is a hole of an image file. */
static bool is_hole(struct ioq *ioq, const struct io *io)
{
	const struct device *device = ioq->device;

	if (!device->source->extent || device->fault_count || device_available(device, io->offset, io->len) < io->len)
		return false;
	if (is_in(&ioq->hole, io))
		return true;
	if (is_in(&ioq->data, io) || (ioq->in_vain >= IN_VAIN_MOST && ++ioq->unasked % ASKED_OF))
		return false;
	look_for_hole(ioq, io->offset);
	if (is_in(&ioq->hole, io))
		ioq->in_vain = 0;
	else
		ioq->in_vain++;
	return !ioq->in_vain;
}

static bool is_aligned(const struct device *device, const struct io *io)
{
	return !((io->offset | io->len | (uintptr_t)io->buf) & (device->align - 1)) && io->len;
}

static void settle(struct ioq *ioq, struct io *io, ssize_t result)
{
	ioq->settled[(ioq->first_settled + ioq->nsettled++) % ioq->depth] = (struct settled){ io, result };
	ioq->in_flight++;
}

int ioq_submit(struct ioq *ioq, struct io *io)
{
	struct device *device = ioq->device;
	int ret;

	if (!is_aligned(device, io))
		return -EINVAL;
	if (ioq->in_flight == ioq->depth)
		return -EBUSY;
	if (is_hole(ioq, io)) {
		memset(io->buf, 0, io->len);
		settle(ioq, io, (ssize_t)io->len);
		return 0;
	}
	if (read_is_known(device, io->offset, io->len)) {
		settle(ioq, io, READ_KNOWN);
		return 0;
	}
	if (ioq->ops != &engine_threads) /* these wait in read_request() */
		pace_wait(&device->pace, io->len);
	atomic_store_explicit(&device->at, io->offset, memory_order_relaxed);
	ret = ioq->ops->submit(ioq->engine, io);
	if (ret)
		return ret;
	ioq->in_flight++;
	ioq->tally.backward += io->offset < ioq->position;
	ioq->position = io->offset + io->len;
	return 0;
}

bool ioq_ready(const struct ioq *ioq)
{
	return ioq->nsettled || (ioq->ops->ready && ioq->ops->ready(ioq->engine));
}

struct io *ioq_wait(struct ioq *ioq)
{
	ssize_t result;
	struct io *io;

	if (!ioq->in_flight)
		return NULL;
	if (ioq->nsettled) {
		io = ioq->settled[ioq->first_settled].io;
		result = ioq->settled[ioq->first_settled].result;
		ioq->first_settled = (ioq->first_settled + 1) % ioq->depth;
		ioq->nsettled--;
	} else {
		watch_wait(ioq->device, WATCH_READ);
		io = ioq->ops->wait(ioq->engine, &result);
		watch_answered(ioq->device, WATCH_READ);
	}
	ioq->in_flight--;
	io->error = read_finish(ioq->device, io->buf, io->offset, io->len, result);
	return io;
}

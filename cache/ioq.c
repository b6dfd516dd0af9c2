/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A queue of reads in flight: what both engines have in common.  Reads that failed or ended short are finished here, by
 * blocking reads, while the others stay in flight.
 */
#include <errno.h>
#include <stdlib.h>

#include "engine.h"
#include "read.h"

struct ioq {
	struct device *device;
	const struct engine_ops *ops;
	void *engine;
	unsigned depth;
	unsigned in_flight;
	uint64_t position; /* end of the last request */
	struct read_tally tally;
};

static int create_engine(struct ioq *ioq)
{
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
	ret = create_engine(ioq);
	if (ret) {
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
		; /* until then the kernel may write to their memory */
	ioq->ops->destroy(ioq->engine);
	read_tell(ioq->device, &ioq->tally);
	free(ioq);
}

static bool is_aligned(const struct device *device, const struct io *io)
{
	return !((io->offset | io->len | (uintptr_t)io->buf) & (device->align - 1)) && io->len;
}

int ioq_submit(struct ioq *ioq, struct io *io)
{
	struct device *device = ioq->device;
	int ret;

	if (!is_aligned(device, io))
		return -EINVAL;
	if (ioq->in_flight == ioq->depth)
		return -EBUSY;
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
	return ioq->ops->ready && ioq->ops->ready(ioq->engine);
}

struct io *ioq_wait(struct ioq *ioq)
{
	ssize_t result;
	struct io *io;

	if (!ioq->in_flight)
		return NULL;
	io = ioq->ops->wait(ioq->engine, &result);
	ioq->in_flight--;
	io->error = read_finish(ioq->device, io->buf, io->offset, io->len, result);
	return io;
}

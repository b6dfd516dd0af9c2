/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads in flight through io_uring, a ring for each queue.  A request goes to the kernel
 * when it is submitted, so the device works while the caller does.
 */
#include <errno.h>
#include <liburing.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine.h"
#include "read.h"

struct uring {
	struct io_uring ring;
	unsigned batch; /* requests to submit together */
	struct device *device;
};

static int ring_init(struct io_uring *ring, unsigned depth)
{
	int ret = -EINVAL;

#ifdef IORING_SETUP_COOP_TASKRUN
	/* completions don't interrupt the thread that decodes; Linux before 5.19 doesn't know the flag */
	ret = io_uring_queue_init(depth, ring, IORING_SETUP_COOP_TASKRUN);
#endif
	if (ret == -EINVAL)
		ret = io_uring_queue_init(depth, ring, 0);
	return ret;
}

int ioq_uring_usable(void)
{
	struct io_uring_probe *probe;
	struct io_uring ring;
	int ret = ring_init(&ring, 1);

	if (ret)
		return ret;
	probe = io_uring_get_probe_ring(&ring);
	if (!probe || !io_uring_opcode_supported(probe, IORING_OP_READ))
		ret = -EOPNOTSUPP;
	io_uring_free_probe(probe);
	io_uring_queue_exit(&ring);
	return ret;
}

static int uring_create(struct device *device, unsigned depth, void **ret_engine)
{
	struct uring *uring = calloc(1, sizeof(*uring));
	int ret;

	if (!uring)
		return -ENOMEM;
	uring->device = device;
	uring->batch = depth / 4 + 1;
	ret = ring_init(&uring->ring, depth);
	if (ret) {
		free(uring);
		return ret;
	}
	*ret_engine = uring;
	return 0;
}

static void uring_destroy(void *engine)
{
	struct uring *uring = engine;

	io_uring_queue_exit(&uring->ring);
	free(uring);
}

static int uring_submit(void *engine, struct io *io)
{
	struct uring *uring = engine;
	struct io_uring_sqe *sqe = io_uring_get_sqe(&uring->ring);

	if (!sqe)
		return -EBUSY;
	io_uring_prep_read(sqe, uring->device->fd, io->buf, io->len, io->offset);
	io_uring_sqe_set_data(sqe, io);
	/*
	 * Several at a time cost one call; most of the queue is in flight meanwhile. What is not submitted here, or if
	 * the kernel is short of something now, stays in the ring for uring_wait().
	 */
	if (io_uring_sq_ready(&uring->ring) >= uring->batch)
		io_uring_submit(&uring->ring);
	return 0;
}

static struct io *uring_wait(void *engine, ssize_t *ret_result)
{
	struct uring *uring = engine;
	struct io_uring_cqe *cqe;
	struct io *io;
	ssize_t result;

	/* what is in flight belongs to the kernel until it says otherwise: errors of waiting don't change that */
	while (io_uring_peek_cqe(&uring->ring, &cqe)) {
		int ret = io_uring_submit_and_wait(&uring->ring, 1);

		if (ret < 0 && ret != -EINTR)
			usleep(1000);
	}
	io = io_uring_cqe_get_data(cqe);
	result = cqe->res;
	io_uring_cqe_seen(&uring->ring, cqe);
	*ret_result = read_counted(uring->device, io->offset, io->len, result);
	return io;
}

const struct engine_ops engine_uring = {
	.create = uring_create,
	.destroy = uring_destroy,
	.submit = uring_submit,
	.wait = uring_wait,
};

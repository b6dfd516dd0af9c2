/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads in flight through io_uring, with a ring per queue. Requests are submitted to the kernel in small batches, so
 * that the device works in parallel with the caller. If the kernel keeps refusing requests, for lack of memory or
 * because io_uring was forbidden meanwhile, they are completed here by blocking reads.
 */
#define _GNU_SOURCE 1 /* for cpu_set_t in liburing.h */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"
#include "read.h"
#include "ring.h"

/* With this many bytes, one more system call does not matter, and requests are submitted without waiting for others. */
#define BATCH_BYTES (128u << 10)
/* After this many consecutive refusals, a millisecond apart, nothing more is submitted. */
#define REFUSALS 100u

struct uring {
	struct io_uring ring;
	unsigned batch; /* submit with this many requests in the ring, or with BATCH_BYTES */
	size_t bytes;	/* of requests that were not submitted yet */
	unsigned in_flight;
	struct device *device;
	struct read_tally tally;
	bool file_known; /* the device's descriptor is registered as file 0 */
	uint8_t *window; /* registered buffer; NULL: none */
	size_t window_bytes;
	unsigned refusals; /* consecutive */
	bool given_up;	   /* nothing is submitted any more; remaining requests are read here */
	struct io **own;   /* requests that the kernel has not accepted yet, oldest first; room for `depth` */
	unsigned nown;
};

/* Tries a no-op request, since use of a ring may be forbidden even if creating it is not. 0 or negative errno. */
static int try_ring(struct io_uring *ring)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(ring);
	int ret;

	if (!sqe)
		return -EBUSY;
	io_uring_prep_nop(sqe);
	ret = io_uring_submit_and_wait(ring, 1);
	return ret < 0 && ret != -EINTR ? ret : 0;
}

int ioq_uring_usable(void)
{
	struct io_uring_probe *probe;
	struct io_uring ring;
	int ret = ring_open(&ring, 1);

	if (ret)
		return ret;
	probe = io_uring_get_probe_ring(&ring);
	if (!probe || !io_uring_opcode_supported(probe, IORING_OP_READ))
		ret = -EOPNOTSUPP;
	io_uring_free_probe(probe);
	if (!ret)
		ret = try_ring(&ring);
	io_uring_queue_exit(&ring);
	return ret;
}

static int uring_create(struct device *device, unsigned depth, void **ret_engine)
{
	struct uring *uring = calloc(1, sizeof(*uring));
	struct io **own = calloc(depth, sizeof(struct io *));
	int ret = uring && own ? ring_open(&uring->ring, depth) : -ENOMEM;

	if (ret) {
		free(own);
		free(uring);
		return ret;
	}
	uring->device = device;
	uring->batch = depth / 2;
	uring->own = own;
	uring->file_known = io_uring_register_files(&uring->ring, &device->fd, 1) == 0;
	*ret_engine = uring;
	return 0;
}

static void uring_window(void *engine, void *buf, size_t len)
{
	const struct iovec window = { buf, len };
	struct uring *uring = engine;

	/* fails if the user may not lock that much memory; reads then work without */
	if (io_uring_register_buffers(&uring->ring, &window, 1))
		return;
	uring->window = buf;
	uring->window_bytes = len;
}

static void uring_destroy(void *engine)
{
	struct uring *uring = engine;

	/* the kernel frees a ring some time later, and would hold the device until then */
	if (uring->file_known)
		io_uring_unregister_files(&uring->ring);
	if (uring->window)
		io_uring_unregister_buffers(&uring->ring);
	io_uring_queue_exit(&uring->ring);
	read_tell(uring->device, &uring->tally);
	free(uring->own);
	free(uring);
}

/* After a submission, keeps only requests in `own` that the kernel has not accepted. */
static void drop_taken(struct uring *uring)
{
	unsigned left = io_uring_sq_ready(&uring->ring);

	memmove(uring->own, uring->own + (uring->nown - left), left * sizeof(struct io *));
	uring->nown = left;
	uring->bytes = 0;
}

static int uring_submit(void *engine, struct io *io)
{
	struct uring *uring = engine;
	struct io_uring_sqe *sqe = uring->given_up ? NULL : io_uring_get_sqe(&uring->ring);
	size_t at = (size_t)((uintptr_t)io->buf - (uintptr_t)uring->window);
	const uint64_t at_byte = uring->device->base + io->offset;
	int fd = uring->file_known ? 0 : uring->device->fd;

	if (!sqe && !uring->given_up)
		return -EBUSY;
	uring->own[uring->nown++] = io;
	uring->in_flight++;
	if (uring->given_up)
		return 0;
	if (at < uring->window_bytes && io->len <= uring->window_bytes - at)
		io_uring_prep_read_fixed(sqe, fd, io->buf, io->len, at_byte, 0);
	else
		io_uring_prep_read(sqe, fd, io->buf, io->len, at_byte);
	if (uring->file_known)
		io_uring_sqe_set_flags(sqe, IOSQE_FIXED_FILE);
	io_uring_sqe_set_data(sqe, io);
	uring->bytes += io->len;
	/*
	 * A batch takes one system call, and wakes a loop device's worker once. Meanwhile half of the queue is in
	 * flight, or with large requests what fits into the caller's memory. Requests that are not submitted here, or
	 * not accepted, stay in the ring for uring_wait().
	 */
	if (io_uring_sq_ready(&uring->ring) >= uring->batch || uring->bytes >= BATCH_BYTES) {
		io_uring_submit(&uring->ring);
		drop_taken(uring);
	}
	return 0;
}

/*
 * Submits the requests in the ring, and waits for a quarter of those in flight, since a wakeup costs as much as a
 * request. An error of waiting does not end requests: they belong to the kernel until they complete.
 */
static void wait_for_some(struct uring *uring)
{
	struct io_uring_cqe *cqe;
	int ret;

	if (uring->given_up) {
		ret = io_uring_wait_cqe(&uring->ring, &cqe);
	} else {
		ret = io_uring_submit_and_wait(&uring->ring, 1 + (uring->in_flight - 1) / 4);
		drop_taken(uring);
	}
	if (ret >= 0 || ret == -EINTR) {
		uring->refusals = 0;
		return;
	}
	usleep(1000);
	uring->given_up |= ++uring->refusals >= REFUSALS && uring->nown;
}

static struct io *uring_wait(void *engine, ssize_t *ret_result)
{
	struct uring *uring = engine;
	struct io_uring_cqe *cqe;
	struct io *io;
	ssize_t result;

	while (io_uring_peek_cqe(&uring->ring, &cqe)) {
		if (uring->given_up && uring->nown) {
			io = uring->own[--uring->nown];
			uring->in_flight--;
			*ret_result = read_request(uring->device, io->buf, io->offset, io->len);
			return io;
		}
		wait_for_some(uring);
	}
	io = io_uring_cqe_get_data(cqe);
	result = cqe->res;
	io_uring_cqe_seen(&uring->ring, cqe);
	uring->in_flight--;
	*ret_result = read_counted(uring->device, &uring->tally, io->offset, io->len, result);
	return io;
}

static bool uring_ready(const void *engine)
{
	const struct uring *uring = engine;

	return io_uring_cq_ready(&uring->ring) > 0;
}

const struct engine_ops engine_uring = {
	.create = uring_create,
	.window = uring_window,
	.destroy = uring_destroy,
	.submit = uring_submit,
	.wait = uring_wait,
	.ready = uring_ready,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seccomp does not see requests in a ring. Since our requests are known, rings are restricted to them: requests to
 * open, write or connect that an attacker puts there by overwriting memory fail.
 */
#define _GNU_SOURCE 1 /* syscall() */

#include "ring.h"

#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Flags, best first; older kernels lack some. One thread uses the ring; completions don't interrupt its work. */
static const unsigned ring_flags[] = {
#ifdef IORING_SETUP_DEFER_TASKRUN
	IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN, /* Linux 6.1 */
#endif
#ifdef IORING_SETUP_COOP_TASKRUN
	IORING_SETUP_COOP_TASKRUN, /* 5.19 */
#endif
	0,
};

static struct io_uring_restriction request(unsigned char op)
{
	return (struct io_uring_restriction){ .opcode = IORING_RESTRICTION_SQE_OP, .sqe_op = op };
}

static struct io_uring_restriction registration(unsigned char op)
{
	return (struct io_uring_restriction){ .opcode = IORING_RESTRICTION_REGISTER_OP, .register_op = op };
}

/* liburing 2.3 declares functions for these two without defining them. */
static long ring_register(const struct io_uring *ring, unsigned op, const void *arg, unsigned count)
{
	return syscall(__NR_io_uring_register, ring->ring_fd, op, arg, count);
}

/* Restricts a disabled ring to our requests, and enables it. 0 or negative errno. */
static int restrict_ring(struct io_uring *ring)
{
	struct io_uring_restriction allowed[] = {
		request(IORING_OP_NOP),
		request(IORING_OP_READ),
		request(IORING_OP_READ_FIXED),
		{ .opcode = IORING_RESTRICTION_SQE_FLAGS_ALLOWED, .sqe_flags = IOSQE_FIXED_FILE },
		registration(IORING_REGISTER_PROBE),
		registration(IORING_REGISTER_FILES),
		registration(IORING_UNREGISTER_FILES),
		registration(IORING_REGISTER_BUFFERS),
		registration(IORING_UNREGISTER_BUFFERS),
		registration(IORING_REGISTER_ENABLE_RINGS),
	};
	const unsigned count = sizeof(allowed) / sizeof(allowed[0]);

	if (ring_register(ring, IORING_REGISTER_RESTRICTIONS, allowed, count))
		return -errno;
	return ring_register(ring, IORING_REGISTER_ENABLE_RINGS, NULL, 0) ? -errno : 0;
}

static int open_restricted(struct io_uring *ring, unsigned depth, unsigned flags)
{
	int ret = io_uring_queue_init(depth, ring, flags | IORING_SETUP_R_DISABLED);

	if (ret)
		return ret;
	ret = restrict_ring(ring);
	if (!ret)
		return 0;
	io_uring_queue_exit(ring);
	return -EINVAL;
}

int ring_open(struct io_uring *ring, unsigned depth)
{
	int ret = -EINVAL;

	for (size_t i = 0; i < sizeof(ring_flags) / sizeof(*ring_flags) && ret == -EINVAL; i++) {
		ret = open_restricted(ring, depth, ring_flags[i]);
		if (ret == -EINVAL)
			ret = io_uring_queue_init(depth, ring, ring_flags[i]);
	}
	return ret;
}

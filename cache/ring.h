/* SPDX-License-Identifier: GPL-2.0-or-later */
/* io_uring rings restricted to reads. */
#ifndef XFSCK_CACHE_RING_H
#define XFSCK_CACHE_RING_H

#include <liburing.h>

/*
 * Creates a ring for one thread, with room for `depth` requests. It accepts reads, no-ops, and registration of files
 * and buffers; other requests complete with -EACCES if the kernel can restrict rings (Linux 5.10). 0 or negative errno.
 * Free it by io_uring_queue_exit().
 */
int ring_open(struct io_uring *ring, unsigned depth);

#endif

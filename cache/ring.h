/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A ring of io_uring that takes nothing but reads. */
#ifndef XFSCK_CACHE_RING_H
#define XFSCK_CACHE_RING_H

#include <liburing.h>

/*
 * Create a ring for one thread, with room for `depth` requests.  It takes reads, requests that do nothing, and files
 * and buffers to be registered; any other request completes with -EACCES, if the kernel can restrict rings
 * (Linux 5.10). 0 or negative errno.  For io_uring_queue_exit().
 */
int ring_open(struct io_uring *ring, unsigned depth);

#endif

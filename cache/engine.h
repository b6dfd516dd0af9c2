/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two ways to keep reads in flight.  An engine issues requests and
 * returns their raw results; what they mean is for ioq.c, so both behave alike.
 */
#ifndef XFSCK_CACHE_ENGINE_H
#define XFSCK_CACHE_ENGINE_H

#include "device.h"

struct engine_ops {
	/* At most depth requests will be in flight. 0 or negative errno. */
	int (*create)(struct device *device, unsigned depth, void **ret_engine);
	/* As ioq_window(). NULL: nothing is gained by it. */
	void (*window)(void *engine, void *buf, size_t len);
	/* Nothing is in flight. */
	void (*destroy)(void *engine);
	/* 0 or negative errno: then io was not taken. */
	int (*submit)(void *engine, struct io *io);
	/* Wait for any of those in flight (there is one); its result as of read_request(), counted. */
	struct io *(*wait)(void *engine, ssize_t *ret_result);
	/* As ioq_ready(). NULL: not told. */
	bool (*ready)(const void *engine);
};

extern const struct engine_ops engine_uring;
extern const struct engine_ops engine_threads;

/* 0 if the kernel lets us read through io_uring, else why not, as negative errno. */
int ioq_uring_usable(void);

#endif

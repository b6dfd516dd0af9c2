/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ways to keep reads in flight.  An engine issues requests and returns their raw results; ioq.c interprets
 * them, so all engines behave alike.
 */
#ifndef XFSCK_CACHE_ENGINE_H
#define XFSCK_CACHE_ENGINE_H

#include "device.h"

struct engine_ops {
	/* At most depth requests will be in flight. 0 or negative errno. */
	int (*create)(struct device *device, unsigned depth, void **ret_engine);
	/* As ioq_window(). NULL: it is of no use to this engine. */
	void (*window)(void *engine, void *buf, size_t len);
	/* Called when nothing is in flight. */
	void (*destroy)(void *engine);
	/* 0, or a negative errno: then io was not taken. */
	int (*submit)(void *engine, struct io *io);
	/* Wait for any request in flight, of which there must be one; *ret_result is as from read_request(), and
	 * counted. */
	struct io *(*wait)(void *engine, ssize_t *ret_result);
	/* As ioq_ready(). NULL: this engine can't tell. */
	bool (*ready)(const void *engine);
};

extern const struct engine_ops engine_uring;
extern const struct engine_ops engine_threads;
extern const struct engine_ops engine_nbd; /* of an NBD server (source.h) */

/* 0 if the kernel allows reads through io_uring, else a negative errno that tells why not. */
int ioq_uring_usable(void);

#endif

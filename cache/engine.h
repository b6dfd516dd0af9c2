/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Engines keep reads in flight: they issue requests and return their raw results; ioq.c interprets the results, so all
 * engines behave alike.
 */
#ifndef XFSCK_CACHE_ENGINE_H
#define XFSCK_CACHE_ENGINE_H

#include "device.h"

struct engine_ops {
	/* Creates an engine for at most depth requests in flight. 0 or negative errno. */
	int (*create)(struct device *device, unsigned depth, void **ret_engine);
	/* Like ioq_window(). NULL: no use for it. */
	void (*window)(void *engine, void *buf, size_t len);
	/* Frees the engine; nothing may be in flight. */
	void (*destroy)(void *engine);
	/* 0, or a negative errno if io was not accepted. */
	int (*submit)(void *engine, struct io *io);
	/* Waits for any request in flight; there must be one. *ret_result: as from read_request(), and counted. */
	struct io *(*wait)(void *engine, ssize_t *ret_result);
	/* Like ioq_ready(). NULL: unknown. */
	bool (*ready)(const void *engine);
};

extern const struct engine_ops engine_uring;
extern const struct engine_ops engine_threads;
extern const struct engine_ops engine_nbd; /* for NBD servers (source.h) */

/* 0 if the kernel allows reads through io_uring, else the reason as a negative errno. */
int ioq_uring_usable(void);

#endif

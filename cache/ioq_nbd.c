/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads in flight to an NBD server; all queues share its connection. */
#ifdef HAVE_LIBNBD
#include <errno.h>
#include <stdlib.h>

#include "engine.h"
#include "nbd_io.h"
#include "read.h"
#include "source.h"

struct nbd_engine {
	struct device *device;
	struct nbd_io *io;
	struct nbd_queue queue;
	struct nbd_request *requests; /* `depth` of them */
	struct nbd_request **unused;  /* stack of unused requests */
	unsigned nunused;
	struct read_tally tally;
};

static int nbd_engine_create(struct device *device, unsigned depth, void **ret_engine)
{
	struct nbd_engine *engine = calloc(1, sizeof(*engine));

	if (engine) {
		engine->requests = calloc(depth, sizeof(*engine->requests));
		engine->unused = calloc(depth, sizeof(struct nbd_request *));
	}
	if (!engine || !engine->requests || !engine->unused) {
		if (engine) {
			free(engine->requests);
			free(engine->unused);
		}
		free(engine);
		return -ENOMEM;
	}
	engine->device = device;
	engine->io = source_nbd_io(device);
	nbd_queue_init(&engine->queue);
	for (unsigned i = 0; i < depth; i++)
		engine->unused[engine->nunused++] = &engine->requests[i];
	*ret_engine = engine;
	return 0;
}

static void nbd_engine_destroy(void *arg)
{
	struct nbd_engine *engine = arg;

	read_tell(engine->device, &engine->tally);
	nbd_queue_destroy(&engine->queue);
	free(engine->requests);
	free(engine->unused);
	free(engine);
}

static int nbd_engine_submit(void *arg, struct io *io)
{
	struct nbd_engine *engine = arg;
	struct nbd_request *request = engine->unused[--engine->nunused];

	*request = (struct nbd_request){
		.kind = NBD_READ,
		.buf = io->buf,
		.offset = engine->device->base + io->offset,
		.len = device_available(engine->device, io->offset, io->len),
		.cookie = io,
	};
	if (request->len) {
		nbd_io_submit(engine->io, &engine->queue, request);
		return 0;
	}
	engine->nunused++;
	return -ERANGE;
}

static struct io *nbd_engine_wait(void *arg, ssize_t *ret_result)
{
	struct nbd_engine *engine = arg;
	struct nbd_request *request = nbd_queue_wait(&engine->queue);
	struct io *io = request->cookie;
	const ssize_t result = request->error ? request->error : (ssize_t)request->len;

	engine->unused[engine->nunused++] = request;
	*ret_result = read_counted(engine->device, &engine->tally, io->offset, io->len, result);
	return io;
}

const struct engine_ops engine_nbd = {
	.create = nbd_engine_create,
	.destroy = nbd_engine_destroy,
	.submit = nbd_engine_submit,
	.wait = nbd_engine_wait,
};
#endif

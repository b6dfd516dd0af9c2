/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads in flight without io_uring: a few threads per queue take requests in order, and wait in pread(). */
#define _GNU_SOURCE 1

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "engine.h"
#include "read.h"
#include "parallel.h"

#define MAX_THREADS 32u
#define STACK_BYTES (256u << 10)

struct request {
	struct io *io;
	ssize_t result;
};

struct fifo {
	struct request *slots; /* `depth` slots, so that it is never full */
	unsigned first;
	unsigned count;
};

struct threads {
	struct device *device;
	unsigned depth;
	unsigned count; /* running threads */
	pthread_t ids[MAX_THREADS];

	pthread_mutex_t lock; /* for the following members */
	pthread_cond_t work;  /* todo has a new request, or stop was set */
	pthread_cond_t news;  /* done has a new request */
	struct fifo todo;
	struct fifo done;
	bool stop;
};

static void fifo_push(struct threads *threads, struct fifo *fifo, struct request request)
{
	fifo->slots[(fifo->first + fifo->count++) % threads->depth] = request;
}

static struct request fifo_pop(struct threads *threads, struct fifo *fifo)
{
	struct request request = fifo->slots[fifo->first];

	fifo->first = (fifo->first + 1) % threads->depth;
	fifo->count--;
	return request;
}

static void *run(void *arg)
{
	struct threads *threads = arg;
	struct device *device = threads->device;

	pthread_mutex_lock(&threads->lock);
	for (;;) {
		struct request request;
		struct io *io;

		while (!threads->todo.count && !threads->stop)
			pthread_cond_wait(&threads->work, &threads->lock);
		if (!threads->todo.count)
			break;
		request = fifo_pop(threads, &threads->todo);
		pthread_mutex_unlock(&threads->lock);

		io = request.io;
		request.result = read_request(device, io->buf, io->offset, io->len);

		pthread_mutex_lock(&threads->lock);
		fifo_push(threads, &threads->done, request);
		pthread_cond_signal(&threads->news);
	}
	pthread_mutex_unlock(&threads->lock);
	return NULL;
}

/* Starts as many threads as useful and possible. 0 if there is at least one, else negative errno. */
static int start(struct threads *threads)
{
	unsigned wanted = threads->depth < MAX_THREADS ? threads->depth : MAX_THREADS;
	int ret = 0;

	if (threads->device->pace.share)
		wanted = 1; /* there is one request at a time */
	while (threads->count < wanted && !ret) {
		ret = thread_start(&threads->ids[threads->count], STACK_BYTES, run, threads);
		threads->count += !ret;
	}
	return threads->count ? 0 : ret;
}

static void threads_destroy(void *engine)
{
	struct threads *threads = engine;

	pthread_mutex_lock(&threads->lock);
	threads->stop = true;
	pthread_cond_broadcast(&threads->work);
	pthread_mutex_unlock(&threads->lock);
	for (unsigned i = 0; i < threads->count; i++)
		pthread_join(threads->ids[i], NULL);
	pthread_cond_destroy(&threads->news);
	pthread_cond_destroy(&threads->work);
	pthread_mutex_destroy(&threads->lock);
	free(threads->todo.slots);
	free(threads->done.slots);
	free(threads);
}

static int threads_create(struct device *device, unsigned depth, void **ret_engine)
{
	struct threads *threads = calloc(1, sizeof(*threads));
	int ret = -ENOMEM;

	if (!threads)
		return -ENOMEM;
	threads->device = device;
	threads->depth = depth;
	pthread_mutex_init(&threads->lock, NULL);
	pthread_cond_init(&threads->work, NULL);
	pthread_cond_init(&threads->news, NULL);
	threads->todo.slots = calloc(depth, sizeof(struct request));
	threads->done.slots = calloc(depth, sizeof(struct request));
	if (threads->todo.slots && threads->done.slots)
		ret = start(threads);
	if (ret) {
		threads_destroy(threads);
		return ret;
	}
	*ret_engine = threads;
	return 0;
}

static int threads_submit(void *engine, struct io *io)
{
	struct threads *threads = engine;

	pthread_mutex_lock(&threads->lock);
	fifo_push(threads, &threads->todo, (struct request){ .io = io });
	pthread_cond_signal(&threads->work);
	pthread_mutex_unlock(&threads->lock);
	return 0;
}

static struct io *threads_wait(void *engine, ssize_t *ret_result)
{
	struct threads *threads = engine;
	struct request request;

	pthread_mutex_lock(&threads->lock);
	while (!threads->done.count)
		pthread_cond_wait(&threads->news, &threads->lock);
	request = fifo_pop(threads, &threads->done);
	pthread_mutex_unlock(&threads->lock);
	*ret_result = request.result;
	return request.io;
}

const struct engine_ops engine_threads = {
	.create = threads_create,
	.destroy = threads_destroy,
	.submit = threads_submit,
	.wait = threads_wait,
};

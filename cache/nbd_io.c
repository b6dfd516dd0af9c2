/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests in flight to an NBD server, through libnbd. A handle may be used by one thread at a time, so a dedicated
 * thread sends what others have submitted, and returns what has arrived.
 */
#ifdef HAVE_LIBNBD
#include <errno.h>
#include <libnbd.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "nbd_io.h"
#include "parallel.h"

struct nbd_io {
	struct nbd_handle *handle;
	size_t most; /* bytes of a command */
	pthread_t thread;
	int wake; /* eventfd to wake the thread */
	atomic_bool disconnected;

	pthread_mutex_t lock;		  /* for the following members */
	struct nbd_request *first, *last; /* submitted, and not taken yet */
	bool running;			  /* the thread exists; it may be about to end */
	bool idle;			  /* the thread sleeps, or is about to */
	bool stop;
};

void nbd_queue_init(struct nbd_queue *queue)
{
	pthread_mutex_init(&queue->lock, NULL);
	pthread_cond_init(&queue->news, NULL);
	queue->first = queue->last = NULL;
}

void nbd_queue_destroy(struct nbd_queue *queue)
{
	pthread_cond_destroy(&queue->news);
	pthread_mutex_destroy(&queue->lock);
}

static void append(struct nbd_request **first, struct nbd_request **last, struct nbd_request *request)
{
	request->next = NULL;
	if (*first)
		(*last)->next = request;
	else
		*first = request;
	*last = request;
}

static void complete(struct nbd_request *request)
{
	struct nbd_queue *queue = request->queue;

	pthread_mutex_lock(&queue->lock);
	append(&queue->first, &queue->last, request);
	pthread_cond_signal(&queue->news); /* under the lock, since the owner may destroy the queue afterwards */
	pthread_mutex_unlock(&queue->lock);
}

struct nbd_request *nbd_queue_wait(struct nbd_queue *queue)
{
	struct nbd_request *request;

	pthread_mutex_lock(&queue->lock);
	while (!queue->first)
		pthread_cond_wait(&queue->news, &queue->lock);
	request = queue->first;
	queue->first = request->next;
	pthread_mutex_unlock(&queue->lock);
	return request;
}

/* Counts a command as finished. error: a positive errno, or 0. */
static void end_command(struct nbd_request *request, int error)
{
	if (error && !request->error)
		request->error = -error;
	if (--request->commands == 0)
		complete(request);
}

/* Called by libnbd when a command is finished; 1 retires it. */
static int command_ended(void *request, int *error)
{
	end_command(request, *error);
	return 1;
}

/* Sends a command of a request. 0, or a positive errno if it was not sent. */
static int send_command(struct nbd_io *io, struct nbd_request *request, size_t from, size_t len)
{
	const nbd_completion_callback ended = { .callback = command_ended, .user_data = request };
	uint8_t *buf = request->buf ? (uint8_t *)request->buf + from : NULL;
	int64_t cookie = -1;

	switch (request->kind) {
	case NBD_READ:
		cookie = nbd_aio_pread(io->handle, buf, len, request->offset + from, ended, 0);
		break;
	case NBD_WRITE:
	case NBD_WRITE_FUA:
		cookie = nbd_aio_pwrite(io->handle, buf, len, request->offset + from, ended,
					request->kind == NBD_WRITE_FUA ? LIBNBD_CMD_FLAG_FUA : 0);
		break;
	case NBD_FLUSH:
		cookie = nbd_aio_flush(io->handle, ended, 0);
		break;
	}
	if (cookie >= 0)
		return 0;
	return nbd_get_errno() ? nbd_get_errno() : EIO;
}

static void send_request(struct nbd_io *io, struct nbd_request *request)
{
	size_t from = 0;

	request->error = 0;
	request->commands = 1; /* one more, so that it cannot complete before all are sent */
	do {
		const size_t left = request->len - from, len = left < io->most ? left : io->most;
		int error;

		request->commands++;
		error = send_command(io, request, from, len);
		if (error)
			end_command(request, error);
		from += len;
	} while (from < request->len && !request->error);
	end_command(request, 0);
}

/* Takes submitted requests. False: there are none, so the thread will sleep, or end if *ret_stop. */
static bool take(struct nbd_io *io, struct nbd_request **ret_first, bool *ret_stop)
{
	pthread_mutex_lock(&io->lock);
	*ret_first = io->first;
	*ret_stop = io->stop;
	io->first = io->last = NULL;
	io->idle = !*ret_first;
	pthread_mutex_unlock(&io->lock);
	return *ret_first;
}

/* Waits for the server or a new request, and lets libnbd send and receive. */
static void sleep_until_news(struct nbd_io *io)
{
	const bool disconnected = atomic_load(&io->disconnected);
	const unsigned direction = disconnected ? 0 : nbd_aio_get_direction(io->handle);
	struct pollfd fds[2] = {
		{ .fd = io->wake, .events = POLLIN },
		{ .fd = disconnected ? -1 : nbd_aio_get_fd(io->handle),
		  .events = (short)((direction & LIBNBD_AIO_DIRECTION_READ ? POLLIN : 0) |
				    (direction & LIBNBD_AIO_DIRECTION_WRITE ? POLLOUT : 0)) },
	};
	uint64_t count;
	int ret = 0;

	if (poll(fds, 2, -1) < 0)
		return;
	if (fds[0].revents && read(io->wake, &count, sizeof(count)) < 0)
		return;
	if (direction & LIBNBD_AIO_DIRECTION_READ && fds[1].revents & (POLLIN | POLLHUP | POLLERR))
		ret = nbd_aio_notify_read(io->handle);
	else if (direction & LIBNBD_AIO_DIRECTION_WRITE && fds[1].revents & (POLLOUT | POLLHUP | POLLERR))
		ret = nbd_aio_notify_write(io->handle);
	/* libnbd has then failed all requests in flight, and accepts no more */
	if (ret < 0 || nbd_aio_is_dead(io->handle) > 0 || nbd_aio_is_closed(io->handle) > 0)
		atomic_store(&io->disconnected, true);
}

static void *run(void *arg)
{
	struct nbd_io *io = arg;
	struct nbd_request *request, *next;
	bool stop;

	for (;;) {
		if (take(io, &request, &stop)) {
			for (; request; request = next) {
				next = request->next;
				send_request(io, request);
			}
		} else if (stop) {
			return NULL;
		} else {
			sleep_until_news(io);
		}
	}
}

static void wake(const struct nbd_io *io)
{
	const uint64_t one = 1;

	while (write(io->wake, &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

/* Starts the thread; the lock is held. 0 or negative errno. */
static int start(struct nbd_io *io)
{
	const int ret = thread_start(&io->thread, 0, run, io);

	io->running = !ret;
	return ret;
}

void nbd_io_submit(struct nbd_io *io, struct nbd_queue *queue, struct nbd_request *request)
{
	bool idle;
	int ret;

	request->queue = queue;
	pthread_mutex_lock(&io->lock);
	ret = io->running ? 0 : start(io);
	if (!ret)
		append(&io->first, &io->last, request);
	idle = !ret && io->idle;
	io->idle = false;
	pthread_mutex_unlock(&io->lock);
	if (idle)
		wake(io);
	if (!ret)
		return;
	request->error = ret;
	complete(request);
}

int nbd_io_do(struct nbd_io *io, enum nbd_kind kind, void *buf, uint64_t offset, size_t len)
{
	struct nbd_request request = { .kind = kind, .buf = buf, .offset = offset, .len = len };
	struct nbd_queue queue;

	nbd_queue_init(&queue);
	nbd_io_submit(io, &queue, &request);
	nbd_queue_wait(&queue);
	nbd_queue_destroy(&queue);
	return request.error;
}

void nbd_io_cut(const struct nbd_io *io)
{
	/* libnbd sees the end of the connection, and fails all requests in flight */
	shutdown(nbd_aio_get_fd(io->handle), SHUT_RDWR);
}

bool nbd_io_disconnected(const struct nbd_io *io)
{
	return atomic_load(&io->disconnected);
}

int nbd_io_begin(struct nbd_handle *handle, size_t most, struct nbd_io **ret_io)
{
	struct nbd_io *io = calloc(1, sizeof(*io));

	if (!io)
		return -ENOMEM;
	io->handle = handle;
	io->most = most;
	io->wake = eventfd(0, EFD_CLOEXEC);
	if (io->wake < 0) {
		const int ret = -errno;

		free(io);
		return ret;
	}
	pthread_mutex_init(&io->lock, NULL);
	*ret_io = io;
	return 0;
}

void nbd_io_rest(struct nbd_io *io)
{
	bool running;

	pthread_mutex_lock(&io->lock);
	running = io->running;
	io->stop = running;
	pthread_mutex_unlock(&io->lock);
	if (!running)
		return;
	wake(io);
	pthread_join(io->thread, NULL);
	io->running = io->stop = io->idle = false;
}

void nbd_io_end(struct nbd_io *io)
{
	if (!io)
		return;
	nbd_io_rest(io);
	close(io->wake);
	pthread_mutex_destroy(&io->lock);
	free(io);
}
#endif

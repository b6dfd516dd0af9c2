/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests in flight to an NBD server. All threads share one connection, since many servers accept only one; a
 * dedicated thread serves it.
 */
#ifndef XFSCK_CACHE_NBD_IO_H
#define XFSCK_CACHE_NBD_IO_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nbd_handle;
struct nbd_io;
struct nbd_queue;

enum nbd_kind {
	NBD_READ,
	NBD_WRITE,
	NBD_WRITE_FUA, /* the data is on the medium when it completes */
	NBD_FLUSH,
};

struct nbd_request {
	enum nbd_kind kind;
	void *buf;
	uint64_t offset; /* byte of the export */
	size_t len;
	void *cookie; /* the caller's */
	int error;    /* set on completion: 0 or negative errno of the whole request */

	struct nbd_queue *queue;
	struct nbd_request *next;
	unsigned commands; /* commands in flight, since servers limit the size of requests */
};

/* Completed requests of a thread. */
struct nbd_queue {
	pthread_mutex_t lock;
	pthread_cond_t news;
	struct nbd_request *first, *last; /* complete */
};

/*
 * Takes over a connected handle, which other code must not use until nbd_io_end(). Requests are split into commands of
 * at most `most` bytes. The first request starts the thread. 0 or negative errno.
 */
int nbd_io_begin(struct nbd_handle *handle, size_t most, struct nbd_io **ret_io);
/* Ends the thread until the next request. No request may be in flight, or be submitted meanwhile. */
void nbd_io_rest(struct nbd_io *io);
/* Frees io, but not the handle, when all requests are complete. io may be NULL. */
void nbd_io_end(struct nbd_io *io);
/* True if the connection is lost, for good. */
bool nbd_io_disconnected(const struct nbd_io *io);

/* Shuts down the connection, so that all requests fail. Any thread may call it. */
void nbd_io_cut(const struct nbd_io *io);

void nbd_queue_init(struct nbd_queue *queue);
void nbd_queue_destroy(struct nbd_queue *queue);
/* Sends a request. It and its buffer must live until nbd_queue_wait() returns it. */
void nbd_io_submit(struct nbd_io *io, struct nbd_queue *queue, struct nbd_request *request);
/* Waits for a request of this queue to complete; there must be one. */
struct nbd_request *nbd_queue_wait(struct nbd_queue *queue);
/* Sends a request and waits for it. 0 or negative errno. */
int nbd_io_do(struct nbd_io *io, enum nbd_kind kind, void *buf, uint64_t offset, size_t len);

#endif

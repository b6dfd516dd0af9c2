/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests in flight to an NBD server.  All threads share one connection, since many a server takes only one; a thread
 * of its own drives it.
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
	NBD_WRITE_FUA, /* what is written is on the medium when it completes */
	NBD_FLUSH,
};

struct nbd_request {
	enum nbd_kind kind;
	void *buf;
	uint64_t offset; /* on the export: byte */
	size_t len;
	void *cookie; /* the caller's */
	int error;    /* set on completion: 0 or negative errno, of all of it */

	struct nbd_queue *queue;
	struct nbd_request *next;
	unsigned pieces; /* of it that are in flight, since servers limit their size */
};

/* Where a thread gets its requests back. */
struct nbd_queue {
	pthread_mutex_t lock;
	pthread_cond_t news;
	struct nbd_request *first, *last; /* that are complete */
};

/*
 * Begin to drive a connected handle, which no other code may use until nbd_io_end(); requests are cut into pieces of at
 * most `most` bytes.  The thread for it is started by the first request.  0 or negative errno.
 */
int nbd_io_begin(struct nbd_handle *handle, size_t most, struct nbd_io **ret_io);
/* End the thread, until the next request.  No request may be in flight, nor be submitted meanwhile. */
void nbd_io_rest(struct nbd_io *io);
/* End all that, when all requests are complete.  NULL is taken, too. */
void nbd_io_end(struct nbd_io *io);
/* Whether the connection is lost; it stays so. */
bool nbd_io_lost(const struct nbd_io *io);

/* End the connection, so that all requests fail.  Any thread may do so. */
void nbd_io_cut(const struct nbd_io *io);

void nbd_queue_init(struct nbd_queue *queue);
void nbd_queue_destroy(struct nbd_queue *queue);
/* Send a request, which with its bytes lives on until nbd_queue_wait() returns it. */
void nbd_io_submit(struct nbd_io *io, struct nbd_queue *queue, struct nbd_request *request);
/* Wait for a request of this queue to complete; there must be one. */
struct nbd_request *nbd_queue_wait(struct nbd_queue *queue);
/* Send a request and wait for it. 0 or negative errno. */
int nbd_io_do(struct nbd_io *io, enum nbd_kind kind, void *buf, uint64_t offset, size_t len);

#endif

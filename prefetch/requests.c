/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The requests of a worker, in a ring in the order of submission. They are delivered in that order, whatever the order
 * of completion, so that the pieces of a long item arrive in order. Delivered ones are kept until their room is needed,
 * so that metadata found later within them is not read again. That saves little, so if requests are cheap, a small
 * window is better, whose memory stays in the processor's cache.
 */
#include "ahead.h"
#include "array.h"
#include "sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#define NEAR_BYTES (2u << 20) /* the size of a window that may fit into a processor's cache */
#define ROWS	   4u	      /* rows that are searched, newest first */
#define MANY	   8u	      /* requests in flight that keep a device busy */
#define WAITED	   16u	      /* requests per latency sample */

#define FETCH_BYTES 1024u /* bytes of the next piece to prefetch; the hardware does the rest */
#define ITEM_BYTES  192u  /* an item, including its owner's data after it */

static struct request *request_at(const struct requests *requests, size_t i)
{
	return &requests->ring[(requests->first + i) & (requests->size - 1)];
}

int requests_init(struct requests *requests, struct sweep *sweep)
{
	const struct sweep_options *options = &sweep->options;
	size_t least = 2 * ((size_t)options->max_request + SWEEP_MAX_UNIT);

	*requests = (struct requests){ .depth = options->depth, .latency = &sweep->latency };
	requests->window_most = options->window_bytes < least ? least : options->window_bytes;
	requests->window_bytes = requests->window_most < NEAR_BYTES ? requests->window_most : NEAR_BYTES;
	requests->size = 1; /* a power of two, for request_at() */
	while (requests->size < options->depth + requests->window_most / (16u << 10))
		requests->size *= 2;
	requests->ring = calloc(requests->size, sizeof(*requests->ring));
	requests->window = device_buffer(sweep->device, requests->window_most);
	requests->kept = malloc(SWEEP_MAX_UNIT);
	if (!requests->ring || !requests->window || !requests->kept)
		return -ENOMEM;
	return ioq_create(sweep->device, options->depth, &requests->ioq);
}

static void drop_oldest(struct requests *requests)
{
	struct request *request = request_at(requests, 0);

	request->npieces = 0;
	request->done = false;
	requests->first = (requests->first + 1) & (requests->size - 1);
	requests->first_number++;
	requests->count--;
	requests->delivered--;
}

void requests_free(struct requests *requests)
{
	if (requests->ioq)
		ioq_destroy(requests->ioq); /* waits for requests in flight */
	for (size_t i = 0; requests->ring && i < requests->size; i++) {
		free(requests->ring[i].pieces);
		free(requests->ring[i].given);
	}
	free(requests->ring);
	device_buffer_free(requests->window);
	free(requests->kept);
}

void requests_widen(struct requests *requests)
{
	requests->window_bytes = requests->window_most;
}

size_t requests_active(const struct requests *requests)
{
	return requests->count - requests->delivered;
}

/*
 * Finds room for len bytes in the window: after the newest request, or at the start if it doesn't fit there. False: the
 * oldest request is in the way.
 */
static bool find_room(const struct requests *requests, size_t len, size_t *ret_at)
{
	size_t oldest, at = requests->next;

	if (!requests->count) {
		*ret_at = 0;
		return true;
	}
	oldest = request_at(requests, 0)->at;
	if (at > oldest && requests->window_bytes - at < len)
		at = 0; /* from here on it must stay below the oldest request */
	*ret_at = at;
	return at > oldest ? true : at + len <= oldest;
}

struct request *requests_new(struct requests *requests, size_t len)
{
	struct request *request;
	size_t at;

	if (requests_active(requests) == requests->depth)
		return NULL;
	/* half of the window is for completed requests, so that reading does not get too far ahead */
	if (requests_active(requests) && requests->active_bytes + len > requests->window_bytes / 2)
		return NULL;
	while (requests->count == requests->size || !find_room(requests, len, &at)) {
		if (!requests->delivered || __atomic_load_n(&request_at(requests, 0)->busy, __ATOMIC_ACQUIRE))
			return NULL;
		drop_oldest(requests);
	}
	request = request_at(requests, requests->count);
	request->at = at;
	return request;
}

bool request_add(struct request *request, struct sweep_item *item, uint32_t len)
{
	if (array_grow(&request->pieces, &request->room, request->npieces, sizeof(*request->pieces)))
		return false;
	request->pieces[request->npieces++] =
		(struct piece){ item, item->offset, len, !item->begun && len == item->length, len == item->length };
	item->begun = true;
	item->offset += len;
	item->length -= len;
	return true;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Registers the window once it was filled: all its memory is in use by now, and will be reused. */
static void window_is_full(struct requests *requests)
{
	ioq_window(requests->ioq, requests->window, requests->window_bytes);
	requests->window_known = true;
}

int requests_submit(struct requests *requests, const struct order_request *extent)
{
	struct request *request = request_at(requests, requests->count);
	const struct request *newest = requests->count ? request_at(requests, requests->count - 1) : NULL;
	int ret;

	if (!requests->window_known && request->at < requests->next && requests->next > requests->window_bytes / 2)
		window_is_full(requests);

	request->io = (struct io){ .offset = extent->start,
				   .len = (uint32_t)(extent->end - extent->start),
				   .cookie = request };
	request->io.buf = requests->window + request->at;
	request->done = false;
	request->row =
		newest && newest->io.offset <= extent->start ? newest->row : requests->first_number + requests->count;
	ret = ioq_submit(requests->ioq, &request->io);
	if (ret)
		return ret;
	requests->next = request->at + request->io.len;
	requests->active_bytes += request->io.len;
	requests->count++;
	return 0;
}

/* Adds waiting time; a sample combines several requests, since all workers share the sums. */
static void tell_waited(struct requests *requests, uint64_t ns)
{
	requests->waited_ns += ns;
	if (requests->waited < WAITED)
		return;
	latency_waited(requests->latency, requests->waited_ns, requests->waited_bytes, requests->waited);
	requests->waited = 0;
	requests->waited_bytes = 0;
	requests->waited_ns = 0;
}

struct request *requests_wait_oldest(struct requests *requests)
{
	struct request *oldest;
	uint64_t since;

	if (!requests_active(requests))
		return NULL;
	oldest = request_at(requests, requests->delivered);
	if (oldest->done)
		return oldest;
	since = requests_active(requests) >= MANY ? now_ns() : 0;
	/* also take others that have completed, for look_ahead() */
	while (!oldest->done || ioq_ready(requests->ioq)) {
		struct request *request = ioq_wait(requests->ioq)->cookie;

		request->done = true;
		requests->waited += since != 0;
		requests->waited_bytes += since ? request->io.len : 0;
	}
	if (since)
		tell_waited(requests, now_ns() - since);
	return oldest;
}

const struct request *requests_after_oldest(const struct requests *requests, size_t n)
{
	const struct request *request =
		requests_active(requests) > n ? request_at(requests, requests->delivered + n) : NULL;

	return request && request->npieces ? request : NULL;
}

void requests_delivered(struct requests *requests)
{
	struct request *request = request_at(requests, requests->delivered);

	request->npieces = 0;
	requests->active_bytes -= request->io.len;
	requests->delivered++;
}

/* Returns the last of the requests [low, high), whose offsets ascend, that begins at or before offset; NULL: none. */
static struct request *last_before(const struct requests *requests, size_t low, size_t high, uint64_t offset)
{
	size_t first = low;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (request_at(requests, middle)->io.offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low > first ? request_at(requests, low - 1) : NULL;
}

/* Early items and passes begin new rows. Only the newest rows are searched, since older ones rarely match. */
struct request *requests_find(struct requests *requests, uint64_t offset, uint64_t len)
{
	size_t end = requests->count;

	for (unsigned rows = 0; end && rows < ROWS; rows++) {
		const struct request *newest = request_at(requests, end - 1);
		size_t begin =
			newest->row > requests->first_number ? (size_t)(newest->row - requests->first_number) : 0;
		struct request *request = NULL;

		/* most items are ahead of everything read in this pass */
		if (offset < newest->io.offset + newest->io.len)
			request = last_before(requests, begin, end, offset);
		if (request && offset + len <= request->io.offset + request->io.len)
			return request;
		end = begin;
	}
	return NULL;
}

void item_fetch(const struct sweep_item *item)
{
	ahead_fetch((const uint8_t *)item, ITEM_BYTES);
}

void piece_fetch(const struct piece *piece, const uint8_t *bytes, uint64_t offset)
{
	ahead_fetch(bytes + (piece->offset - offset), piece->len < FETCH_BYTES ? piece->len : FETCH_BYTES);
	item_fetch(piece->item);
}

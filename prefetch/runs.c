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

static struct run *run_at(const struct runs *runs, size_t i)
{
	return &runs->ring[(runs->first + i) & (runs->size - 1)];
}

int runs_init(struct runs *runs, struct sweep *sweep)
{
	const struct sweep_options *options = &sweep->options;
	size_t least = 2 * ((size_t)options->max_request + SWEEP_MAX_UNIT);

	*runs = (struct runs){ .depth = options->depth, .latency = &sweep->latency };
	runs->window_most = options->window_bytes < least ? least : options->window_bytes;
	runs->window_bytes = runs->window_most < NEAR_BYTES ? runs->window_most : NEAR_BYTES;
	runs->size = 1; /* a power of two, for run_at() */
	while (runs->size < options->depth + runs->window_most / (16u << 10))
		runs->size *= 2;
	runs->ring = calloc(runs->size, sizeof(*runs->ring));
	runs->window = device_buffer(sweep->device, runs->window_most);
	runs->kept = malloc(SWEEP_MAX_UNIT);
	if (!runs->ring || !runs->window || !runs->kept)
		return -ENOMEM;
	return ioq_create(sweep->device, options->depth, &runs->ioq);
}

static void drop_oldest(struct runs *runs)
{
	struct run *run = run_at(runs, 0);

	run->npieces = 0;
	run->done = false;
	runs->first = (runs->first + 1) & (runs->size - 1);
	runs->first_number++;
	runs->count--;
	runs->delivered--;
}

void runs_free(struct runs *runs)
{
	if (runs->ioq)
		ioq_destroy(runs->ioq); /* waits for requests in flight */
	for (size_t i = 0; runs->ring && i < runs->size; i++) {
		free(runs->ring[i].pieces);
		free(runs->ring[i].given);
	}
	free(runs->ring);
	device_buffer_free(runs->window);
	free(runs->kept);
}

void runs_widen(struct runs *runs)
{
	runs->window_bytes = runs->window_most;
}

size_t runs_active(const struct runs *runs)
{
	return runs->count - runs->delivered;
}

/*
 * Finds room for len bytes in the window: after the newest run, or at the start if it doesn't fit there. False: the
 * oldest run is in the way.
 */
static bool find_room(const struct runs *runs, size_t len, size_t *ret_at)
{
	size_t oldest, at = runs->next;

	if (!runs->count) {
		*ret_at = 0;
		return true;
	}
	oldest = run_at(runs, 0)->at;
	if (at > oldest && runs->window_bytes - at < len)
		at = 0; /* from here on it must stay below the oldest run */
	*ret_at = at;
	return at > oldest ? true : at + len <= oldest;
}

struct run *runs_new(struct runs *runs, size_t len)
{
	struct run *run;
	size_t at;

	if (runs_active(runs) == runs->depth)
		return NULL;
	/* half of the window is for completed runs, so that reading does not get too far ahead */
	if (runs_active(runs) && runs->active_bytes + len > runs->window_bytes / 2)
		return NULL;
	while (runs->count == runs->size || !find_room(runs, len, &at)) {
		if (!runs->delivered || __atomic_load_n(&run_at(runs, 0)->busy, __ATOMIC_ACQUIRE))
			return NULL;
		drop_oldest(runs);
	}
	run = run_at(runs, runs->count);
	run->at = at;
	return run;
}

bool run_add(struct run *run, struct sweep_item *item, uint32_t len)
{
	if (array_grow(&run->pieces, &run->room, run->npieces, sizeof(*run->pieces)))
		return false;
	run->pieces[run->npieces++] =
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
static void window_is_full(struct runs *runs)
{
	ioq_window(runs->ioq, runs->window, runs->window_bytes);
	runs->window_known = true;
}

int runs_submit(struct runs *runs, const struct order_run *extent)
{
	struct run *run = run_at(runs, runs->count);
	const struct run *newest = runs->count ? run_at(runs, runs->count - 1) : NULL;
	int ret;

	if (!runs->window_known && run->at < runs->next && runs->next > runs->window_bytes / 2)
		window_is_full(runs);

	run->io = (struct io){ .offset = extent->start, .len = (uint32_t)(extent->end - extent->start), .cookie = run };
	run->io.buf = runs->window + run->at;
	run->done = false;
	run->row = newest && newest->io.offset <= extent->start ? newest->row : runs->first_number + runs->count;
	ret = ioq_submit(runs->ioq, &run->io);
	if (ret)
		return ret;
	runs->next = run->at + run->io.len;
	runs->active_bytes += run->io.len;
	runs->count++;
	return 0;
}

/* Adds waiting time; a sample combines several requests, since all workers share the sums. */
static void tell_waited(struct runs *runs, uint64_t ns)
{
	runs->waited_ns += ns;
	if (runs->waited < WAITED)
		return;
	latency_waited(runs->latency, runs->waited_ns, runs->waited_bytes, runs->waited);
	runs->waited = 0;
	runs->waited_bytes = 0;
	runs->waited_ns = 0;
}

struct run *runs_wait_oldest(struct runs *runs)
{
	struct run *oldest;
	uint64_t since;

	if (!runs_active(runs))
		return NULL;
	oldest = run_at(runs, runs->delivered);
	if (oldest->done)
		return oldest;
	since = runs_active(runs) >= MANY ? now_ns() : 0;
	/* also take others that have completed, for look_ahead() */
	while (!oldest->done || ioq_ready(runs->ioq)) {
		struct run *run = ioq_wait(runs->ioq)->cookie;

		run->done = true;
		runs->waited += since != 0;
		runs->waited_bytes += since ? run->io.len : 0;
	}
	if (since)
		tell_waited(runs, now_ns() - since);
	return oldest;
}

const struct run *runs_after_oldest(const struct runs *runs, size_t n)
{
	const struct run *run = runs_active(runs) > n ? run_at(runs, runs->delivered + n) : NULL;

	return run && run->npieces ? run : NULL;
}

void runs_delivered(struct runs *runs)
{
	struct run *run = run_at(runs, runs->delivered);

	run->npieces = 0;
	runs->active_bytes -= run->io.len;
	runs->delivered++;
}

/* Returns the last of the runs [low, high), whose offsets ascend, that begins at or before offset; NULL: none. */
static struct run *last_before(const struct runs *runs, size_t low, size_t high, uint64_t offset)
{
	size_t first = low;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (run_at(runs, middle)->io.offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low > first ? run_at(runs, low - 1) : NULL;
}

/* Early items and passes begin new rows. Only the newest rows are searched, since older ones rarely match. */
struct run *runs_find(struct runs *runs, uint64_t offset, uint64_t len)
{
	size_t end = runs->count;

	for (unsigned rows = 0; end && rows < ROWS; rows++) {
		const struct run *newest = run_at(runs, end - 1);
		size_t begin = newest->row > runs->first_number ? (size_t)(newest->row - runs->first_number) : 0;
		struct run *run = NULL;

		/* most items are ahead of everything read in this pass */
		if (offset < newest->io.offset + newest->io.len)
			run = last_before(runs, begin, end, offset);
		if (run && offset + len <= run->io.offset + run->io.len)
			return run;
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

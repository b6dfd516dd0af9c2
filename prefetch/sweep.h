/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to prefetch/: the parts of a sweep, for sweep.c, group.c and requests.c. */
#ifndef XFSCK_PREFETCH_SWEEP_H
#define XFSCK_PREFETCH_SWEEP_H

#include <pthread.h>

#include "latency.h"
#include "order.h"

/* The queues of a group; all but the inbox belong to the worker that holds the group. */
struct group {
	struct __cds_wfcq_head inbox_head;
	struct cds_wfcq_tail inbox_tail; /* items posted by workers that do not hold the group */
	uint8_t apart[64];		 /* keeps the rest off the inbox's cache line */
	bool held;			 /* a worker holds it; atomic, changed under sweep.lock */
	struct cds_wfcq_node *own;	 /* items posted by the worker that holds it, newest first */
	unsigned given;			 /* requests given to other workers; under sweep.lock */
	struct order_heap early;	 /* items to read before the pass continues */
	size_t early_pending;		 /* early items not yet delivered */
	struct order_heap ahead;	 /* items at or behind the head, for this pass */
	struct order_heap sources;	 /* likewise, but taken only while the queues are not full */
	struct order_heap behind;	 /* items before the head, for the next pass */
	uint64_t lowest;		 /* the lowest byte offset posted so far */
	uint64_t head;			 /* the byte where the next request of this pass may start */
	struct order_rules rules;	 /* of this pass */
	struct order_request extent;	 /* the latest request of this pass */
	struct sweep_item **parked;	 /* parked by sweep_hold() */
	size_t nparked, parked_room;
	uint8_t apart_too[64]; /* keeps this off the cache lines of the next group */
};

/* Data of a worker; others don't touch it before all have ended, except for counts.bytes_wanted, which is atomic. */
struct lane {
	struct group *held; /* NULL: none */
	struct sweep_counts counts;
	uint8_t apart[64]; /* keeps lanes on separate cache lines */
};

struct sweep {
	/* fixed after sweep_create() */
	struct device *device;
	struct sweep_options options;
	struct sweep_ops ops;
	unsigned ngroups;
	struct lane *lanes;   /* by worker */
	struct group *groups; /* the array; the groups themselves change */
	bool hold;	      /* atomic: see sweep_hold(); rarely changes */

	uint8_t apart[64]; /* keeps the members above, read for each item, off cache lines that are written */
	/* under lock */
	pthread_mutex_t lock;
	pthread_cond_t more;		  /* a group was released or got items, or everything is done */
	int error;			  /* the first error */
	unsigned nheld;			  /* groups that workers hold */
	struct request *jobs, **jobs_end; /* requests given away and not taken yet, oldest first */
	size_t jobs_bytes;		  /* of all jobs */
	size_t new_bytes;		  /* of jobs added since a worker was last woken */
	pthread_cond_t less;		  /* a job is done */
	unsigned spare;			  /* workers without a group; atomic, changed under lock */

	struct latency latency;
};

/* A part of an item in a request. */
struct piece {
	struct sweep_item *item;
	uint64_t offset; /* bytes on the device */
	uint32_t len;
	bool whole; /* it is the whole item */
	bool last;  /* it is the end of the item */
};

/* A read request: in flight, then kept for a while. */
struct request {
	struct io io;
	size_t at;	      /* offset of its bytes in the window */
	bool done;	      /* the read has completed */
	uint64_t row;	      /* number of the request that begins its row; offsets ascend within a row */
	struct piece *pieces; /* pieces to deliver */
	size_t npieces;
	size_t room;
	/* if it was given to another worker, see share.c */
	bool busy; /* atomic: while set, its bytes must stay in place */
	struct request *next;
	struct group *group;
	struct piece *given; /* pieces that the other worker delivers */
	size_t ngiven, given_room;
};

/*
 * The requests of a worker, oldest first: `delivered` of them were delivered and are only kept; the others are in
 * flight or waiting for delivery. Their bytes are in a window in the same order, so that dropping the oldest makes
 * room.
 */
struct requests {
	struct ioq *ioq;
	struct latency *latency;
	struct request *ring;
	size_t size;	       /* of the ring, a power of two */
	size_t first;	       /* index of the oldest request in the ring ... */
	uint64_t first_number; /* ... and its number, counted from the start */
	size_t count;
	size_t delivered;    /* number of delivered requests, the oldest */
	size_t active_bytes; /* of the others */
	size_t depth;
	/* the latency sample being collected: requests waited for with many in flight */
	unsigned waited;
	uint64_t waited_bytes, waited_ns;
	uint8_t *window;
	size_t window_bytes; /* the used size ... */
	size_t window_most;  /* ... and the full size, used after requests_widen() */
	size_t next;	     /* offset in the window for the next request */
	bool window_known;   /* it was registered by ioq_window() */
	uint8_t *kept;	     /* SWEEP_MAX_UNIT bytes for an item that device_borrow() copies */
	/* the postponed cached item, and its bytes; NULL: none */
	struct piece fetched;
	const uint8_t *fetched_bytes;
};

/* The largest request in bytes if requests are not expensive. */
#define NEAR_REQUEST (256u << 10)

/* 0 or negative errno; call requests_free() in either case. */
int requests_init(struct requests *requests, struct sweep *sweep);
void requests_free(struct requests *requests);
/* Uses the whole window from now on, to keep bytes longer, since requests are expensive. */
void requests_widen(struct requests *requests);
/* Returns the number of requests submitted and not yet delivered. */
size_t requests_active(const struct requests *requests);
/*
 * Returns a new request of at most len bytes to add pieces to; it counts after requests_submit(). NULL: no room, so the
 * oldest must be delivered first.
 */
struct request *requests_new(struct requests *requests, size_t len);
/* Adds the next len bytes of an item to a request, and advances the item. False: out of memory. */
bool request_add(struct request *request, struct sweep_item *item, uint32_t len);
/* Submits the request of requests_new() for the bytes of this extent. 0 or negative errno. */
int requests_submit(struct requests *requests, const struct order_request *extent);
/* Waits until the oldest active request is complete, and returns it; NULL: none. Then call requests_delivered(). */
struct request *requests_wait_oldest(struct requests *requests);
/* Returns the n-th active request after the oldest, complete or not, if it exists and has pieces; else NULL. */
const struct request *requests_after_oldest(const struct requests *requests, size_t n);
/* Marks the oldest active request as delivered: it is only kept from now on. */
void requests_delivered(struct requests *requests);
/* Returns a request, in flight or kept, that has all of [offset, offset + len), or NULL. */
struct request *requests_find(struct requests *requests, uint64_t offset, uint64_t len);

/*
 * Prefetch into the processor's cache: an item with its owner's data; a piece with its item and bytes. bytes: those of
 * the device from `offset` on.
 */
void item_fetch(const struct sweep_item *item);
void piece_fetch(const struct piece *piece, const uint8_t *bytes, uint64_t offset);

/* share.c: requests that one worker reads, and another without a group delivers */
/* Gives a completed request to another worker. False: none is idle, or the request must not be given away. */
bool share_give(struct sweep *sweep, struct group *group, struct request *request);
/* Returns the next job, or NULL; the lock is held. */
struct request *share_take(struct sweep *sweep);
/* Delivers the pieces of a job. */
void share_work(struct sweep *sweep, unsigned worker, struct request *job);
/*
 * If requests of this group were given away and are not done, works on a job, or waits until one is done, and returns
 * true. False: there are none, and all items from them have been posted.
 */
bool share_wait(struct sweep *sweep, struct group *group, unsigned worker);

/* park.c: true if the sweep must stop */
static inline bool park_is_due(const struct sweep *sweep)
{
	return __atomic_load_n(&sweep->hold, __ATOMIC_RELAXED);
}

/* Parks an item that has not been counted. 0 or -ENOMEM. */
int park_item(struct group *group, struct sweep_item *item);
/* Parks queued items of the group that allow it. 0 or -ENOMEM. */
int park_queues(struct group *group, struct sweep_counts *counts);

/* Sweeps a group until its queues are empty. 0 or negative errno. */
int group_sweep(struct sweep *sweep, struct group *group, struct requests *requests, unsigned worker);

#endif

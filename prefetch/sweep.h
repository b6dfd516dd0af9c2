/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to prefetch/: the parts of a sweep, shared by sweep.c, group.c and runs.c. */
#ifndef XFSCK_PREFETCH_SWEEP_H
#define XFSCK_PREFETCH_SWEEP_H

#include <pthread.h>

#include "latency.h"
#include "order.h"

/* the queues of one group; all but the inbox belong to the worker that holds the group */
struct group {
	struct __cds_wfcq_head inbox_head;
	struct cds_wfcq_tail inbox_tail; /* items posted by workers that do not hold the group */
	uint8_t apart[64];		 /* keeps the rest off the cache line of the inbox */
	bool held;			 /* a worker holds it; atomic, changed under sweep.lock */
	struct cds_wfcq_node *own;	 /* items posted by the worker that holds it, newest first */
	unsigned given;			 /* its runs that were given to other workers; under sweep.lock */
	struct order_heap early;	 /* items to read before the pass goes on */
	size_t early_pending;		 /* early items not yet handed over */
	struct order_heap ahead;	 /* items at or behind the head, for this pass */
	struct order_heap sources;	 /* likewise, but taken only while the queues are not full */
	struct order_heap behind;	 /* items before the head, for the next pass */
	uint64_t lowest;		 /* bytes: the lowest offset of all items posted so far */
	uint64_t head;			 /* bytes: where the next request of this pass may start */
	struct order_rules rules;	 /* of this pass */
	struct order_run extent;	 /* the latest request of this pass */
	struct sweep_item **parked;	 /* set aside by sweep_hold() */
	size_t nparked, parked_room;
	uint8_t apart_too[64]; /* keeps this off the cache lines of the next group */
};

/* What belongs to one worker; no other touches it before all have ended, but for counts.bytes_wanted, which is atomic.
 */
struct lane {
	struct group *held; /* NULL: none */
	struct sweep_counts counts;
	uint8_t apart[64]; /* so that no two lanes share a cache line */
};

struct sweep {
	/* fixed after sweep_create() */
	struct device *device;
	struct sweep_options options;
	struct sweep_ops ops;
	unsigned ngroups;
	struct lane *lanes;   /* one per worker */
	struct group *groups; /* the array; the groups themselves change */
	bool hold;	      /* atomic: see sweep_hold(); it changes hardly ever */

	uint8_t apart[64]; /* keeps the above, which workers read for each item, off cache lines that are written to */
	/* under lock */
	pthread_mutex_t lock;
	pthread_cond_t more;	      /* a group became free, got work, or all is done */
	int error;		      /* the first that stopped us */
	unsigned nheld;		      /* groups that workers hold */
	struct run *jobs, **jobs_end; /* runs that were given away and not taken yet, oldest first */
	size_t jobs_bytes;	      /* of all jobs */
	size_t untold_bytes;	      /* of jobs that were added since a worker was last woken for them */
	pthread_cond_t less;	      /* a job is done */
	unsigned spare;		      /* workers without a group; atomic, changed under lock */

	struct latency latency;
};

/* part of an item in a run */
struct piece {
	struct sweep_item *item;
	uint64_t offset; /* bytes on the device */
	uint32_t len;
	bool whole; /* the piece is the whole item */
	bool last;  /* the piece is the end of the item */
};

/* one read request: in flight, then kept for a while */
struct run {
	struct io io;
	size_t at;	      /* where its bytes lie in the window */
	bool done;	      /* it has been read */
	uint64_t row;	      /* the number of the run that begins its row; within a row, offsets ascend */
	struct piece *pieces; /* of items, to be handed over */
	size_t npieces;
	size_t room;
	/* if it was given to another worker, see share.c */
	bool busy; /* atomic; as long as it is set, its bytes must stay where they are */
	struct run *next;
	struct group *group;
	struct piece *given; /* pieces that the other worker hands over */
	size_t ngiven, given_room;
};

/*
 * The runs of one worker, oldest first: `delivered` of them have been handed over and are only kept, the others are in
 * flight or wait for their turn.  Their bytes lie in a window in the same order, so that room is made by dropping the
 * oldest.
 */
struct runs {
	struct ioq *ioq;
	struct latency *latency;
	struct run *ring;
	size_t size;	       /* of the ring, a power of two */
	size_t first;	       /* index of the oldest run in the ring ... */
	uint64_t first_number; /* ... and its number, counted from the beginning */
	size_t count;
	size_t delivered;    /* how many, the oldest, are only kept */
	size_t active_bytes; /* of the others */
	size_t depth;
	/* a sample for latency_waited() while it is collected: requests that were waited for with many in flight */
	unsigned waited;
	uint64_t waited_bytes, waited_ns;
	uint8_t *window;
	size_t window_bytes; /* how much of it is used, ... */
	size_t window_most;  /* ... and how much can be, after runs_widen() */
	size_t next;	     /* where in the window the next run may go */
	bool window_known;   /* it has been registered by ioq_window() */
	uint8_t *kept;	     /* SWEEP_MAX_UNIT bytes: for an item that device_borrow() copies */
	/* the next item that was kept from an earlier sweep, and its bytes; NULL: there is none */
	struct piece fetched;
	const uint8_t *fetched_bytes;
};

/* The largest request if requests are not expensive, in bytes. */
#define NEAR_REQUEST (256u << 10)

/* 0 or negative errno; runs_free() in either case */
int runs_init(struct runs *runs, struct sweep *sweep);
void runs_free(struct runs *runs);
/* Requests have turned out to be expensive: from now on use the whole window, to keep what has been read longer. */
void runs_widen(struct runs *runs);
/* Number of runs submitted and not yet delivered. */
size_t runs_active(const struct runs *runs);
/*
 * A new run of at most len bytes to add pieces to; it does not count before runs_submit().  NULL: there is no room, so
 * the oldest must be delivered first.
 */
struct run *runs_new(struct runs *runs, size_t len);
/* Add the next len bytes of an item to a run, and move the item on by so much. False: out of memory. */
bool run_add(struct run *run, struct sweep_item *item, uint32_t len);
/* Submit the run of runs_new(), for the bytes of this extent. 0 or negative errno. */
int runs_submit(struct runs *runs, const struct order_run *extent);
/* Wait until the oldest active run is complete, and return it; NULL: none is active. Call runs_delivered() afterwards.
 */
struct run *runs_wait_oldest(struct runs *runs);
/* The n-th active run after the oldest, if there is one and it has pieces, complete or not; else NULL. */
const struct run *runs_after_oldest(const struct runs *runs, size_t n);
/* The oldest active run has been handed over: it is only kept from now on. */
void runs_delivered(struct runs *runs);
/* A run, in flight or kept, that holds all of [offset, offset + len), or NULL. */
struct run *runs_find(struct runs *runs, uint64_t offset, uint64_t len);

/*
 * Prefetch into the processor's cache: an item with what its owner keeps behind it; or a piece with its item and its
 * bytes, bytes being those of the device from `offset` on.
 */
void item_fetch(const struct sweep_item *item);
void piece_fetch(const struct piece *piece, const uint8_t *bytes, uint64_t offset);

/* share.c: runs that one worker has read and another, without a group, hands over */
/* Give a run that has been read to another worker. False: none is without work, or the run must not be given away. */
bool share_give(struct sweep *sweep, struct group *group, struct run *run);
/* Under lock: the next job, or NULL. */
struct run *share_take(struct sweep *sweep);
/* Hand the pieces of a job over. */
void share_work(struct sweep *sweep, unsigned worker, struct run *job);
/*
 * If runs of this group have been given away and are not done: work on a job, or wait until one is done, and return
 * true.  False: there are none, and all that they posted has been posted.
 */
bool share_wait(struct sweep *sweep, struct group *group, unsigned worker);

/* park.c: whether the sweep shall come to a halt */
static inline bool park_is_due(const struct sweep *sweep)
{
	return __atomic_load_n(&sweep->hold, __ATOMIC_RELAXED);
}

/* Set an item aside that has not been counted yet.  0 or -ENOMEM. */
int park_item(struct group *group, struct sweep_item *item);
/* Set aside what parks of all that waits in the group's queues.  0 or -ENOMEM. */
int park_queues(struct group *group, struct sweep_counts *counts);

/* Sweep a group until its queues are empty: 0 or negative errno. */
int group_sweep(struct sweep *sweep, struct group *group, struct runs *runs, unsigned worker);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to prefetch/: the parts of a sweep, shared by sweep.c, group.c and runs.c. */
#ifndef XFSCK_PREFETCH_SWEEP_H
#define XFSCK_PREFETCH_SWEEP_H

#include <pthread.h>

#include "latency.h"
#include "order.h"

/* the queues of one group; but for the inbox they belong to the worker that holds the group */
struct group {
	struct __cds_wfcq_head inbox_head;
	struct cds_wfcq_tail inbox_tail; /* posts from whoever does not hold the group */
	uint8_t apart[64];		 /* from what others post */
	bool held;			 /* a worker has it; changed under sweep.lock, atomic */
	struct cds_wfcq_node *own;	 /* posts of the worker that holds it, newest first */
	unsigned given;			 /* its runs that others have, or are to have; under sweep.lock */
	struct order_heap early;	 /* before the pass */
	size_t early_pending;		 /* early items not yet handed over */
	struct order_heap ahead;
	struct order_heap sources; /* ahead as well, taken only while the queues are not full */
	struct order_heap behind;  /* for the next pass */
	uint64_t lowest;	   /* bytes: nothing was posted that lies before it */
	uint64_t head;		   /* bytes: where the next request of this pass may start */
	struct order_rules rules;  /* of this pass, */
	struct order_run extent;   /* and its latest request */
	uint8_t apart_too[64];	   /* from the next group */
};

/* What one worker does; no other touches it before all have ended. */
struct lane {
	struct group *held;
	struct sweep_counts counts;
	uint8_t apart[64]; /* no two lanes share a cache line */
};

struct sweep {
	/* fixed after sweep_create() */
	struct device *device;
	struct sweep_options options;
	struct sweep_ops ops;
	unsigned ngroups;
	struct lane *lanes;   /* one per worker */
	struct group *groups; /* what is in them is not fixed */

	uint8_t apart[64]; /* what workers look at for each item shares no cache line with what others write to */
	/* under lock */
	pthread_mutex_t lock;
	pthread_cond_t more;	      /* a group became free, got work, or all is done */
	int error;		      /* the first that stopped us */
	unsigned nheld;		      /* groups */
	struct run *jobs, **jobs_end; /* runs that were given away, and that nobody has taken yet; oldest first */
	size_t jobs_bytes;
	size_t untold_bytes; /* of these, since somebody was woken */
	pthread_cond_t less; /* a job is done */
	unsigned spare;	     /* workers without a group; changed under lock, atomic */

	struct latency latency;
};

/* part of an item in a run */
struct piece {
	struct sweep_item *item;
	uint64_t offset; /* bytes on the device */
	uint32_t len;
	bool whole; /* all of it */
	bool last;
};

/* one request: in flight, then kept for a while */
struct run {
	struct io io;
	size_t at; /* of its bytes in the window */
	bool done;
	uint64_t row; /* the number of the run that begins its row: each of it lies behind the one before */
	struct piece *pieces;
	size_t npieces;
	size_t room;
	/* given away, see share.c: */
	bool busy; /* atomic; until then its bytes stay where they are */
	struct run *next;
	struct group *group;
	struct piece *given;
	size_t ngiven, given_room;
};

/*
 * The runs of one worker, oldest first: `delivered` of them have been handed over
 * and are only kept, the others are in flight or wait for their turn.  Their bytes lie in
 * a window in the same order, so that room is made by forgetting the oldest.
 */
struct runs {
	struct ioq *ioq;
	struct latency *latency;
	struct run *ring;
	size_t size;  /* of the ring, a power of two */
	size_t first; /* oldest, */
	uint64_t first_number;
	size_t count;
	size_t delivered;    /* the oldest ones, kept */
	size_t active_bytes; /* of the others */
	size_t depth;
	unsigned waited; /* requests that many others were in flight with: not yet told how long they, */
	uint64_t waited_bytes, waited_ns; /* and these of theirs, were waited for */
	uint8_t *window;
	size_t window_bytes; /* of it that are used, */
	size_t window_most;  /* and that may be: see runs_widen() */
	size_t next;	     /* where in the window the next run may go */
	bool window_known;   /* to the queue */
	uint8_t *kept;	     /* SWEEP_MAX_UNIT bytes: an item that need not be read */
	/* the next item that need not be, and its bytes; NULL: there is none */
	struct piece fetched;
	const uint8_t *fetched_bytes;
};

/* A request need not be larger where none is dear. */
#define NEAR_REQUEST (256u << 10)

int runs_init(struct runs *runs, struct sweep *sweep);
void runs_free(struct runs *runs);
/* Requests are dear: what has been read stays as long as there is room for it. */
void runs_widen(struct runs *runs);
/* Number of runs submitted and not yet delivered. */
size_t runs_active(const struct runs *runs);
/* A new run of at most len bytes to add pieces to; NULL: there is no room (deliver first). Not there until
 * runs_submit(). */
struct run *runs_new(struct runs *runs, size_t len);
bool run_add(struct run *run, struct sweep_item *item, uint32_t len);
int runs_submit(struct runs *runs, const struct order_run *extent);
/* The oldest active run once it is complete; NULL if none is active. Then runs_delivered(). */
struct run *runs_wait_oldest(struct runs *runs);
/* The n-th active one after the oldest, whether it has come or not, or NULL. */
const struct run *runs_after_oldest(const struct runs *runs, size_t n);
void runs_delivered(struct runs *runs);
/* A run, in flight or kept, that holds all of [offset, offset + len), or NULL. */
struct run *runs_find(struct runs *runs, uint64_t offset, uint64_t len);

/* Have the processor ask for an item with what its owner keeps there; or for all that is needed to work on a piece of
 * these bytes, which begin at offset. */
void item_fetch(const struct sweep_item *item);
void piece_fetch(const struct piece *piece, const uint8_t *bytes, uint64_t offset);

/* share.c: work on what has been read, for workers that have no group. */
/* Give a run that has come to another worker: false, if nobody waits for one, or it has to stay. */
bool share_give(struct sweep *sweep, struct group *group, struct run *run);
/* Under lock: the next job, or NULL. */
struct run *share_take(struct sweep *sweep);
void share_work(struct sweep *sweep, unsigned worker, struct run *job);
/* Take a job, or wait until one of this group is done: true. False: none is under way, all they posted is there. */
bool share_wait(struct sweep *sweep, struct group *group, unsigned worker);

/* Sweep a group until its queues are empty: 0 or negative errno. */
int group_sweep(struct sweep *sweep, struct group *group, struct runs *runs, unsigned worker);

#endif

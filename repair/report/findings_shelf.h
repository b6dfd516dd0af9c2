/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to findings*.c: where findings are kept. */
#ifndef XFSCK_REPAIR_FINDINGS_SHELF_H
#define XFSCK_REPAIR_FINDINGS_SHELF_H

#include <pthread.h>

#include "findings.h"

#define LANE_ROOM 32

struct lane {
	unsigned count;
	struct found found[LANE_ROOM];
	uint8_t names[LANE_ROOM][UINT8_MAX]; /* of each found */
};

struct shelf {
	struct found *found; /* each with a name of its own; sorted and without duplicates after shelf_settle() */
	uint32_t count;
	uint32_t capacity;    /* at most twice what is kept */
	uint32_t taken;	      /* by findings_next() */
	bool full;	      /* findings greater than bound are only counted */
	struct found bound;   /* a copy of the last that is kept, whose name it shares */
	uint64_t excess;      /* reports that are only counted, ... */
	uint64_t excess_told; /* ... and how many of these were reported */
};

struct findings {
	pthread_mutex_t lock; /* the shelves, while threads add */
	struct shelf shelves[FINDING_NR];
	unsigned filled[FINDING_NR], nfilled; /* the shelves that are not empty, for going over all findings */
	uint32_t kept;			      /* so many are kept on a shelf */
	bool starved;			      /* one that should be kept was only counted for lack of memory */
	unsigned lane_count;
	struct lane lanes[];
};

/* Sort, merge equal ones, keep the smallest, `most` of them. */
void shelf_settle(struct shelf *s, uint32_t most);
/* Drop all that is on it. */
void shelf_clear(struct shelf *s);
/* Put what is in the lanes onto the shelves. */
void findings_empty_lanes(struct findings *f);

#endif

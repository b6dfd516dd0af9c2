/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where findings are kept; private to findings*.c. */
#ifndef XFSCK_REPAIR_FINDINGS_SHELF_H
#define XFSCK_REPAIR_FINDINGS_SHELF_H

#include <pthread.h>

#include "findings.h"

#define LANE_ROOM 32

struct lane {
	unsigned count;
	struct found found[LANE_ROOM];
	uint8_t names[LANE_ROOM][UINT8_MAX]; /* the name of each finding */
};

struct shelf {
	struct found *found; /* each owns its name; sorted and without duplicates after shelf_settle() */
	uint32_t count;
	uint32_t capacity;	  /* at most twice `kept` */
	uint32_t taken;		  /* already returned by findings_next() */
	bool full;		  /* findings greater than `bound` are only counted */
	struct found bound;	  /* a copy of the last finding that is kept; shares its name */
	uint64_t excess;	  /* findings that are only counted ... */
	uint64_t excess_reported; /* ... and how many of these were reported */
};

struct findings {
	pthread_mutex_t lock; /* for the shelves, while threads add */
	struct shelf shelves[FINDING_NR];
	unsigned filled[FINDING_NR], nfilled; /* shelves that are not empty */
	uint32_t kept;			      /* the most findings that a shelf keeps */
	bool starved;			      /* a finding that should be kept was only counted for lack of memory */
	unsigned lane_count;
	struct lane lanes[];
};

/* Sorts a shelf, merges equal findings, and keeps the `most` smallest. */
void shelf_settle(struct shelf *s, uint32_t most);
/* Frees all findings of a shelf. */
void shelf_clear(struct shelf *s);
/* Moves the findings in all lanes onto the shelves. */
void findings_empty_lanes(struct findings *f);

#endif

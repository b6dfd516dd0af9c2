/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directory blocks whose fs blocks lie in several places: what has come of each, until all has. */
#ifndef XFSCK_REPAIR_ASSEMBLY_H
#define XFSCK_REPAIR_ASSEMBLY_H

#include "walker.h"

struct inflight;

struct assembly {
	struct assembly *next; /* in its bucket */
	uint64_t db_start;     /* fs block in the fork */
	uint32_t have;	       /* fs blocks that have come */
	bool over;	       /* complete, or given up: what comes now is too much */
	xdaddr_t daddr;	       /* of its first fs block */
	uint8_t *bytes;	       /* NULL until something has come, and when it is over */
};

#define ASSEMBLY_BUCKETS 1024u

/* those of one directory */
struct assemblies {
	struct assembly *buckets[ASSEMBLY_BUCKETS];
	bool scattered; /* not all had room, which has been said */
};

/* The assembly of the directory block that begins at db_start; under lock. NULL: out of memory. */
struct assembly *assembly_of(struct walker *w, struct inflight *inflight, uint64_t db_start);
/*
 * Adds len bytes, whole fs blocks from fileoff on; under lock. Returns the block once it is complete: the caller gives
 * it back with assembly_done().
 */
uint8_t *assembly_add(struct walker *w, struct inflight *inflight, struct assembly *a, uint64_t fileoff,
		      const uint8_t *bytes, uint32_t len);
void assembly_done(struct walker *w, uint8_t *bytes);
/* Reports those that are not complete. */
void assemblies_settle(struct walker *w, const struct assemblies *assemblies);
void assemblies_free(struct walker *w, struct assemblies *assemblies);

#endif

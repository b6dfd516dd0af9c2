/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts together directory blocks whose fs blocks lie in several places of the device. */
#ifndef XFSCK_REPAIR_ASSEMBLY_H
#define XFSCK_REPAIR_ASSEMBLY_H

#include "walker.h"

struct inflight;

struct assembly {
	struct assembly *next; /* in its bucket */
	uint64_t db_start;     /* offset of the directory block in the fork, in fs blocks */
	uint32_t have;	       /* fs blocks that have come */
	bool over;	       /* complete, or given up: further parts are ignored */
	xdaddr_t daddr;	       /* of its first fs block */
	uint8_t *bytes;	       /* NULL before the first part has come, and once it is over */
};

#define ASSEMBLY_BUCKETS 1024u

/* the assemblies of one directory, hashed by db_start */
struct assemblies {
	struct assembly *buckets[ASSEMBLY_BUCKETS];
	bool scattered; /* there was no memory for some, and DIR_BLOCK_SCATTERED has been reported */
};

/* The assembly of the directory block that begins at db_start, made if there is none; under lock. NULL: no memory. */
struct assembly *assembly_of(struct walker *w, struct inflight *inflight, uint64_t db_start);
/*
 * Adds len bytes, whole fs blocks from fileoff on; under lock.  Returns the directory block if it is now complete, to
 * be given back by assembly_done(); else NULL.
 */
uint8_t *assembly_add(struct walker *w, struct inflight *inflight, struct assembly *a, uint64_t fileoff,
		      const uint8_t *bytes, uint32_t len);
void assembly_done(struct walker *w, uint8_t *bytes);
/* Reports directory blocks of which some fs blocks are not mapped. */
void assemblies_settle(struct walker *w, const struct assemblies *assemblies);
void assemblies_free(struct walker *w, struct assemblies *assemblies);

#endif

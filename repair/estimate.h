/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells what a long sweep will take, by the pace of its first seconds, and what would make it faster. */
#ifndef XFSCK_REPAIR_ESTIMATE_H
#define XFSCK_REPAIR_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

struct estimate;
struct repair;
struct words;

/* What the first part of a sweep was like. */
struct sweep_seen {
	uint64_t ms;	       /* milliseconds since it began, */
	uint64_t processor_ms; /* and those of processor time */
	unsigned processors;
	uint64_t done, expected;     /* inodes in use */
	uint64_t bytes;		     /* read */
	uint64_t directories;	     /* met; some may be left out */
	uint64_t directories_before; /* met by an earlier run that this one goes on with */
	uint64_t room;		     /* bytes of memory for the table of directories */
	bool disk;		     /* the device is a disk that turns */
};

/*
 * Have a note told some seconds after a sweep over `expected` inodes has begun, if the user wants to know (-v), or if
 * it takes long.  NULL: there will be none.
 */
struct estimate *estimate_begin(const struct repair *rc, uint64_t expected);
/* When the sweep has ended, or is about to be given up. */
void estimate_end(struct estimate *estimate);

/* How many seconds the rest takes at the same pace; UINT64_MAX: nobody can tell. */
uint64_t estimate_seconds(const struct sweep_seen *seen);
/* The same as sentences. */
void estimate_tell(struct words *words, const struct sweep_seen *seen);

#endif

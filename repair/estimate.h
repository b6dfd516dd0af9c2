/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Estimates how long a sweep will take, from the pace of its first seconds, and says what would make it faster. */
#ifndef XFSCK_REPAIR_ESTIMATE_H
#define XFSCK_REPAIR_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

struct estimate;
struct repair;
struct words;

/* The first part of a sweep. */
struct sweep_seen {
	uint64_t ms;	       /* milliseconds since it began */
	uint64_t processor_ms; /* milliseconds of processor time since it began */
	unsigned processors;
	uint64_t done, expected;     /* inodes in use */
	uint64_t bytes;		     /* read */
	uint64_t directories;	     /* found so far; some may be missing */
	uint64_t directories_before; /* found by an earlier run, which this one resumes */
	uint64_t room;		     /* bytes of memory for the table of directories */
	bool disk;		     /* the device is a rotating disk */
};

/*
 * Starts a thread that prints a note a few seconds into a sweep over `expected` inodes, with -v or if the sweep will
 * take long.  Returns NULL if the thread can't be started.
 */
struct estimate *estimate_begin(const struct repair *rc, uint64_t expected);
/* Ends the thread and frees the estimate: call it when the sweep has ended or failed.  NULL is allowed. */
void estimate_end(struct estimate *estimate);

/* Returns the seconds that the rest takes at the same pace, or UINT64_MAX if that is unknown. */
uint64_t estimate_seconds(const struct sweep_seen *seen);
/* Adds the estimate to the words, as sentences; adds nothing if it is unknown. */
void estimate_tell(struct words *words, const struct sweep_seen *seen);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The search for the head of the log, shared by log.c and log_head.c. */
#ifndef XFSCK_LIBXFS_LOG_HEAD_H
#define XFSCK_LIBXFS_LOG_HEAD_H

#include "log_record.h"

#define LAPS_MAX 2u /* the first block of the log may be this many laps ahead of the last one */

struct log_search {
	const struct check *c;
	struct check silent; /* for blocks that may not belong to the log's contents */
	struct log_reader *log;
	uint32_t cycle;		/* of the block before the head; blocks after the head have cycle - 1 */
	uint32_t head;		/* 1 to bbs: the first unused block */
	uint32_t junk;		/* the block nearest to the head whose cycle is invalid there, or LOG_NO_BLOCK */
	struct log_record last; /* the record that ends at the head */
	bool moved;		/* the head lies before the place where the cycle changes */
	bool misled;		/* damage hides the head from the kernel */
	bool any;		/* log_head_survey() found an intact record */
};

/* Number of blocks from `from` forward to `to`, modulo the length of the log: 0 to bbs - 1. */
static inline uint32_t log_distance(const struct log_reader *log, uint32_t from, uint32_t to)
{
	return (uint32_t)(((uint64_t)to + log->bbs - from) % log->bbs);
}

/* Reads the cycle of a block.  False: it is unreadable. */
bool log_cycle_at(const struct log_search *s, uint32_t bb, uint32_t *ret_cycle);

/*
 * Finds head and last record; first and last are the cycles of the first and the last block of the log, not both 0.
 * False: no intact record ends at the head.
 */
bool log_head_find(struct log_search *s, uint32_t first, uint32_t last);

/*
 * Finds them by the newest intact record, and reads all of the log: if the first or the last block of the log is lost,
 * or others that log_head_find() uses.  False also if the log may continue after that record.
 */
bool log_head_survey(struct log_search *s);

/* True if an intact record of this file system lies at bb, by its LSN. */
bool log_head_whole(const struct log_search *s, uint32_t bb, struct log_record *ret_record);

/* Moves the head to the end of this record. */
void log_head_behind(struct log_search *s, const struct log_record *record);

/* Moves the head of a dirty log back to the first torn record of those in flight.  False: as log_head_find(). */
bool log_head_trim(struct log_search *s);

/*
 * Moves the head forward over holes caused by damage (log_behind.c), to the end of the newest records that prove that
 * the holes are not interrupted writes.  clean: the last record before the head is an unmount record; then only a log
 * whose head was moved back is read.  True: the head has moved.
 */
bool log_head_pass_holes(struct log_search *s, bool clean);

/* True if the record at bb has a single wrong bit, according to its checksum: it was written completely. */
bool log_lacks_bit(const struct log_search *s, uint32_t bb);

/* The head as an LSN. */
lsn_t log_head_lsn(const struct log_search *s);

#endif

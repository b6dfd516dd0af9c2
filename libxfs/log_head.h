/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The search for the head of the log: between log.c and log_head.c. */
#ifndef XFSCK_LIBXFS_LOG_HEAD_H
#define XFSCK_LIBXFS_LOG_HEAD_H

#include "log_record.h"

#define LAPS_MAX 2u /* that the first block of the log may be ahead of the last one */

struct log_search {
	const struct check *c;
	struct check silent; /* for blocks that may turn out not to belong to the log's contents */
	struct log_reader *log;
	uint32_t cycle;		/* of the block before the head; blocks behind the head have cycle - 1 */
	uint32_t head;		/* 1 to bbs: the first block that is not in use */
	uint32_t junk;		/* the block nearest to the head whose cycle is impossible there, or LOG_NO_BLOCK */
	struct log_record last; /* the record that ends at the head */
	bool moved;		/* the head lies before the place where the cycle changes */
	bool misled;		/* damage hides the head from the kernel */
	bool any;		/* log_head_survey() has found a whole record */
};

/* Blocks from `from` forward to `to`, round the end of the log: 0 to bbs - 1. */
static inline uint32_t log_distance(const struct log_reader *log, uint32_t from, uint32_t to)
{
	return (uint32_t)(((uint64_t)to + log->bbs - from) % log->bbs);
}

/* False: the block can't be read. */
bool log_cycle_at(const struct log_search *s, uint32_t bb, uint32_t *ret_cycle);

/*
 * Find head and last record; first and last are the cycles of the first and the last block of the log, not both 0.
 * False: no whole record ends at the head, as far as it has been found.
 */
bool log_head_find(struct log_search *s, uint32_t first, uint32_t last);

/*
 * The same if the first or the last block of the log is lost, or others that log_head_find() has gone by: all of the
 * log is read, and the newest whole record tells.  False also if the log may go on behind that record.
 */
bool log_head_survey(struct log_search *s);

/* True if a whole record of this file system lies at bb, by its LSN. */
bool log_head_whole(const struct log_search *s, uint32_t bb, struct log_record *ret_record);

/* Move the head behind this record. */
void log_head_behind(struct log_search *s, const struct log_record *record);

/* For a dirty log: move the head back to the first torn record of those in flight.  False: as log_head_find(). */
bool log_head_trim(struct log_search *s);

/*
 * log_behind.c: move the head on, over holes that damage left, to the end of the newest records, as far as these tell
 * that the holes are no writes that a crash cut off.  clean: the last record before the head is an unmount record;
 * then only a log whose head was moved back is looked at.  True: the head has moved.
 */
bool log_head_pass_holes(struct log_search *s, bool clean);

/*
 * True if a record begins at bb, and one bit is all that is wrong with it, as its checksum tells: it was written whole.
 */
bool log_lacks_bit(const struct log_search *s, uint32_t bb);

/* The head as an LSN. */
lsn_t log_head_lsn(const struct log_search *s);

#endif

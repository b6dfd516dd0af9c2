/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing to the log (ondisk 11): the record that says that nothing waits in it, and a log that holds nothing else.
 * Blocks are of 512 bytes, numbered from the start of the log, which has `bbs` of them.
 */
#ifndef XFSCK_LIBXFS_LOG_WRITE_H
#define XFSCK_LIBXFS_LOG_WRITE_H

#include "disk/log.h"
#include "geometry.h"

/*
 * A log with this head and tail is marked clean in two steps: first every block of
 * [head + record, head + clear_blocks), round the end, that log_block_stale() names is overwritten with
 * log_clear_encode(); then, when that is on the medium, log_unmount_encode()'s record goes to the head.
 */
struct log_ending {
	lsn_t head;	       /* where the record goes */
	lsn_t tail;	       /* what waits begins there; the head if nothing does */
	uint32_t bbs;	       /* of the log */
	uint32_t record;       /* blocks of the record */
	uint32_t clear_blocks; /* blocks behind the head that writes under way at the crash may have reached */
};

/*
 * False: the log is so full that the record would overwrite what waits in it; or head and tail don't fit to
 * each other or to a log of this length.
 */
bool log_ending_plan(const struct geometry *geo, uint32_t bbs, lsn_t head, lsn_t tail, struct log_ending *ret_ending);

/* Whether the block at this distance behind the head could be taken for one that was written later than the record. */
bool log_block_stale(const struct log_ending *ending, uint32_t distance, const uint8_t block[LOG_BLOCK]);
/* What goes there instead: it counts as written a lap before. */
void log_clear_encode(const struct geometry *geo, const struct log_ending *ending, uint32_t distance,
		      uint8_t block[LOG_BLOCK]);
/* ending->record blocks; they go to the head, round the end of the log. */
void log_unmount_encode(const struct geometry *geo, const struct log_ending *ending, uint8_t *blocks);

/* Blocks of the record that a new log starts with. */
uint32_t log_record_blocks(const struct geometry *geo);
/*
 * A new log: that record, in this cycle (at least 1), and behind it one block like the other.  Metadata may be dated up
 * to (cycle, log_record_blocks()).
 */
void log_format_record(const struct geometry *geo, uint32_t bbs, uint32_t cycle, uint8_t *record);
void log_format_block(const struct geometry *geo, uint32_t cycle, uint32_t bb, uint8_t block[LOG_BLOCK]);

#endif

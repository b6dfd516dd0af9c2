/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marking a log clean with an unmount record, and building a new log that holds nothing else (ondisk 11).  Blocks have
 * 512 bytes and are numbered from the start of the log, which has `bbs` of them.
 */
#ifndef XFSCK_LIBXFS_LOG_WRITE_H
#define XFSCK_LIBXFS_LOG_WRITE_H

#include "disk/log.h"
#include "geometry.h"

/*
 * How a log is marked clean, in two steps.  First, of the blocks [head + record, head + clear_blocks), round the end of
 * the log, those that are log_block_stale() are overwritten with what log_clear_encode() gives.  When that is on the
 * medium, the record that log_unmount_encode() gives is written at the head.
 */
struct log_ending {
	lsn_t head;	       /* where the unmount record goes */
	lsn_t tail;	       /* first record that waits for replay; the head if none does */
	uint32_t bbs;	       /* blocks of the log */
	uint32_t record;       /* blocks of the unmount record */
	uint32_t clear_blocks; /* blocks behind the head that writes under way at the crash may have reached */
};

/*
 * Plan how to end a log.  False: the log is so full that the unmount record would overwrite records that wait for
 * replay; or head and tail contradict each other or the length of the log.
 */
bool log_ending_plan(const struct geometry *geo, uint32_t bbs, lsn_t head, lsn_t tail, struct log_ending *ret_ending);

/*
 * Whether the block at this distance behind the head has another cycle than blocks behind the head must have, so that a
 * search for the head could end elsewhere.
 */
bool log_block_stale(const struct log_ending *ending, uint32_t distance, const uint8_t block[LOG_BLOCK]);
/* Build the block that replaces it: an empty record header of the cycle before, or zeroes if that is cycle 0. */
void log_clear_encode(const struct geometry *geo, const struct log_ending *ending, uint32_t distance,
		      uint8_t block[LOG_BLOCK]);
/* Build the unmount record, of ending->record blocks, for the head; it may go round the end of the log. */
void log_unmount_encode(const struct geometry *geo, const struct log_ending *ending, uint8_t *blocks);

/* Blocks of the record that a new log starts with. */
uint32_t log_record_blocks(const struct geometry *geo);
/*
 * Build a new log: an unmount record of log_record_blocks() at block 0, in this cycle, at least 1; and each block bb
 * behind it.  The head is then (cycle, log_record_blocks()); all LSNs of metadata must lie before that.
 */
void log_format_record(const struct geometry *geo, uint32_t bbs, uint32_t cycle, uint8_t *record);
void log_format_block(const struct geometry *geo, uint32_t cycle, uint32_t bb, uint8_t block[LOG_BLOCK]);

#endif

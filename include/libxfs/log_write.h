/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks a log clean with an unmount record, and builds a new log that holds nothing else (ondisk 11).  Blocks have 512
 * bytes and are numbered from the start of the log, which has `bbs` of them.
 */
#ifndef XFSCK_LIBXFS_LOG_WRITE_H
#define XFSCK_LIBXFS_LOG_WRITE_H

#include "disk/log.h"
#include "geometry.h"

/*
 * How a log is marked clean, in two steps.  First, those of the blocks [head + record, head + clear_blocks), modulo the
 * length of the log, that are log_block_stale() are overwritten by log_clear_encode().  When these are on the medium,
 * the record of log_unmount_encode() is written at the head.
 */
struct log_ending {
	lsn_t head;	       /* where the unmount record goes */
	lsn_t tail;	       /* first record that waits for replay; the head if none does */
	uint32_t bbs;	       /* blocks of the log */
	uint32_t record;       /* blocks of the unmount record */
	uint32_t clear_blocks; /* blocks after the head that writes in flight at the crash may have reached */
};

/*
 * Plans the end of a log.  False: the log is so full that the unmount record would overwrite records that wait for
 * replay; or head and tail contradict each other or the length of the log.
 */
bool log_ending_plan(const struct geometry *geo, uint32_t bbs, lsn_t head, lsn_t tail, struct log_ending *ret_ending);

/*
 * True if the block at this distance after the head has a cycle that no block after the head may have, so that a
 * search for the head could end elsewhere.
 */
bool log_block_stale(const struct log_ending *ending, uint32_t distance, const uint8_t block[LOG_BLOCK]);
/* Builds the block that replaces it: an empty record header of the cycle before, or zeroes if that is cycle 0. */
void log_clear_encode(const struct geometry *geo, const struct log_ending *ending, uint32_t distance,
		      uint8_t block[LOG_BLOCK]);
/* Builds the unmount record, of ending->record blocks, for the head; it may wrap around the end of the log. */
void log_unmount_encode(const struct geometry *geo, const struct log_ending *ending, uint8_t *blocks);

/* Blocks of the first record of a new log. */
uint32_t log_record_blocks(const struct geometry *geo);
/*
 * Builds a new log: an unmount record of log_record_blocks() at block 0, in this cycle, at least 1; and each block bb
 * after it.  The head is then (cycle, log_record_blocks()); LSNs of metadata must lie before it.
 */
void log_format_record(const struct geometry *geo, uint32_t bbs, uint32_t cycle, uint8_t *record);
void log_format_block(const struct geometry *geo, uint32_t cycle, uint32_t bb, uint8_t block[LOG_BLOCK]);

#endif

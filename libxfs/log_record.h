/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the log in chunks, and decodes one of its records: for log.c, log_head.c and other files here. */
#ifndef XFSCK_LIBXFS_LOG_RECORD_H
#define XFSCK_LIBXFS_LOG_RECORD_H

#include "disk/log.h"
#include "libxfs/log.h"

#define LOG_CHUNK_BLOCKS 64u

struct log_reader {
	log_read *read;
	void *ctx;
	uint32_t bbs;	       /* blocks of the log */
	uint32_t first, count; /* blocks in bytes[] */
	uint32_t unreadable;   /* the first unreadable block, or LOG_NO_BLOCK */
	uint32_t missing;      /* the device ends before this block, if known; else LOG_NO_BLOCK */
	uint8_t bytes[LOG_CHUNK_BLOCKS * LOG_BLOCK];
};

/* A reader of a log of bbs blocks, without any block read; of 0 blocks if bbs is too large. */
struct log_reader log_reader_of(log_read *read, void *ctx, uint64_t bbs);

/*
 * Returns a block of the log, bb < bbs; valid until the next call.  NULL: it is unreadable, and log->unreadable is set.
 */
const uint8_t *log_block(struct log_reader *log, uint32_t bb);

/* The cycle with which a block is stamped. */
uint32_t log_cycle(const uint8_t *block);
bool log_is_header(const uint8_t *block);
/* True if a block is the header of the record with this LSN, except that its magic is wrong. */
bool log_lost_magic(const struct geometry *g, const uint8_t *block, lsn_t lsn);

struct log_record {
	uint32_t bb; /* of its header */
	uint32_t cycle;
	uint32_t header_blocks;
	uint32_t blocks; /* header and payload */
	uint32_t stored_crc;
	uint32_t ops;
	lsn_t tail;
	bool foreign; /* its uuid is not that of the file system */
	bool tail_possible;
	bool has_crc;
};

/*
 * Checks the header of the record at bb.  False: there is no header (not reported), or its length is invalid
 * (reported); *ret_record is not set then.
 */
bool log_record_decode(const struct check *c, struct log_reader *log, uint32_t bb, struct log_record *ret_record);

/* True if all blocks of the record are intact, by their cycles and the checksum; reports faults. */
bool log_record_verify(const struct check *c, struct log_reader *log, const struct log_record *record);
/* Likewise; payload receives the payload as stored.  NULL: it is not wanted. */
bool log_record_read(const struct check *c, struct log_reader *log, const struct log_record *record, uint8_t *payload);

/* Like log_find_bit(), for one record with a wrong checksum. */
bool log_record_find_bit(struct log_reader *log, const struct log_record *record, struct log_bit *ret_bit);

/*
 * Decodes the record as if the single wrong bit of its header, according to its checksum, were corrected, if that is
 * the fault.
 */
void log_record_restore(const struct check *c, struct log_reader *log, struct log_record *record);

/* True if it is an unmount record; reports it if it holds anything else. */
bool log_record_unmounts(const struct check *c, struct log_reader *log, const struct log_record *record);
/* True if this intact record (log_record_verify()) commits a transaction. */
bool log_record_commits(struct log_reader *log, const struct log_record *record);

#endif

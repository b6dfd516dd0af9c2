/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the log in pieces of bounded size, and decoding one record of it: for log.c, log_head.c and others here. */
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
	uint32_t unreadable;   /* the first block that could not be read, or LOG_NO_BLOCK */
	uint32_t missing;      /* the device ends before this block, as far as known; else LOG_NO_BLOCK */
	uint8_t bytes[LOG_CHUNK_BLOCKS * LOG_BLOCK];
};

/* A reader of a log of bbs blocks, with nothing read yet; of 0 blocks if bbs is too large. */
struct log_reader log_reader_of(log_read *read, void *ctx, uint64_t bbs);

/* A block of the log, bb < bbs; valid until the next call.  NULL: it can't be read, and log->unreadable is set. */
const uint8_t *log_block(struct log_reader *log, uint32_t bb);

/* The cycle that a block is stamped with. */
uint32_t log_cycle(const uint8_t *block);
bool log_is_header(const uint8_t *block);
/* Whether a block is the header of the record with this LSN, except that its first word, the magic, is wrong. */
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
 * Check the header of the record at bb.  False: there is no header (not reported), or it gives no possible length
 * (reported); *ret_record is not set then.
 */
bool log_record_decode(const struct check *c, struct log_reader *log, uint32_t bb, struct log_record *ret_record);

/* Whether all blocks of the record are there, judging by their cycles and the checksum; faults are reported. */
bool log_record_verify(const struct check *c, struct log_reader *log, const struct log_record *record);

/* As log_find_bit(), for one record, whose checksum is wrong. */
bool log_record_find_bit(struct log_reader *log, const struct log_record *record, struct log_bit *ret_bit);

/* If one bit of its header has changed, as its checksum tells, set the record to what that said before. */
void log_record_restore(const struct check *c, struct log_reader *log, struct log_record *record);

/* Whether it is an unmount record.  If so, it is also checked that the record holds nothing else. */
bool log_record_unmounts(const struct check *c, struct log_reader *log, const struct log_record *record);
/* True if a transaction is committed in this record, which log_record_verify() has found whole. */
bool log_record_commits(struct log_reader *log, const struct log_record *record);

#endif

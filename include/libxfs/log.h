/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading the log (ondisk 11): where its head and tail are, whether anything between them waits for replay, and the
 * operations in a record.  Replay itself is in repair/log/.
 */
#ifndef XFSCK_LIBXFS_LOG_H
#define XFSCK_LIBXFS_LOG_H

#include "check.h"

enum log_condition {
	LOG_CLEAN,   /* ends in an unmount record; or is blank or a new log that was cut short, which is reported */
	LOG_DIRTY,   /* transactions wait for replay */
	LOG_DAMAGED, /* head or tail can't be found, which is reported, or there is no log */
};

struct log_state {
	enum log_condition condition;
	lsn_t head;	  /* first block behind the last record; 0: not known, so that LSNs can't be judged */
	lsn_t tail;	  /* first record that waits for replay; the head if none does; 0 if damaged */
	lsn_t unmount;	  /* the last record, if it is an unmount record; else 0 */
	uint64_t records; /* records from the tail to the head, or to the first damaged one */
	bool foreign;	  /* the last record belongs to another file system, by its uuid */
	/* the first place between tail and head where a record is damaged or missing, or 0; and the records behind it
	 */
	lsn_t hole;
	struct log_behind {
		uint64_t records;
		lsn_t first, last;
		uint64_t holes; /* how many there are, with the first one, if records follow upon each */
		lsn_t resumed;	/* the first record behind the last one of these */
	} behind;
	bool torn; /* there is such a place, be it before the tail, that a kernel may take for the head */
};

/* Reads count 512-byte blocks of the log, from block bb on.  0 or negative errno; -ENODATA: the device ends before. */
typedef int log_read(void *ctx, void *buf, uint64_t bb, uint32_t count);

/*
 * Find head and tail, and check the records between them.  bbs: length of the log in 512-byte blocks.  *ret_state is
 * always set.  Writes that were under way at a crash and are torn are not reported: as for the kernel, the log ends
 * before them, unless more lies behind them than can have been under way.  The index of a problem is the block of the
 * log.  F_LOG_UNREADABLE is about the first block that can't be read; its `want` is the byte in the log, to which the
 * caller adds where the log begins.  Reads at most 32 KiB at a time.
 */
void log_examine(const struct check *c, log_read *read, void *ctx, uint64_t bbs, struct log_state *ret_state);

/*
 * Find the next whole record between a place of a dirty log, *bb, and its head.  state: of the log.  False: there is
 * none.  Reports nothing.
 */
bool log_find_record(const struct geometry *geo, log_read *read, void *ctx, uint64_t bbs, const struct log_state *state,
		     uint32_t *bb);

/* A bit of the log, in the byte `offset` of block bb; record: the block of the header of its record. */
struct log_bit {
	uint32_t record, bb, offset;
	uint8_t mask;
};

/*
 * Find the bit that has changed since it was written in the first damaged one of the records that wait, if its checksum
 * tells that it is a single one.  state: of a log that is dirty.  Reports nothing.
 */
bool log_find_bit(const struct geometry *geo, log_read *read, void *ctx, uint64_t bbs, const struct log_state *state,
		  struct log_bit *ret_bit);

#define LOG_CYCLE_MAX 0x3fffffffu /* no log gets further, so a higher cycle in an LSN is wrong */

/* What there is in a log whose head can't be found. */
struct log_survey {
	bool blank;	  /* all of it can be read, and every byte is 0 */
	bool unmounted;	  /* an unmount record, if only its payload, is newer than any other whole record */
	bool ended;	  /* unmounted, and the blocks behind that record show that it was the last one */
	uint64_t records; /* whole records, wherever they lie */
	uint64_t foreign; /* those of other file systems, which are not among them */
	uint64_t waiting; /* of these, from the tail in the newest one on: they may wait for replay; 0 if unmounted */
	uint32_t newest;  /* cycle of the newest whole record; 0: there is none */
	lsn_t last;	  /* the newest LSN of whole records and of payloads of unmount records */
};

/* Read all of the log, and look for whole records in it.  Reports nothing. */
void log_survey(const struct geometry *geo, log_read *read, void *ctx, uint64_t bbs, struct log_survey *ret_survey);

/*
 * The first record of the last mount, whether or not that mount has ended.  From there on the log lacks nothing, so the
 * last version of a byte that it has is the newest there is.  head: of a log that is not damaged; it is returned if
 * there is no such record.  Reads all of the log, reports nothing.
 */
lsn_t log_last_mount(const struct geometry *geo, log_read *read, void *ctx, uint64_t bbs, lsn_t head);

/* A record's payload, with the words that the cycle had replaced at the start of each block. */
struct log_payload {
	lsn_t lsn;
	uint32_t blocks;  /* 512-byte blocks of the log that the record takes, header included */
	uint32_t data_bb; /* block of the log where the payload begins */
	uint32_t len;	  /* bytes */
	uint32_t ops;	  /* number of operations, as the header says */
	bool big_endian;  /* byte order of the machine that wrote it */
	const uint8_t *bytes;
};

/*
 * Read the record whose header is at bb < bbs.  buf, of LOG_MAX_RECORD bytes (disk/log.h), gets the payload;
 * *ret_payload points into it.  False: there is no header, or a block can't be read (neither is reported), or the
 * record is damaged, which is reported (index: block of the log).
 */
bool log_payload_read(const struct check *c, log_read *read, void *ctx, uint64_t bbs, uint32_t bb, uint8_t *buf,
		      struct log_payload *ret_payload);

/* One operation; its data are the `len` bytes at `offset` of the payload. */
struct log_op {
	uint32_t tid;
	uint32_t len;
	uint32_t offset;
	uint8_t flags;	 /* LOG_OP_* */
	bool log_itself; /* it belongs to no transaction: an unmount record */
};

/* Initialize it with { 0 }.  bad: log_op_next() was false because the next operation is impossible, not at the end. */
struct log_op_position {
	uint32_t index;
	uint32_t offset;
	bool bad;
};

/*
 * The operations of a record, one after the other.  False: there are no more, or the next one is impossible, which is
 * reported (offset: byte of the payload, index: number of the operation).
 */
bool log_op_next(const struct check *c, const struct log_payload *payload, struct log_op_position *position,
		 struct log_op *ret_op);

#endif

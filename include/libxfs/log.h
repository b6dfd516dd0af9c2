/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the log (ondisk 11): its head and tail, the records that wait for replay, and the operations in a record.
 * repair/log/ replays it.
 */
#ifndef XFSCK_LIBXFS_LOG_H
#define XFSCK_LIBXFS_LOG_H

#include "check.h"

enum log_condition {
	LOG_CLEAN,   /* ends in an unmount record; or is blank or an incomplete new log, which is reported */
	LOG_DIRTY,   /* transactions wait for replay */
	LOG_DAMAGED, /* head or tail can't be found, which is reported, or there is no log */
};

struct log_state {
	enum log_condition condition;
	lsn_t head;	  /* first block after the last record; 0: unknown, so that LSNs can't be checked */
	lsn_t tail;	  /* first record that waits for replay; the head if none does; 0 if damaged */
	lsn_t unmount;	  /* the last record, if it is an unmount record; else 0 */
	uint64_t records; /* records from the tail to the head, or to the first damaged one */
	bool foreign;	  /* the last record has the UUID of another file system */
	/* the first damaged or missing record between tail and head, or 0; and the records after it */
	lsn_t hole;
	struct log_behind {
		uint64_t records;
		lsn_t first, last;
		uint64_t holes; /* number of such places that records follow, including the first one */
		lsn_t resumed;	/* the first record after the last of them */
	} behind;
	bool torn; /* there is a place, possibly before the tail, that a kernel may take for the head */
};

/* Reads count 512-byte blocks of the log, from block bb on.  0 or negative errno; -ENODATA: the device ends before. */
typedef int log_read(void *ctx, void *buf, uint64_t bb, uint32_t count);

/*
 * Finds head and tail, and checks the records between them.  bbs: length of the log in 512-byte blocks.  Always sets
 * *ret_state.  Torn writes that were in flight at a crash are not reported: as in the kernel, the log ends before them,
 * unless more data follows than can have been in flight.  The index of a problem is the block of the log.
 * F_LOG_UNREADABLE is about the first unreadable block; its `want` is the byte in the log, to which the caller adds the
 * start of the log.  Reads at most 32 KiB at a time.
 */
void log_examine(const struct check *c, log_read *read, void *ctx, uint64_t bbs, struct log_state *ret_state);

/*
 * Finds the next intact record between a place of a dirty log, *bb, and its head.  state: of the log.  False: none.
 * Reports nothing.
 */
bool log_find_record(const struct geometry *geo, log_read *read, void *ctx, uint64_t bbs, const struct log_state *state,
		     uint32_t *bb);

/* A bit of the log, in byte `offset` of block bb; record: the block of its record's header. */
struct log_bit {
	uint32_t record, bb, offset;
	uint8_t mask;
};

/*
 * Finds the single changed bit in the first damaged record that waits for replay, by its checksum. state: of a dirty
 * log.  False: there is none, or more than one bit is wrong.  Reports nothing.
 */
bool log_find_bit(const struct geometry *geo, log_read *read, void *ctx, uint64_t bbs, const struct log_state *state,
		  struct log_bit *ret_bit);

#define LOG_CYCLE_MAX 0x3fffffffu /* the highest possible cycle of a log; an LSN with a higher one is wrong */

/* The contents of a log whose head can't be found. */
struct log_survey {
	bool blank;	  /* all of it is readable, and zero */
	bool unmounted;	  /* an unmount record, or only its payload, is newer than any other intact record */
	bool ended;	  /* unmounted, and the blocks after that record show that it was the last one */
	uint64_t records; /* intact records, wherever they are */
	uint64_t foreign; /* those of other file systems, not included */
	uint64_t waiting; /* of these, from the tail in the newest one on: they may wait for replay; 0 if unmounted */
	uint32_t newest;  /* cycle of the newest intact record; 0: none */
	lsn_t last;	  /* the newest LSN of intact records and of payloads of unmount records */
};

/* Reads all of the log and searches it for intact records.  Reports nothing. */
void log_survey(const struct geometry *geo, log_read *read, void *ctx, uint64_t bbs, struct log_survey *ret_survey);

/*
 * The first record of the last mount, whether or not that mount has ended.  The log is complete from there on, so its
 * last version of a byte is the newest.  head: of a log that is not damaged; returned if there is no such record.
 * Reads all of the log, reports nothing.
 */
lsn_t log_last_mount(const struct geometry *geo, log_read *read, void *ctx, uint64_t bbs, lsn_t head);

/* The payload of a record, with the words restored that the cycle numbers had replaced at the start of each block. */
struct log_payload {
	lsn_t lsn;
	uint32_t blocks;  /* 512-byte blocks of the record, header included */
	uint32_t data_bb; /* block of the log where the payload begins */
	uint32_t len;	  /* bytes */
	uint32_t ops;	  /* number of operations, from the header */
	bool big_endian;  /* byte order of the machine that wrote it */
	const uint8_t *bytes;
};

/*
 * Reads the record whose header is at bb < bbs.  buf, of LOG_MAX_RECORD bytes (disk/log.h), receives the payload;
 * *ret_payload points into it.  False: there is no header, or a block is unreadable (neither is reported), or the
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

/*
 * Initialize it with { 0 }.  bad: log_op_next() returned false because the next operation is invalid, not at the end.
 */
struct log_op_position {
	uint32_t index;
	uint32_t offset;
	bool bad;
};

/*
 * Returns the operations of a record, one after the other.  False: there are no more, or the next one is invalid, which
 * is reported (offset: byte of the payload, index: number of the operation).
 */
bool log_op_next(const struct check *c, const struct log_payload *payload, struct log_op_position *position,
		 struct log_op *ret_op);

#endif

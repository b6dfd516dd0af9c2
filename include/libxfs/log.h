/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of the log: where its head and tail are, and whether anything
 * between them waits to be replayed (ondisk 11).  No replay here.
 */
#ifndef XFSCK_LIBXFS_LOG_H
#define XFSCK_LIBXFS_LOG_H

#include "check.h"

enum log_condition {
	LOG_CLEAN,   /* ends in an unmount record, or is blank (reported) */
	LOG_DIRTY,   /* transactions wait for replay */
	LOG_DAMAGED, /* head or tail can't be found; problems have been reported */
};

struct log_state {
	enum log_condition condition;
	lsn_t head;	  /* first unused block; 0 if not known: LSNs can't be judged */
	lsn_t tail;	  /* first record that waits for replay; the head if none does */
	lsn_t unmount;	  /* the last record, if it says that none does; else 0 */
	uint64_t records; /* from the tail to the head, or to the first one that is damaged */
	bool foreign;	  /* the last record is one of another file system, by its uuid */
};

/* Reads count 512-byte blocks of the log, from block bb, into buf. 0 or negative errno. */
typedef int log_read(void *ctx, void *buf, uint64_t bb, uint32_t count);

/*
 * bbs: length of the log in 512-byte blocks. Reports problems with the log's records; *ret_state is always set.  That
 * the last writes were cut off is no problem: they don't count, as for the kernel.  index of what is reported is the
 * block in the log.  Of F_LOG_UNREADABLE, for the first block that could not be read, want counts from the log's first
 * byte: where that lies the caller knows.  Reads at most 32 KiB at a time.
 */
void log_examine(const struct check *c, log_read *read, void *ctx, uint64_t bbs, struct log_state *ret_state);

#define LOG_CYCLE_MAX 0x3fffffffu /* no log gets that far: what is dated beyond has a wrong date */

/* What there is in a log whose ends can't be found: all of it is read. */
struct log_survey {
	bool blank;	  /* it can be read, and every byte of it is 0 */
	bool unmounted;	  /* the newest record says that nothing waits for replay, */
	bool ended;	  /* and nothing was written behind it */
	uint64_t records; /* that are whole */
	uint64_t waiting; /* of these, from where the newest one says that the log begins: they may wait for replay */
	uint32_t newest;  /* cycle of the newest, 0: there is none */
	lsn_t last;	  /* the newest of them and of the blocks that tell of an unmount */
};

/* geo says how long records are, and by what uuid they are known. Reports nothing. */
void log_survey(const struct geometry *geo, log_read *read, void *ctx, uint64_t bbs, struct log_survey *ret_survey);

/*
 * The first record of the last mount, whether or not that has ended: what it logged last of anything is how that is,
 * since nothing that was logged later is missing.  head: of a log that is not damaged; returned if there is no such
 * record.  Reads all of the log, reports nothing.
 */
lsn_t log_last_mount(const struct geometry *geo, log_read *read, void *ctx, uint64_t bbs, lsn_t head);

/* A record's payload, without the stamps of its blocks. */
struct log_payload {
	lsn_t lsn;
	uint32_t blocks;  /* 512-byte blocks of the log that the record takes, with its header */
	uint32_t data_bb; /* where the payload begins in the log */
	uint32_t len;	  /* bytes */
	uint32_t ops;	  /* operations in it, as its header says */
	bool big_endian;  /* the machine that wrote it */
	const uint8_t *bytes;
};

/*
 * Read the record whose header is at bb < bbs.  buf, of LOG_MAX_RECORD bytes (disk/log.h), gets the payload and is what
 * *ret_payload points to.  False: it can't be read or is damaged, which is reported (index: block of the log).
 */
bool log_payload_read(const struct check *c, log_read *read, void *ctx, uint64_t bbs, uint32_t bb, uint8_t *buf,
		      struct log_payload *ret_payload);

/* One operation; its data are `len` bytes at `offset` of the payload. */
struct log_op {
	uint32_t tid;
	uint32_t len;
	uint32_t offset;
	uint8_t flags;	 /* LOG_OP_* */
	bool log_itself; /* not of a transaction */
};

/* Starts as { 0 }; bad: the walk ended since the next one can't be an operation, which has been reported. */
struct log_op_position {
	uint32_t index;
	uint32_t offset;
	bool bad;
};

/* The operations of a record in turn; of a problem, offset is the byte of the payload. False: there are no more. */
bool log_op_next(const struct check *c, const struct log_payload *payload, struct log_op_position *position,
		 struct log_op *ret_op);

#endif

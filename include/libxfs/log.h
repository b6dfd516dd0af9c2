/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of the log: where its head and tail are, and whether anything
 * between them waits to be replayed (ondisk 11).  No replay here.
 */
#ifndef XFSCK_LIBXFS_LOG_H
#define XFSCK_LIBXFS_LOG_H

#include <stddef.h>

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
	uint64_t records; /* from the tail to the head, or to the first one that is damaged */
};

/* Reads count 512-byte blocks of the log, from block bb, into buf. 0 or negative errno. */
typedef int log_read(void *ctx, void *buf, uint64_t bb, uint32_t count);

/*
 * bbs: length of the log in 512-byte blocks. Reports problems with the log's records; *ret_state is always set.  That
 * the last writes were cut off is no problem: they don't count, as for the kernel.  index of what is reported is the
 * block in the log.  Reads at most 32 KiB at a time.
 */
void log_examine(const struct check *c, log_read *read, void *ctx, uint64_t bbs, struct log_state *ret_state);

#endif

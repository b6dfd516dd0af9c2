/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stages the blocks that make the log clean, when nothing in it needs to be replayed. */
#ifndef XFSCK_REPAIR_LOG_END_H
#define XFSCK_REPAIR_LOG_END_H

#include "libxfs/log_write.h"
#include "log_source.h"

struct repair;

enum log_end_kind {
	LOG_END_NONE,
	LOG_END_RECORD, /* one record at the head, which says that nothing waits */
	LOG_END_NEW,	/* a new log over all of the old one */
};

/* The staged log in LAYER_LOG and its place: the commit writes the record in a separate step. */
struct log_end {
	enum log_end_kind kind;
	struct log_source log;
	struct log_ending ending; /* of a new log: only head, record and bbs are set */
	bool reported;		  /* it has been reported as mended */
};

/*
 * Makes the log clean, as rc->log describes it: by a record if that is enough, else by a new log; sets
 * rc->run->log_end.  Returns 0; -ERANGE: the log is not within its device; or another negative errno.
 */
int log_end_stage(struct repair *rc);
/* log_new.c: stages a new log, whose cycle is beyond `newest` and beyond every LSN in the log and in AG headers. */
int log_end_stage_new(struct repair *rc, uint32_t newest);

/* A sector_fn of cache.h, for a struct log_end: true if the sector belongs to the log's last or first record. */
bool log_end_is_record(void *ctx, uint64_t offset);
/* The same: true if it does not. */
bool log_end_is_other(void *ctx, uint64_t offset);

#endif

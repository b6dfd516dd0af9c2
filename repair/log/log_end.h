/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Staging what makes the log clean, once nothing that waits in it is wanted any more. */
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

/* What is staged in LAYER_LOG, and where it lies on the device that holds the log, for the order of writing. */
struct log_end {
	enum log_end_kind kind;
	struct log_source log;
	struct log_ending ending; /* of a new log: head, record and length only */
	bool told;		  /* to the user, as something that was mended */
};

/*
 * Stage it for the log of rc, as rc->log describes that: a record if that is enough, else a new log; rc->log_end says
 * which. 0, -ERANGE: the log does not lie on its device; or another negative errno.
 */
int log_end_stage(struct repair *rc);
/* log_new.c: a new log in any case, whose cycle is beyond `newest` and beyond every date that log and headers hold */
int log_end_stage_new(struct repair *rc, uint32_t newest);

/* A sector_fn of cache.h; ctx is the struct log_end: whether the sector belongs to the record that ends or begins the
 * log. */
bool log_end_is_record(void *ctx, uint64_t offset);
bool log_end_is_other(void *ctx, uint64_t offset);

#endif

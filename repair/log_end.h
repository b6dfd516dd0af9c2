/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Staging what marks the log clean, once all that waits in it has been replayed. */
#ifndef XFSCK_REPAIR_LOG_END_H
#define XFSCK_REPAIR_LOG_END_H

#include "libxfs/log_write.h"
#include "log_source.h"
#include "repair.h"

/* Where it lies on the device that holds the log, for the order of writing. */
struct log_end {
	struct log_source log;
	struct log_ending ending;
};

/*
 * Stage it into LAYER_LOG of the device that the log is on. 0, a negative errno, or -ENOSPC: the log has no room for
 * another record.
 */
int log_end_stage(struct repair *rc, struct log_end *ret_end);

/* A sector_fn of cache.h; ctx is the struct log_end: whether the sector belongs to the record, which is written last.
 */
bool log_end_is_record(void *ctx, uint64_t offset);
bool log_end_is_other(void *ctx, uint64_t offset);

#endif

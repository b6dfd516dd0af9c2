/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records of the log one after the other, numbered from 0; what they hold stays in memory as far as it fits. */
#ifndef XFSCK_REPAIR_LOG_RECORDS_H
#define XFSCK_REPAIR_LOG_RECORDS_H

#include "libxfs/log.h"
#include "log_source.h"

struct log_kept {
	uint32_t bb; /* of its header */
	struct log_payload payload;
	uint8_t *bytes; /* NULL: to be read again */
};

struct log_records {
	struct check check; /* for what is wrong with records */
	const struct log_source *source;
	uint64_t bbs; /* blocks of the log */
	struct log_kept *records;
	size_t count, room;
	size_t bytes, limit; /* of payloads in memory */
	size_t next_to_drop;
	uint8_t *scratch; /* one payload */
};

/* 0 or -ENOMEM. log_records_free() in any case. */
int log_records_init(struct log_records *r, const struct check *c, const struct log_source *source, uint64_t bbs,
		     size_t limit);
void log_records_free(struct log_records *r);

/*
 * The next record, whose header is at bb; or one by its number, which there is.  *ret_payload is good until the next
 * call.  -EIO: it can't be read or is damaged, -ENOMEM.
 */
int log_records_add(struct log_records *r, uint32_t bb, const struct log_payload **ret_payload);
int log_records_get(struct log_records *r, uint32_t number, const struct log_payload **ret_payload);

#endif

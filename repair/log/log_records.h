/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records of the log in order, numbered from 0; their payloads stay in memory as long as they fit. */
#ifndef XFSCK_REPAIR_LOG_RECORDS_H
#define XFSCK_REPAIR_LOG_RECORDS_H

#include "libxfs/log.h"
#include "log_source.h"

struct log_kept {
	uint32_t bb; /* of its header */
	struct log_payload payload;
	uint8_t *bytes; /* of the payload; NULL: dropped, read again if needed */
};

struct log_records {
	struct check check; /* gets the problems of records */
	const struct log_source *source;
	uint64_t bbs; /* blocks of the log */
	struct log_kept *records;
	size_t count, room;
	size_t bytes, limit; /* bytes of payloads in memory, and their limit */
	size_t next_to_drop;
	uint8_t *scratch; /* one payload */
};

/* Initializes.  Returns 0 or -ENOMEM; call log_records_free() either way. */
int log_records_init(struct log_records *r, const struct check *c, const struct log_source *source, uint64_t bbs,
		     size_t limit);
void log_records_free(struct log_records *r);

/*
 * Reads the next record, whose header is at block bb.  *ret_payload is valid until the next call of a function.
 * Returns 0, -EIO: unreadable or damaged, or -ENOMEM.
 */
int log_records_add(struct log_records *r, uint32_t bb, const struct log_payload **ret_payload);
/* Adds a record without reading it, whose header is at block bb.  Returns 0 or -ENOMEM. */
int log_records_know(struct log_records *r, uint32_t bb);
/* Returns the payload of a record that was added, by its number. */
int log_records_get(struct log_records *r, uint32_t number, const struct log_payload **ret_payload);

#endif

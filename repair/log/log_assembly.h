/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the items of a transaction from the pieces that lie in the log's records; used by log_transactions.c. */
#ifndef XFSCK_REPAIR_LOG_ASSEMBLY_H
#define XFSCK_REPAIR_LOG_ASSEMBLY_H

#include "disk/log.h"
#include "log_records.h"
#include "log_transactions.h"

/* The payload of one log operation.  A region consists of several pieces if it did not fit into one record. */
struct log_piece {
	uint32_t record; /* number of the record that it lies in */
	uint32_t offset; /* bytes in the record's payload */
	uint32_t len : 31;
	uint32_t first : 1; /* a region begins with it */
};

/* The pieces of a transaction that has been started and is not committed yet. */
struct log_pieces {
	struct log_pieces *next;
	struct log_transaction transaction; /* nitems is set by log_assembly_index() */
	bool big_endian;
	bool goes_on; /* the last piece has the flag that its region continues in the next record */
	struct log_piece *pieces;
	size_t count, room;
};

struct log_assembly_item {
	uint32_t piece; /* the first one */
	uint16_t type;
	uint16_t nregions;
	uint8_t turn; /* in which of the rounds of LOG_WALK_RECOVERY it is visited */
};

struct log_assembly {
	const struct check *c;
	struct log_records records;
	/* the transaction that was indexed last */
	bool broken; /* it is not whole, and its items must not be used */
	struct log_assembly_item *items;
	size_t count, room;
	/* a copy of the item that is being visited */
	uint8_t *bytes;
	size_t bytes_room;
};

/* Problems of records are reported to `records`, all others to c. 0 or -ENOMEM; call log_assembly_free() either way. */
int log_assembly_init(struct log_assembly *a, const struct check *c, const struct check *records,
		      const struct log_source *source, uint64_t bbs, size_t limit);
void log_assembly_free(struct log_assembly *a);

/* Where a byte of a payload lies in the log. */
static inline uint32_t log_byte(const struct log_assembly *a, const struct log_payload *payload, uint32_t offset)
{
	return (uint32_t)(((uint64_t)payload->data_bb * LOG_BLOCK + offset) % (a->records.bbs * LOG_BLOCK));
}

/* Find the items of a transaction.  If it is not whole, that is reported, and a->broken set. 0 or negative errno. */
int log_assembly_index(struct log_assembly *a, struct log_pieces *t);
/* Visit the items of the transaction that was indexed last, and is not broken. 0, what fn returned, or negative errno.
 */
int log_assembly_visit(struct log_assembly *a, const struct log_pieces *t, enum log_walk walk, log_item_fn *fn,
		       void *ctx);

#endif

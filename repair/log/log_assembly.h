/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the pieces of a transaction to its items; used by log_transactions.c. */
#ifndef XFSCK_REPAIR_LOG_ASSEMBLY_H
#define XFSCK_REPAIR_LOG_ASSEMBLY_H

#include "disk/log.h"
#include "log_records.h"
#include "log_transactions.h"

/* What one operation holds; several make a region where it did not fit into one record. */
struct log_piece {
	uint32_t record; /* its number */
	uint32_t offset; /* bytes in its payload */
	uint32_t len : 31;
	uint32_t first : 1; /* a region begins here */
};

/* A transaction under way. */
struct log_pieces {
	struct log_pieces *next;
	struct log_transaction transaction; /* nitems is set when it has been indexed */
	bool big_endian;
	bool goes_on; /* the last operation says so of its region */
	struct log_piece *pieces;
	size_t count, room;
};

struct log_assembly_item {
	uint32_t piece; /* the first one */
	uint16_t type;
	uint16_t nregions;
	uint8_t turn; /* of LOG_WALK_RECOVERY */
};

struct log_assembly {
	const struct check *c;
	struct log_records records;
	/* of the transaction that was indexed last */
	bool broken;
	struct log_assembly_item *items;
	size_t count, room;
	/* the item that is being visited */
	uint8_t *bytes;
	size_t bytes_room;
};

/* records: who is told of what is wrong with records. 0 or -ENOMEM; log_assembly_free() in any case. */
int log_assembly_init(struct log_assembly *a, const struct check *c, const struct check *records,
		      const struct log_source *source, uint64_t bbs, size_t limit);
void log_assembly_free(struct log_assembly *a);

/* Where a byte of a payload lies in the log. */
static inline uint32_t log_byte(const struct log_assembly *a, const struct log_payload *payload, uint32_t offset)
{
	return (uint32_t)(((uint64_t)payload->data_bb * LOG_BLOCK + offset) % (a->records.bbs * LOG_BLOCK));
}

/* Find its items. a->broken: it is not whole (reported). 0 or negative errno. */
int log_assembly_index(struct log_assembly *a, struct log_pieces *t);
/* Visit them, if it is not broken. 0, what fn returned, or negative errno. */
int log_assembly_visit(struct log_assembly *a, const struct log_pieces *t, enum log_walk walk, log_item_fn *fn,
		       void *ctx);

#endif

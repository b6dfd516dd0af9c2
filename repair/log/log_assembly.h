/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the items of a transaction from their fragments in the log's records; used by log_transactions.c. */
#ifndef XFSCK_REPAIR_LOG_ASSEMBLY_H
#define XFSCK_REPAIR_LOG_ASSEMBLY_H

#include "disk/log.h"
#include "log_records.h"
#include "log_transactions.h"

/* The payload of one log operation.  A region has several fragments if it did not fit into one record. */
struct log_fragment {
	uint32_t record; /* number of its record */
	uint32_t offset; /* bytes in the record's payload */
	uint32_t len : 31;
	uint32_t first : 1; /* a region starts here */
};

/* The fragments of a transaction that has been started and is not committed yet. */
struct log_fragments {
	struct log_fragments *next;
	struct log_transaction transaction; /* nitems is set by log_assembly_index() */
	bool big_endian;
	bool goes_on; /* the region of the last fragment continues in the next record */
	struct log_fragment *fragments;
	size_t count, room;
};

struct log_assembly_item {
	uint64_t at; /* this, len and buf_flags as in struct log_item_head */
	uint32_t len;
	uint32_t fragment; /* the first one */
	uint16_t type;
	uint16_t nregions;
	uint16_t buf_flags;
	uint8_t turn; /* the round of LOG_WALK_RECOVERY that visits it */
};

struct log_assembly {
	const struct check *c;
	struct log_records records;
	/* the last transaction that was indexed */
	bool broken; /* it is incomplete, and its items must not be used */
	struct log_assembly_item *items;
	size_t count, room;
	/* a copy of the current item */
	uint8_t *bytes;
	size_t bytes_room;
};

/* Problems of records are reported to `records`, all others to c.  0 or -ENOMEM; log_assembly_free() in any case. */
int log_assembly_init(struct log_assembly *a, const struct check *c, const struct check *records,
		      const struct log_source *source, uint64_t bbs, size_t limit);
void log_assembly_free(struct log_assembly *a);

/* Returns the byte of the log for a byte of a payload. */
static inline uint32_t log_byte(const struct log_assembly *a, const struct log_payload *payload, uint32_t offset)
{
	return (uint32_t)(((uint64_t)payload->data_bb * LOG_BLOCK + offset) % (a->records.bbs * LOG_BLOCK));
}

/* Finds the items of a transaction.  If it is incomplete, reports that and sets a->broken.  0 or a negative errno. */
int log_assembly_index(struct log_assembly *a, struct log_fragments *t);
/* Who visits items, which ones, and in which order. */
struct log_visit {
	enum log_walk walk;
	log_wanted_fn *wanted; /* NULL: all */
	log_item_fn *fn;
	void *ctx;
};

/* Visits these items of a transaction that was not broken, all that it has.  Returns 0, fn's result, or a negative
 * errno. */
int log_assembly_visit(struct log_assembly *a, const struct log_fragments *t, const struct log_assembly_item *items,
		       size_t count, const struct log_visit *visit);

#endif

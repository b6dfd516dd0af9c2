/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The items of a log, and where their bytes are: log_transactions_each() makes it as it reads the whole log, and wanted
 * items are then visited again without reading the rest.
 */
#ifndef XFSCK_REPAIR_LOG_INDEX_H
#define XFSCK_REPAIR_LOG_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct check;
struct log_assembly;
struct log_assembly_item;
struct log_fragment;
struct log_fragments;
struct log_indexed;
struct log_records;
struct log_source;
struct log_visit;

/* Initialize with the limit, and the rest 0. */
struct log_index {
	size_t limit; /* bytes of memory */
	bool whole;   /* it has all items of the range; else it can't be used */
	bool full;    /* the limit was reached, so the index is empty */

	uint32_t *records; /* blocks of the log with the headers of its records */
	size_t nrecords;
	/* as they were committed; their fragments and items are one behind the other */
	struct log_indexed *transactions;
	size_t ntransactions, transaction_room;
	struct log_fragment *fragments;
	size_t nfragments, fragment_room;
	struct log_assembly_item *items; /* fragment: index in the transaction */
	size_t nitems, item_room;
};

/* Adds the transaction that was indexed last.  Without room, empties the index.  Returns 0 or -ENOMEM. */
int log_index_add(struct log_index *index, const struct log_assembly *a, const struct log_fragments *t);
/* Completes the index after the last transaction. */
void log_index_end(struct log_index *index, const struct log_records *records);
void log_index_free(struct log_index *index);

/*
 * Visits items as log_transactions_each() would, in a log that has not changed.  limit: bytes of memory for payloads.
 * Returns 0, visit->fn's result, or a negative errno; -EIO: a record can't be read any more.
 */
int log_index_each(const struct log_index *index, const struct check *c, const struct log_source *source, uint64_t bbs,
		   size_t limit, const struct log_visit *visit);

#endif

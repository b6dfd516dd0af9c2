/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts more records than fit into memory.  Each lane collects records until its share of the memory is full, sorts
 * them, and appends them as a run to a temporary file; runs are merged as the records are read.
 */
#ifndef XFSCK_REPAIR_SPILL_H
#define XFSCK_REPAIR_SPILL_H

#include <stddef.h>
#include <stdint.h>

/* Records are sorted by key, then sub, then bytes. */
struct spill_record {
	uint64_t key, sub;
	uint16_t len;
	const uint8_t *bytes;
};

struct spill;

/* Makes a sorter.  workers: threads that may add at the same time.  limit: bytes for all of them.  NULL: no memory. */
struct spill *spill_new(unsigned workers, size_t limit);
void spill_free(struct spill *spill);

/* Adds a copy of a record.  worker: its number.  spill_settle() returns errors. */
void spill_add(struct spill *s, unsigned worker, const struct spill_record *r);
/* Makes the records ready for reading, after the last one.  Returns 0 or a negative errno of memory or the file. */
int spill_settle(struct spill *spill);
/*
 * Reads the next record; its bytes are valid until the next call.  Returns 1, 0 if there are no more, or a negative
 * errno of the temporary file.
 */
int spill_next(struct spill *spill, struct spill_record *ret_record);
/* Goes back to the first record.  Returns 0 or a negative errno. */
int spill_rewind(struct spill *spill);

#endif

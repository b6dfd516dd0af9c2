/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts more records than fit into memory.  Each lane collects records until its share of the memory is full, sorts
 * them, and appends them as a run to a temporary file; runs are merged as the records are read.
 */
#ifndef XFSCK_REPAIR_SPILL_H
#define XFSCK_REPAIR_SPILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Records come in the order of key, then sub, then bytes. */
struct spill_record {
	uint64_t key, sub;
	uint16_t len;
	const uint8_t *bytes;
};

struct spill;

/* lanes: threads that may add at the same time; limit: bytes of memory for all of them. NULL: out of memory. */
struct spill *spill_new(unsigned lanes, size_t limit);
void spill_free(struct spill *spill);

/* Add a record, which is copied; number: of the lane. An error shows in spill_settle(). */
void spill_add(struct spill *s, unsigned number, const struct spill_record *r);
/* When all have been added: make it ready for reading. 0, -ENOMEM, or the negative errno of the temporary file. */
int spill_settle(struct spill *spill);
/*
 * The next record; what it points to is valid until the next call.  1, 0 if there are no more, or the negative errno of
 * the temporary file.
 */
int spill_next(struct spill *spill, struct spill_record *ret_record);
/* Begin again with the first record. 0 or negative errno. */
int spill_rewind(struct spill *spill);

#endif

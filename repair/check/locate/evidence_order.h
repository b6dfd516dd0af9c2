/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of records that evidence has, and the order in which each is sorted (evidence.h). */
#ifndef XFSCK_REPAIR_EVIDENCE_ORDER_H
#define XFSCK_REPAIR_EVIDENCE_ORDER_H

#include "sets/spread_sort.h"

struct use;

enum evidence_kind {
	REC_USE,
	REC_CHUNK,
	REC_UNLINKED,
	REC_INODE,
	REC_LINK,
	REC_NR,
};

/* longest: blocks of the largest group; must live as long as the order is used. */
struct number_order evidence_order(enum evidence_kind kind, const uint64_t *longest);

/* Compare two uses of the same group and kind, but not their objects: 0 if both are the same in the rmap account. */
int evidence_order_in_group(const struct use *x, const struct use *y);
/* Compare two struct chunk_fact, by AG, btree and start. */
int evidence_order_of_chunks(const void *a, const void *b);

#endif

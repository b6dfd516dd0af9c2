/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of records that evidence has, and the order that each is put into (evidence.h). */
#ifndef XFSCK_REPAIR_EVIDENCE_ORDER_H
#define XFSCK_REPAIR_EVIDENCE_ORDER_H

#include "evidence.h"
#include "sets/spread_sort.h"

enum evidence_kind {
	REC_USE,
	REC_CHUNK,
	REC_UNLINKED,
	REC_INODE,
	REC_LINK,
	REC_NR,
};

/* longest: the group with the most blocks has so many. */
struct number_order evidence_order(enum evidence_kind kind, const uint64_t *longest);

/*
 * The part of the order of uses that comes behind group and kind, but for the object: 0 if they are the same in the
 * rmap account.
 */
int evidence_order_in_group(const struct use *x, const struct use *y);
/* Of two struct chunk_fact: by AG, tree, start. */
int evidence_order_of_chunks(const void *a, const void *b);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to ledger*.c: the sums of each worker. */
#ifndef XFSCK_REPAIR_LEDGER_SUMS_H
#define XFSCK_REPAIR_LEDGER_SUMS_H

#include "doubts.h"
#include "ledger.h"

struct group_sums {
	uint64_t bytes, claim_bytes; /* of evidence */
	uint64_t v[GROUP_ACCOUNT_NR];
};

struct lane {
	uint8_t apart[64]; /* keeps the following off the cache lines of another lane's groups, allocated before */
	struct group_sums *group; /* one per AG and realtime group */
	uint64_t inode[LEDGER_BUCKETS][INODE_ACCOUNT_NR];
	uint64_t inode_bytes[LEDGER_BUCKETS];
	struct doubts_queue doubts; /* for facts from entries about their targets, which come in no order */
};

struct ledger {
	const struct geometry *geo;
	struct hash_key key;
	unsigned nlanes;
	struct lane **lanes;
	struct doubts *doubts; /* NULL: not needed */
};

#endif

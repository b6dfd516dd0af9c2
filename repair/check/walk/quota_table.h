/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash table from ids to their counts; it only grows. */
#ifndef XFSCK_REPAIR_QUOTA_TABLE_H
#define XFSCK_REPAIR_QUOTA_TABLE_H

#include "libxfs/dquot.h"
#include "sets/hash.h"

struct quota_tally {
	uint32_t id;
	bool taken;			 /* false: an empty slot */
	uint64_t used[QUOTA_COUNTS];	 /* by inodes */
	uint64_t recorded[QUOTA_COUNTS]; /* in the quota file */
};

/* Start with { 0 }. */
struct quota_table {
	struct quota_tally *slots; /* their number is a power of two */
	size_t room, count;
	size_t last; /* the last slot, tried first, since inodes of one owner come in runs */
};

/* Returns the tally of an id, made if there is none; NULL: out of memory.  Valid until the next call for the table. */
struct quota_tally *quota_table_get(struct quota_table *table, const struct hash_key *key, uint32_t id);
/* Returns the tally of an id, or NULL if there is none. */
const struct quota_tally *quota_table_find(const struct quota_table *table, const struct hash_key *key, uint32_t id);
/* Adds all tallies of `from` to those of `into`.  Returns 0 or -ENOMEM. */
int quota_table_merge(struct quota_table *into, const struct quota_table *from, const struct hash_key *key);
void quota_table_free(struct quota_table *table);

#endif

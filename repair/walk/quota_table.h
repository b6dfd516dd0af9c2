/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of ids and what is known of each: a hash table that only grows. */
#ifndef XFSCK_REPAIR_QUOTA_TABLE_H
#define XFSCK_REPAIR_QUOTA_TABLE_H

#include "libxfs/dquot.h"
#include "sets/hash.h"

struct quota_tally {
	uint32_t id;
	bool taken;			 /* the slot of the table is */
	uint64_t used[QUOTA_COUNTS];	 /* by inodes */
	uint64_t recorded[QUOTA_COUNTS]; /* in the quota file */
};

/* Start with { 0 }. */
struct quota_table {
	struct quota_tally *slots; /* a power of two of them */
	size_t room, count;
	size_t last; /* slot that was asked for last: owners come in runs */
};

/* The tally of an id, made if there is none; NULL: out of memory. Valid until the next call for the same table. */
struct quota_tally *quota_table_get(struct quota_table *table, const struct hash_key *key, uint32_t id);
/* The same of one that is there, or NULL. */
const struct quota_tally *quota_table_find(const struct quota_table *table, const struct hash_key *key, uint32_t id);
/* Add all tallies of one to another: 0 or -ENOMEM. */
int quota_table_merge(struct quota_table *into, const struct quota_table *from, const struct hash_key *key);
void quota_table_free(struct quota_table *table);

#endif

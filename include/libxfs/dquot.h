/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quota files, which hold limits and usage by user, group and project (ondisk 10). */
#ifndef XFSCK_LIBXFS_DQUOT_H
#define XFSCK_LIBXFS_DQUOT_H

#include "check.h"

enum quota_type {
	QUOTA_USER,
	QUOTA_GROUP,
	QUOTA_PROJECT,
	QUOTA_TYPES,
};

/* counters of each id */
enum quota_count {
	QUOTA_BLOCKS,
	QUOTA_INODES,
	QUOTA_RTBLOCKS,
	QUOTA_COUNTS,
};

/* one record */
struct dquot {
	uint32_t id;
	uint64_t used[QUOTA_COUNTS];
};

struct dquot_expect {
	uint8_t types; /* DQUOT_TYPE_* allowed in the file; version 4 has one for groups or projects */
	fileoff_t off; /* of the block in the file: the ids follow from it */
};

/* Number of records in a block. */
uint32_t dquot_per_block(const struct geometry *g);
/* The end of a quota file: the first block after the one that holds the highest id. */
fileoff_t dquot_file_end(const struct geometry *g);
/* The DQUOT_TYPE_* allowed for records of the file: in version 4, both group and project if nothing says which. */
uint8_t dquot_file_types(const struct geometry *g, enum quota_type type);

/*
 * Checks a block of a quota file (ondisk 10, invariants 2 and 3) and visits its records, with the ids that follow from
 * their places; the index of problems is that id.  Counts are passed as stored.  expect->off must be below
 * dquot_file_end().  False: it is not a block of this file, or some records have a wrong magic and were not visited.
 */
bool dquot_block_decode(const struct check *c, const void *block, const struct dquot_expect *expect,
			void (*visit)(void *ctx, const struct dquot *dquot), void *ctx);

/* Checks one record, except its magic.  Offsets of problems are in the record.  types: those allowed in its file. */
void dquot_record_check(const struct check *c, const void *record, uint32_t id, uint8_t types);

#endif

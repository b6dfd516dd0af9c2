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

/* what is counted per id */
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
	uint8_t types; /* DQUOT_TYPE_*: what the file may hold; version 4 has one for groups or projects */
	fileoff_t off; /* of the block in the file: says which ids it holds */
};

/* Records in a block. */
uint32_t dquot_per_block(const struct geometry *g);
/* The end of a quota file: the first block behind the one that holds the highest id. */
fileoff_t dquot_file_end(const struct geometry *g);
/* The DQUOT_TYPE_* that records of the file can have: in version 4, both group and project if nothing says which. */
uint8_t dquot_file_types(const struct geometry *g, enum quota_type type);

/*
 * Check a block of a quota file (ondisk 10, invariants 2 and 3) and visit its records, with the ids that follow from
 * their places; the index in problems is that id.  Counts are handed out as stored.  expect->off must be below
 * dquot_file_end().  False: the block is no block of this file, or some records have a wrong magic and were not
 * visited.
 */
bool dquot_block_decode(const struct check *c, const void *block, const struct dquot_expect *expect,
			void (*visit)(void *ctx, const struct dquot *dquot), void *ctx);

/*
 * Check one record by itself, but not its magic.  Problems have the offset in the record.  types: those that its file
 * may hold.
 */
void dquot_record_check(const struct check *c, const void *record, uint32_t id, uint8_t types);

#endif

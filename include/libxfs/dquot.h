/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quota files: who may use how much, and does (ondisk 10). */
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
/* The first block of a quota file behind those that can hold an id. */
fileoff_t dquot_file_end(const struct geometry *g);
/* The DQUOT_TYPE_* of the file of this type: two of them where nothing says which it is. */
uint8_t dquot_file_types(const struct geometry *g, enum quota_type type);

/*
 * Check a block of a quota file (ondisk 10, invariants 2 and 3) and visit its records, by the ids that their places
 * give them; index in what is reported is that id. What the records count is handed out as it is. off must lie below
 * dquot_file_end(). False: not all of the records were there.
 */
bool dquot_block_decode(const struct check *c, const void *block, const struct dquot_expect *expect,
			void (*visit)(void *ctx, const struct dquot *dquot), void *ctx);

/*
 * Check one record by itself, whatever its magic is: problems as above, by their offset in the record.  types: as
 * expected of its file.
 */
void dquot_record_check(const struct check *c, const void *record, uint32_t id, uint8_t types);

#endif

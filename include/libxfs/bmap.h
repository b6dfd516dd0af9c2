/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of extent maps, inline in an inode's fork or in leaves of its bmbt (ondisk 05). */
#ifndef XFSCK_LIBXFS_BMAP_H
#define XFSCK_LIBXFS_BMAP_H

#include <stddef.h>

#include "check.h"

struct bmap_record {
	fileoff_t off;
	fsbno_t start;
	uint32_t len; /* blocks */
	bool unwritten;
};

/* Rules for the extents of a fork. */
struct bmap_rules {
	bool unwritten_ok; /* only regular files' data forks */
	uint64_t max_off;  /* first block offset that is out of range */
	bool realtime;	   /* start is a realtime block number */
};

/* Decodes the 16 bytes of a packed record; accepts any value. */
struct bmap_record bmap_record_get(const uint8_t packed[16]);

/*
 * Checks and visits nextents records of an EXTENTS fork of fork_size bytes.  Reports invalid records, which are not
 * visited, and records that are out of order or overlap in the file.  The caller rejects counts that the fork can't
 * hold: at most fork_size / 16 records are visited.
 */
void bmap_inline_decode(const struct check *c, const uint8_t *fork, size_t fork_size, uint64_t nextents,
			const struct bmap_rules *rules, void (*visit)(void *ctx, const struct bmap_record *record),
			void *ctx);

#endif

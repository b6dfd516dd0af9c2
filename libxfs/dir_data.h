/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of a directory block that holds entries: all of a data block, most of a block-format one. */
#ifndef XFSCK_DIR_DATA_H
#define XFSCK_DIR_DATA_H

#include "dir_entry.h"

/* One bit for each place in the largest block where an entry may start. */
struct dir_starts {
	uint64_t bits[65536 / DIR_ALIGN / 64];
};

static inline bool dir_starts_test(const struct dir_starts *s, uint32_t offset)
{
	return s->bits[offset / DIR_ALIGN / 64] >> (offset / DIR_ALIGN % 64) & 1;
}

static inline void dir_starts_set(struct dir_starts *s, uint32_t offset)
{
	s->bits[offset / DIR_ALIGN / 64] |= 1ull << (offset / DIR_ALIGN % 64);
}

struct dir_data_area {
	const uint8_t *block; /* dir_block_size bytes; the header is a data block's, and has been checked */
	uint32_t end;	      /* entries fill the block from the header to here; multiple of 8, not below the header */
	const struct da_expect *expect;
	/* NULL, or the set to add the offsets of entries to, and all offsets where damage may hide an entry */
	struct dir_starts *starts;
};

/* Check tiling, entries and bestfree (ondisk 06, invariant 2) and visit the entries. */
void dir_data_walk(const struct check *c, const struct dir_data_area *area, dir_visit_entry *visit, void *ctx,
		   struct dir_data *ret_data);

/*
 * Follow well-formed entries and free regions from offset `from` up to `end`.  Returns the offset behind the last
 * well-formed one; *ret_entries is how many of them were entries.
 */
uint32_t dir_data_follow(const struct geometry *g, const uint8_t *block, uint32_t from, uint32_t end,
			 uint32_t *ret_entries);

/* The offset at which the entries of a block-format block end and its leaf entries begin; reports a wrong tail. */
uint32_t dir_block_entries_end(const struct check *c, const void *block);

/* True if a well-formed entry or free region ends at end. */
bool dir_data_ends_at(const struct geometry *g, const uint8_t *block, uint32_t end);

#endif

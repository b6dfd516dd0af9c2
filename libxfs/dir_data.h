/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the decoders of directory blocks with entries: all of a data block, most of a block-format one. */
#ifndef XFSCK_DIR_DATA_H
#define XFSCK_DIR_DATA_H

#include "da_header.h"
#include "disk/dir.h"
#include "libxfs/da.h"

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
	const uint8_t *block; /* dir_block_size bytes, with the header of a data block, which has been checked */
	uint32_t end;	      /* entries fill the block from the header to here; multiple of 8, not below the header */
	const struct da_expect *expect;
	/* NULL, or the set that receives the offsets of entries, and all offsets where damage may hide an entry */
	struct dir_starts *starts;
};

/* Checks tiling, entries and bestfree (ondisk 06, invariant 2) and visits the entries. */
void dir_data_walk(const struct check *c, const struct dir_data_area *area, dir_visit_entry *visit, void *ctx,
		   struct dir_data *ret_data);

/*
 * Follows well-formed entries and free regions from offset `from` up to `end`.  Returns the offset after the last one;
 * *ret_entries: the number of entries among them.
 */
uint32_t dir_data_follow(const struct geometry *g, const uint8_t *block, uint32_t from, uint32_t end,
			 uint32_t *ret_entries);

/* The end of the entries of a block-format block, where its leaf entries begin; reports a wrong tail. */
uint32_t dir_block_entries_end(const struct check *c, const void *block);

/* True if a well-formed entry or free region ends at end. */
bool dir_data_ends_at(const struct geometry *g, const uint8_t *block, uint32_t end);

/* Shared by the decoders of shortform, block and data directories. */

/* Size of an entry in a data block: inode number, name, file type, tag, rounded up. */
static inline uint32_t dir_entry_size(const struct geometry *g, uint32_t namelen)
{
	uint32_t size = (uint32_t)sizeof(struct dir_entry_disk) + namelen + g->ftype + DIR_TAG_SIZE;

	return (size + DIR_ALIGN - 1) & ~(DIR_ALIGN - 1);
}

/*
 * Checks one entry: its name, and target and type as far as the geometry shows.  offset and index are for reports.
 * True if the entry may be visited: it has a valid target and a name.
 */
bool dir_entry_check(const struct check *c, const struct dir_entry *entry, uint32_t offset, uint32_t index);
/* Visits an entry that failed dir_entry_check() as ENTRY_INVALID, if it is an ordinary entry with a name. */
void dir_entry_invalid(struct dir_entry *entry, dir_visit_entry *visit, void *ctx);

/* True if the name is `.` for an entry of kind ENTRY_DOT, or `..` for one of ENTRY_DOTDOT. */
bool dir_entry_is_dots(const struct dir_entry *entry);

/* Leaf entries of leaf1 and leafn blocks, and those at the end of a block-format block. */

struct dir_leaf_array {
	const struct dir_leaf_entry_disk *entries;
	uint32_t count;
	uint32_t offset;       /* of the first one in the block, bytes */
	uint32_t stale;	       /* number of stale entries according to the block */
	uint32_t stale_offset; /* of that number in the block, bytes */
};

/* Checks order, addresses and the number of stale entries, and visits the live ones. */
void dir_leaf_walk(const struct check *c, const struct dir_leaf_array *leaf, dir_visit_leaf *visit, void *ctx);

/* True if an entry can start at the address: after the header of its block and with room for the smallest entry. */
static inline bool dir_leaf_address_possible(const struct geometry *g, uint32_t address)
{
	uint32_t offset = address * (uint64_t)DIR_ALIGN & (g->dir_block_size - 1);

	return offset >= da_header_size(g) && offset <= g->dir_block_size - DIR_ENTRY_MIN;
}

/* True if the value is valid in bests[]: the length of a free region, or DIR_NULL_BEST for a missing data block. */
static inline bool dir_best_possible(const struct geometry *g, uint16_t best)
{
	return best == DIR_NULL_BEST || (best % DIR_ALIGN == 0 && best <= g->dir_block_size - da_header_size(g));
}

#endif

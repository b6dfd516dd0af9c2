/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leaf entries: those of leaf1 and leafn blocks and those at the end of a block-format block. */
#ifndef XFSCK_DIR_LEAF_H
#define XFSCK_DIR_LEAF_H

#include "da_header.h"

struct dir_leaf_array {
	const struct dir_leaf_entry_disk *entries;
	uint32_t count;
	uint32_t offset;       /* of the first one in the block, bytes */
	uint32_t stale;	       /* number of stale entries according to the block */
	uint32_t stale_offset; /* of that number in the block, bytes */
};

/* Check order, addresses and the number of stale entries, and visit the live ones. */
void dir_leaf_walk(const struct check *c, const struct dir_leaf_array *leaf, dir_visit_leaf *visit, void *ctx);

/* True if an entry can start at the address: behind the header of its block and with room for the smallest entry. */
static inline bool dir_leaf_address_possible(const struct geometry *g, uint32_t address)
{
	uint32_t offset = address * (uint64_t)DIR_ALIGN & (g->dir_block_size - 1);

	return offset >= da_header_size(g) && offset <= g->dir_block_size - DIR_ENTRY_MIN;
}

/* True if bests[] may hold this: a possible length of a free region, or DIR_NULL_BEST for a data block that is absent.
 */
static inline bool dir_best_possible(const struct geometry *g, uint16_t best)
{
	return best == DIR_NULL_BEST || (best % DIR_ALIGN == 0 && best <= g->dir_block_size - da_header_size(g));
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of the common parts of AG header sectors (ondisk 02). */
#ifndef XFSCK_LIBXFS_AG_HEADER_H
#define XFSCK_LIBXFS_AG_HEADER_H

#include "check.h"

/* Offsets of the root and height of a btree in a header, and the findings about them. */
struct ag_header_tree {
	enum btree_kind kind;
	uint32_t root_offset;
	uint32_t level_offset;
	enum finding root_finding;
	enum finding level_finding;
};

/* Reads and checks root and height of a btree (invariant 3).  True if the root is valid. */
bool ag_header_tree(const struct check *c, const void *sector, agno_t agno, const struct ag_header_tree *tree,
		    agbno_t *ret_root, uint32_t *ret_level);

/* Reports a counter above its maximum.  True if it is not. */
bool ag_header_at_most(const struct check *c, enum finding finding, uint32_t offset, uint64_t got, uint64_t most);

/* Writes root and height of a btree. */
void ag_header_put_tree(void *sector, const struct ag_header_tree *tree, agbno_t root, uint32_t level);

/* Reports the first byte from offset `from` up to `to` that is not zero. */
void ag_header_zero(const struct check *c, enum finding finding, const void *sector, uint32_t from, uint32_t to);

#endif

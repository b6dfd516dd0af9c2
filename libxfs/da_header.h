/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The headers of directory and attribute blocks, which the decoders in this folder share. */
#ifndef XFSCK_DA_HEADER_H
#define XFSCK_DA_HEADER_H

#include "libxfs/da.h"

struct da_header {
	dablk_t forw, back; /* siblings, 0: none */
};

/*
 * Check the header of a da node, directory leaf or attribute leaf: magic, checksum over len bytes,
 * address, LSN, uuid, owner, and that the siblings are places where the tree can have blocks.
 * False, with only that reported, if the magic is not `magic`; what else is wrong is reported, and
 * *ret_header is set as the block has it.  len >= DA_HEADER_SIZE.
 */
bool da_header_check(const struct check *c, const void *block, size_t len, const struct da_expect *expect,
		     uint16_t magic, struct da_header *ret_header);

/* True if the tree that a block belongs to can have a block other than its root at dablk (ondisk 06, 07). */
bool da_dablk_possible(const struct geometry *g, const struct da_expect *expect, dablk_t dablk);

/* The same as da_header_check() for data, block-format and free index blocks of directories. */
bool dir_header_check(const struct check *c, const void *block, const struct da_expect *expect, uint32_t magic);

#endif

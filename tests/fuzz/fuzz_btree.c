/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz_btree.h"

/* The target's byte: the btree, whether it is a root, and the known keys.  The level is the block's own. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btree_expect expect;
	struct btree_block result;
	struct fuzz f;
	uint8_t *block;

	if (!fuzz_start(&f, data, size))
		return 0;
	expect = fuzz_btree_expect(&f, (f.variant & 0x0f) % BT_NR);
	/* no such btree in this version */
	if (f.geo.btree[expect.kind].leaf_max == 0)
		return 0;
	block = fuzz_block(&f, f.geo.block_size, expect.kind >= BT_AG_NR ? 64 : 52);
	expect.level = block[5] % 10;
	expect.root = f.variant & 0x10;
	expect.has_low = f.variant & 0x20;
	expect.has_bound = f.variant & 0x40;
	expect.has_high = f.variant & 0x80 && expect.kind == BT_RMAP;
	expect.low.k[0] = 10;
	expect.bound.k[0] = expect.high.k[0] = 40000;
	if (btree_decode(&f.check, block, &expect, &fuzz_btree_visitor(&f), &result))
		fuzz_promise(result.numrecs <= f.geo.block_size / 8);
	free(block);
	return 0;
}

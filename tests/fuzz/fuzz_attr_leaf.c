/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz_da.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct da_expect expect;
	struct attr_leaf leaf;
	struct fuzz f;
	uint8_t *block;

	if (!fuzz_start(&f, data, size))
		return 0;
	block = fuzz_block(&f, f.geo.block_size, 12);
	expect = fuzz_attr_expect(&f);
	if (attr_leaf_decode(&f.check, block, &expect, fuzz_attr, &f, &leaf))
		fuzz_promise(leaf.remote_entries <= leaf.count &&
			     leaf.count <= (f.geo.block_size - (f.geo.crc ? 80 : 32)) / 8);
	attr_leaf_mend(&f.geo, block, expect.owner);
	free(block);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz_da.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct da_expect expect;
	struct dir_leaf leaf;
	struct fuzz f;
	uint8_t *block;

	if (!fuzz_start(&f, data, size))
		return 0;
	block = fuzz_block(&f, f.geo.dir_block_size, 12);
	expect = fuzz_dir_expect(&f, 1);
	if (dir_leaf_decode(&f.check, block, &expect, fuzz_dir_leaf_entry, &f, &leaf)) {
		fuzz_promise(leaf.count <= f.geo.dir_block_size / 8);
		if (leaf.nbests > 0)
			fuzz_touch(leaf.bests, leaf.nbests * sizeof(be16_t));
	}
	free(block);
	return 0;
}

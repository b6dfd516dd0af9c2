/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz_da.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct da_expect expect;
	struct dir_free result;
	struct fuzz f;
	uint8_t *block;

	if (!fuzz_start(&f, data, size))
		return 0;
	block = fuzz_block(&f, f.geo.dir_block_size, 4);
	expect = fuzz_dir_expect(&f, 2);
	if (dir_free_decode(&f.check, block, &expect, &result))
		fuzz_touch(result.bests, result.nvalid * sizeof(be16_t));
	free(block);
	return 0;
}

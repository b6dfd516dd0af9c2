/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz_da.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dir_data result;
	struct da_expect expect;
	struct fuzz f;
	uint8_t *block;

	if (!fuzz_start(&f, data, size))
		return 0;
	block = fuzz_block(&f, f.geo.dir_block_size, 4);
	expect = fuzz_dir_expect(&f, 0);
	if (dir_data_decode(&f.check, block, &expect, fuzz_dir_entry, &f, &result))
		fuzz_promise(result.entries <= f.geo.dir_block_size / 16);
	free(block);
	return 0;
}

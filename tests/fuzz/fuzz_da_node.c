/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz_da.h"

static void child(void *ctx, dablk_t before, uint32_t hash)
{
	(void)ctx;
	fuzz_touch(&before, sizeof(before));
	fuzz_touch(&hash, sizeof(hash));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct da_expect expect;
	struct da_node node;
	struct fuzz f;
	uint8_t *block;
	size_t len;

	if (!fuzz_start(&f, data, size))
		return 0;
	len = f.variant & 0x80 ? f.geo.block_size : f.geo.dir_block_size;
	block = fuzz_block(&f, len, 12);
	expect = f.variant & 0x80 ? fuzz_attr_expect(&f) : fuzz_dir_expect(&f, 1);
	da_identify(&f.check, block, len);
	if (da_node_decode(&f.check, block, len, &expect, child, &f, &node))
		fuzz_promise(node.count <= len / 8);
	free(block);
	return 0;
}

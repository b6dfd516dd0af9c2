/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz_btree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t fork_size;
	struct btree_expect expect;
	struct btree_block result;
	uint8_t level = 0;
	struct fuzz f;
	uint8_t *fork;

	if (!fuzz_start(&f, data, size))
		return 0;
	fork_size = f.variant / 4 * 32u;
	/* realtime trees came with metadata directories */
	expect = fuzz_btree_expect(&f, f.variant % 4 < 2 || !f.geo.metadir ? BT_BMAP : BT_RTRMAP + f.variant % 2);
	fork = fuzz_object(&f, fork_size);
	f.limit++; /* a fork too small for a root has problems at its end */
	if (bmdr_decode(&f.check, fork, fork_size, &expect, &fuzz_btree_visitor(&f), &result, &level))
		fuzz_promise(level > 0 || btree_is_rt(expect.kind));
	free(fork);
	return 0;
}

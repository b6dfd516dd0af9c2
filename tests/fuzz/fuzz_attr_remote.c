/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz_da.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct attr_remote remote;
	struct da_expect expect;
	struct fuzz f;
	uint8_t *block;

	if (!fuzz_start(&f, data, size) || !f.geo.crc) /* value blocks of V4 are never decoded */
		return 0;
	block = fuzz_block(&f, f.geo.block_size, 12);
	expect = fuzz_attr_expect(&f);
	if (attr_remote_decode(&f.check, block, &expect, &remote)) {
		fuzz_promise(remote.bytes > 0 && remote.bytes <= attr_remote_capacity(&f.geo));
		fuzz_promise(remote.offset + remote.bytes <= 65536);
		fuzz_touch(block + 56, remote.bytes);
	}
	free(block);
	return 0;
}

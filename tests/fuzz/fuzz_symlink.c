/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz_da.h"

/* An inline target: two bytes of the input are its size. */
static void local(struct fuzz *f)
{
	size_t fork_size = (f->variant & 0x7f) * 4u;
	uint8_t *fork = fuzz_object(f, fork_size);
	uint64_t target_size = f->size >= 2 ? (uint64_t)f->bytes[f->size - 1] << 8 | f->bytes[f->size - 2] : 0;

	f->limit++; /* of a target without bytes, the size is the problem */
	if (symlink_local_check(&f->check, fork, fork_size, target_size))
		fuzz_touch(fork, target_size);
	free(fork);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct symlink_part part;
	struct da_expect expect;
	struct fuzz f;
	uint8_t *extent;
	size_t len;

	if (!fuzz_start(&f, data, size))
		return 0;
	if (f.variant & 0x80) {
		local(&f);
		return 0;
	}
	len = (size_t)f.geo.block_size << (f.variant & 1);
	extent = fuzz_block(&f, len, 12);
	expect = (struct da_expect){ { FUZZ_OWNER }, { 0x4320 }, { f.variant >> 1 & 7 }, DATA_FORK };
	if (symlink_remote_decode(&f.check, extent, len, &expect, f.variant * 5u, &part)) {
		size_t header = f.geo.crc ? 56 : 0;

		fuzz_promise(part.bytes > 0 && (!f.geo.crc || part.offset + part.bytes <= 1024));
		fuzz_touch(extent + header, part.bytes);
	}
	free(extent);
	return 0;
}

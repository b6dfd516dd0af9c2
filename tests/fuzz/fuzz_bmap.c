/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz_btree.h"

static void visit(void *ctx, const struct bmap_record *record)
{
	const struct fuzz *f = ctx;

	if (f->right_crc) /* see below */
		fuzz_promise(rtb_range_valid(&f->geo, record->start, record->len));
	else
		fuzz_promise(fsb_range_valid(&f->geo, record->start, record->len));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bmap_rules rules = { .max_off = 1u << 20 };
	size_t fork_size, nextents;
	struct fuzz f;
	uint8_t *fork;

	if (!fuzz_start(&f, data, size))
		return 0;
	rules.unwritten_ok = f.variant & 0x80;
	rules.realtime = f.right_crc; /* a fork has no checksum of its own */
	fork_size = (f.variant & 0x7f) * 16u;
	/* the third byte is the number of extents, the others are the extents */
	nextents = f.head / 64;
	f.head = SIZE_MAX;
	fork = fuzz_object(&f, fork_size);
	bmap_inline_decode(&f.check, fork, fork_size, nextents, &rules, visit, &f);
	free(fork);
	return 0;
}

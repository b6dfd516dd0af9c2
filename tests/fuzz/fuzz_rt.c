/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks of the realtime bitmap and summary, and the realtime superblock. */
#include "fuzz.h"
#include "libxfs/rt.h"

struct rt_visit {
	const struct geometry *geo;
	uint64_t end; /* of the runs before */
	uint64_t extents;
};

static void free_found(void *ctx, uint64_t start, uint32_t len)
{
	struct rt_visit *visit = ctx;

	fuzz_promise(len > 0 && start >= visit->end && start + len <= visit->extents);
	visit->end = start + len + 1; /* maximal runs don't touch */
}

static void counter_found(void *ctx, uint32_t level, uint32_t bitmap_block, uint32_t count)
{
	const struct rt_visit *visit = ctx;

	fuzz_promise(level < visit->geo->rsumlevels && bitmap_block < visit->geo->rbmblocks && count > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rt_expect expect = { { FUZZ_OWNER }, { 800 }, 0, 0 };
	struct rt_visit visit;
	struct fuzz f;
	uint8_t *block;

	if (!fuzz_start(&f, data, size))
		return 0;
	expect.rgno = f.variant % f.geo.rgcount;
	block = fuzz_block(&f, f.geo.block_size, 4);
	visit = (struct rt_visit){
		.geo = &f.geo,
		.extents = group_length(&f.geo, group_of_rg(&f.geo, expect.rgno)) / f.geo.rextsize,
	};
	if (f.variant & 0x80) {
		rtsb_check(&f.check, block);
	} else if (f.variant & 0x40) {
		expect.block = f.variant % f.geo.rsumblocks;
		rtsummary_decode(&f.check, block, &expect, counter_found, &visit);
	} else {
		expect.block = f.variant % f.geo.rbmblocks;
		rtbitmap_decode(&f.check, block, &expect, free_found, &visit);
	}
	free(block);
	return 0;
}

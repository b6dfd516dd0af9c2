/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz.h"
#include "libxfs/dquot.h"

struct seen {
	uint64_t next, end; /* ids */
};

static void found(void *ctx, const struct dquot *dquot)
{
	struct seen *seen = ctx;

	fuzz_promise(dquot->id >= seen->next && dquot->id < seen->end);
	seen->next = (uint64_t)dquot->id + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dquot_expect expect;
	struct seen seen;
	struct fuzz f;
	uint8_t *block;
	uint32_t per_block;

	if (!fuzz_start(&f, data, size))
		return 0;
	/* the checksum of the first record only: that is enough to get beyond */
	block = fuzz_object(&f, f.geo.block_size);
	if (f.right_crc) {
		le32_t crc = le32_put(crc_block(block, 136, 108));

		memcpy(block + 108, &crc, sizeof(crc));
	}
	per_block = dquot_per_block(&f.geo);
	expect.types = f.variant & 7;
	expect.off.v = f.variant & 8 ? dquot_file_end(&f.geo).v - 1 : f.variant >> 4;
	seen.next = expect.off.v * per_block;
	seen.end = seen.next + per_block;
	dquot_block_decode(&f.check, block, &expect, found, &seen);
	free(block);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz.h"
#include "libxfs/dinode.h"

/* Checks that a fork marked ok lies in the inode, and decodes its contents. */
static void check_fork(const struct fuzz *f, const uint8_t *bytes, const struct dinode_fork *fork)
{
	if (!fork->present || !fork->ok)
		return;
	fuzz_promise(fork->bytes >= bytes && fork->bytes + fork->size <= bytes + f->geo.inode_size);
	fuzz_touch(fork->bytes, fork->size);
	if (fork->format == FMT_EXTENTS)
		fuzz_promise(fork->nextents <= fork->size / 16);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dinode inode;
	struct fuzz f;
	uint8_t *bytes;

	if (!fuzz_start(&f, data, size))
		return 0;
	bytes = fuzz_block(&f, f.geo.inode_size, 100);
	if (dinode_decode(&f.check, bytes, (xino_t){ FUZZ_OWNER }, f.variant & 1, &inode)) {
		fuzz_promise(inode.ftype < FT_NR);
		check_fork(&f, bytes, &inode.fork[DATA_FORK]);
		check_fork(&f, bytes, &inode.fork[ATTR_FORK]);
	}
	free(bytes);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz_da.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t fork_size;
	struct fuzz f;
	uint8_t *fork;

	if (!fuzz_start(&f, data, size))
		return 0;
	/* di_size is the length of the input, which may exceed the fork */
	fork_size = f.variant * 4u;
	fork = fuzz_object(&f, fork_size);
	f.limit = SIZE_MAX;
	dir_sf_decode(&f.check, fork, fork_size, f.size, (xino_t){ FUZZ_OWNER }, fuzz_dir_entry, &f);
	free(fork);
	return 0;
}

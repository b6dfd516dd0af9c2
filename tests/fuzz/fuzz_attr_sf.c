/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz_da.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f;
	uint8_t *fork;

	if (!fuzz_start(&f, data, size))
		return 0;
	fork = fuzz_object(&f, f.variant * 4u);
	f.limit++; /* a fork too small for a header has problems at its end */
	attr_sf_decode(&f.check, fork, f.variant * 4u, (xino_t){ FUZZ_OWNER }, fuzz_attr, &f);
	free(fork);
	return 0;
}

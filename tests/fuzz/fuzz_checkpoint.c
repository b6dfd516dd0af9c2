/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the state of a check, as --resume does, with some bytes changed.  The first byte of the input selects the file
 * system; then come changes, of three bytes each: the place (the highest bit: the state ends there), and the new byte.
 * If the state is valid, the check goes on; the device is all zeroes, so wanted blocks lead to findings.
 */
#define _GNU_SOURCE 1 /* memfd_create() */

#include "checkpoint_check.h"

#define ENDS 0x8000u

/* The state of a file system, built once; *ret_size: its bytes. */
static const uint8_t *state_of(unsigned variant, size_t *ret_size)
{
	static uint8_t *states[FUZZ_VARIANTS];
	static size_t sizes[FUZZ_VARIANTS];

	if (!states[variant])
		states[variant] = check_state(variant, &sizes[variant]);
	*ret_size = sizes[variant];
	return states[variant];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct checkpoint_check c;
	const uint8_t *state;
	uint8_t *bytes;
	size_t len;
	int fd;

	if (!size)
		return 0;
	state = state_of(data[0] % FUZZ_VARIANTS, &len);
	bytes = malloc(len);
	if (!bytes)
		abort();
	memcpy(bytes, state, len);
	for (size_t i = 1; i + 3 <= size; i += 3) {
		const unsigned at = (unsigned)data[i] << 8 | data[i + 1];

		if ((at & ~ENDS) >= len)
			continue;
		if (at & ENDS)
			len = at & ~ENDS;
		else
			bytes[at] = data[i + 2];
	}
	fd = check_file(bytes, len);
	check_make(&c, data[0] % FUZZ_VARIANTS);
	if (!check_load(&c, fd))
		check_go_on(&c);
	close(fd);
	check_unmake(&c);
	free(bytes);
	return 0;
}

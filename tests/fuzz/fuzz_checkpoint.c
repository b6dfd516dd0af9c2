/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What --resume reads: the first byte says which file system, and the others are the state of a check, which goes on if
 * it makes sense.  The device holds nothing but zeroes, so what was wanted leads to findings.
 */
#define _GNU_SOURCE 1 /* memfd_create() */

#include "checkpoint_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct checkpoint_check c;
	int fd;

	if (!size)
		return 0;
	check_make(&c, data[0]);
	fd = check_file(data + 1, size - 1);
	if (!check_load(&c, fd))
		check_go_on(&c);
	close(fd);
	check_unmake(&c);
	return 0;
}

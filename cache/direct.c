/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out whether direct I/O works, and its alignment. Some file systems state it (STATX_DIOALIGN), but reads are
 * tried anyway: some accept O_DIRECT in open() and refuse every read, and older kernels don't state it.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device.h"

#define MAX_ALIGN (64u << 10) /* bytes: the largest block size of Linux and XFS */

void direct_off(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || !(flags & O_DIRECT))
		return;
	fcntl(fd, F_SETFL, flags & ~O_DIRECT);
	/* without readahead, which would read twice what the sweep requests anyway */
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
}

/* Returns the alignment that the file system states, in bytes; 0: not stated. */
static uint32_t stated_align(int fd)
{
#ifdef STATX_DIOALIGN
	struct statx stx;

	if (!statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &stx) && (stx.stx_mask & STATX_DIOALIGN))
		return stx.stx_dio_offset_align > stx.stx_dio_mem_align ? stx.stx_dio_offset_align
									: stx.stx_dio_mem_align;
#else
	(void)fd;
#endif
	return 0;
}

/* True if the kernel accepts a read with this alignment; only EINVAL means that it does not. */
static bool align_accepted(int fd, uint8_t *scratch, uint32_t align, uint64_t base, uint64_t bytes,
			   uint64_t *ret_failed)
{
	const uint64_t at = bytes > align ? align : 0;

	if (base % align)
		return false;
	if (pread(fd, scratch + align, align, (off_t)(base + at)) >= 0)
		return true;
	if (errno != EINVAL)
		*ret_failed = at + align;
	return errno != EINVAL;
}

uint32_t direct_setup(int fd, uint32_t align, uint64_t base, uint64_t bytes, uint64_t *ret_failed)
{
	uint32_t stated = stated_align(fd);
	uint8_t *scratch = NULL;
	uint32_t tried = align;

	while (tried < stated)
		tried *= 2;
	if ((fcntl(fd, F_GETFL) & O_DIRECT) && tried <= MAX_ALIGN)
		scratch = aligned_alloc((size_t)2 * MAX_ALIGN, (size_t)2 * MAX_ALIGN);
	while (scratch && tried <= MAX_ALIGN && !align_accepted(fd, scratch, tried, base, bytes, ret_failed))
		tried *= 2;
	if (!scratch || tried > MAX_ALIGN) {
		direct_off(fd);
		tried = align;
	}
	free(scratch);
	return tried;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Direct I/O: whether it works, and how it must be aligned. File systems that
 * say so (STATX_DIOALIGN) are believed, and still tried: some that take O_DIRECT in
 * open() refuse every read, and older kernels don't tell.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "direct.h"

#define MAX_ALIGN (64u << 10) /* the largest block size of Linux and XFS */

void direct_off(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || !(flags & O_DIRECT))
		return;
	fcntl(fd, F_SETFL, flags & ~O_DIRECT);
	/* we know what we want next; readahead would only read it twice */
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
}

/* What the file system says it needs, 0 if it says nothing. */
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

/* True unless the kernel calls a read with just this alignment invalid. Other errors say nothing about it. */
static bool align_accepted(int fd, uint8_t *scratch, uint32_t align, uint64_t bytes)
{
	return pread(fd, scratch + align, align, bytes > align ? align : 0) >= 0 || errno != EINVAL;
}

uint32_t direct_setup(int fd, uint32_t align, uint64_t bytes)
{
	uint32_t stated = stated_align(fd);
	uint8_t *scratch = NULL;
	uint32_t tried = align;

	while (tried < stated)
		tried *= 2;
	if ((fcntl(fd, F_GETFL) & O_DIRECT) && tried <= MAX_ALIGN)
		scratch = aligned_alloc((size_t)2 * MAX_ALIGN, (size_t)2 * MAX_ALIGN);
	while (scratch && tried <= MAX_ALIGN && !align_accepted(fd, scratch, tried, bytes))
		tried *= 2;
	if (!scratch || tried > MAX_ALIGN) {
		direct_off(fd);
		tried = align;
	}
	free(scratch);
	return tried;
}

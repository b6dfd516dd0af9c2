/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Large pages of memory for large arrays: the first touch of 2 MiB costs one page fault instead of 512. */
#ifndef XFSCK_LARGE_H
#define XFSCK_LARGE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGE_PAGE  (UINT64_C(2) << 20) /* bytes; where they are larger, there is less gain */
#define LARGE_BYTES (8 * LARGE_PAGE)	/* arrays of this size and more: the last page wastes little of them */

/*
 * Ask for large pages for an array of len bytes that is not filled yet and will be from its start.  It is only a hint.
 * The pages at both ends, which the array may share with others, are included: realloc() can move an array without
 * copying it only if the hint holds for all of its pages or for none.
 */
static inline void large_memory(void *bytes, size_t len)
{
#ifdef MADV_HUGEPAGE
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const size_t before = (uintptr_t)bytes % page, behind = (page - (before + len) % page) % page;

	if (len >= LARGE_BYTES)
		madvise((uint8_t *)bytes - before, before + len + behind, MADV_HUGEPAGE);
#else
	(void)bytes;
	(void)len;
#endif
}

/* Allocate len zeroes in large pages, for arrays that are touched here and there.  To be freed; NULL: out of memory. */
static inline void *large_zeroed(size_t len)
{
	const size_t whole = (len + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
	void *bytes = whole < len ? NULL : aligned_alloc(LARGE_PAGE, whole);

#ifdef MADV_HUGEPAGE
	if (bytes && len >= LARGE_PAGE)
		madvise(bytes, whole, MADV_HUGEPAGE);
#endif
	return bytes ? memset(bytes, 0, len) : NULL;
}

#endif

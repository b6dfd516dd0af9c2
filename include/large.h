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

#define LARGE_PAGE  (UINT64_C(2) << 20) /* bytes; with larger pages there is less to gain */
#define LARGE_BYTES (8 * LARGE_PAGE)	/* least size of such arrays: the unused part of the last page is then small */

/*
 * Requests large pages for an array of len bytes that is about to be filled from its start.  Only a hint.  It includes
 * the pages at both ends, which the array may share with others: realloc() can move an array without copying it only if
 * the hint holds for all of its pages or for none.
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

/* Allocates len zeroes in large pages, for arrays with random access.  The caller frees them; NULL: out of memory. */
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

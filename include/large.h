/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that fill up from their start: in large pages of memory, where there are such, each costs one fault, not 512.
 */
#ifndef XFSCK_LARGE_H
#define XFSCK_LARGE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGE_PAGE  (UINT64_C(2) << 20) /* bytes; on other machines larger, which then serve less */
#define LARGE_BYTES (8 * LARGE_PAGE)	/* of an array, from which on what the last page wastes is small */

/*
 * A hint, for what is not used yet: nothing is lost where it is not followed.  It is given for the pages at both ends,
 * too: the system can move an array only if all of its pages are of one kind.
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

/* Zeroes, in large pages from the start: for what is touched here and there.  To be freed; NULL: out of memory. */
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

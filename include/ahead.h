/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes that come from a device are not in this processor's cache, and the
 * hardware does not guess what is looked at next: asking for it while something else
 * is worked on hides the wait.
 */
#ifndef XFSCK_AHEAD_H
#define XFSCK_AHEAD_H

#include <stddef.h>
#include <stdint.h>

#define CACHE_LINE 64u

/* Ask for len bytes; they need not be there, and bytes may be NULL: an address is all that is looked at. */
static inline void ahead_fetch(const uint8_t *bytes, size_t len)
{
	const uintptr_t start = (uintptr_t)bytes;

	for (size_t line = 0; line < len; line += CACHE_LINE)
		__builtin_prefetch((const void *)(start + line));
}

#endif

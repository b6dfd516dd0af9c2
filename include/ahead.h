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

/* Ask for len bytes; they need not be there; NULL: there is nothing to ask for. */
static inline void ahead_fetch(const uint8_t *bytes, size_t len)
{
	for (size_t line = 0; bytes && line < len; line += CACHE_LINE)
		__builtin_prefetch(bytes + line);
}

#endif

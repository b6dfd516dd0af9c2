/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prefetching memory into the processor's cache.  Bytes that were just read from a device are not there, and hardware
 * prefetchers can't guess which block is looked at next.  Asking for it while another one is worked on hides the wait.
 */
#ifndef XFSCK_AHEAD_H
#define XFSCK_AHEAD_H

#include <stddef.h>
#include <stdint.h>

#define CACHE_LINE 64u

/* Prefetch len bytes.  This never faults: bytes may be any address, and NULL does nothing. */
static inline void ahead_fetch(const uint8_t *bytes, size_t len)
{
	for (size_t line = 0; bytes && line < len; line += CACHE_LINE)
		__builtin_prefetch(bytes + line);
}

#endif

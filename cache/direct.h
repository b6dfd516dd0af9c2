/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Direct I/O: whether it works, and how it must be aligned. */
#ifndef XFSCK_CACHE_DIRECT_H
#define XFSCK_CACHE_DIRECT_H

#include <stdint.h>

/*
 * The alignment in bytes that reads from fd need, at least the given one, which is a power of two.  If direct reads
 * don't work, fd is set to read through the page cache. base: the byte where the device begins in fd;
 * bytes: its size.  *ret_failed: the end of what was read for that, if it can't be read; else unchanged.
 */
uint32_t direct_setup(int fd, uint32_t align, uint64_t base, uint64_t bytes, uint64_t *ret_failed);

/* Read through the page cache from now on; harmless to requests in flight. */
void direct_off(int fd);

#endif

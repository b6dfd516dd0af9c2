/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Direct I/O: whether it works, and how it must be aligned. */
#ifndef XFSCK_CACHE_DIRECT_H
#define XFSCK_CACHE_DIRECT_H

#include <stdint.h>

/*
 * The alignment that reads from fd need; at least the given one (a power of two, bytes). Where direct reads don't
 * work, fd becomes a buffered one. bytes: size of the device.
 */
uint32_t direct_setup(int fd, uint32_t align, uint64_t bytes);

/* Read through the page cache from now on; harmless to requests in flight. */
void direct_off(int fd);

#endif

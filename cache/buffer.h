/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aligned memory for reads, recycled by size.  Safe to use from many threads. */
#ifndef XFSCK_CACHE_BUFFER_H
#define XFSCK_CACHE_BUFFER_H

#include <stdint.h>

struct buffers;

struct buffers *buffers_create(uint32_t align); /* NULL: out of memory */
void buffers_destroy(struct buffers *buffers);	/* no buffer may be in use any more */

#endif

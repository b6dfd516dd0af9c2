/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work that falls into parts, none of which needs to know of another. */
#ifndef XFSCK_PARALLEL_H
#define XFSCK_PARALLEL_H

#include <stddef.h>

/*
 * Call step(ctx, i) for each i below count, once each and in any order, in this thread and up to threads - 1 others.
 * All of it is done when this returns: where no other thread can be had, by this one.
 */
void parallel_each(unsigned threads, size_t count, void (*step)(void *ctx, size_t i), void *ctx);

#endif

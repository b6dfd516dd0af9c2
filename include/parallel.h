/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does independent parts of a work in several threads. */
#ifndef XFSCK_PARALLEL_H
#define XFSCK_PARALLEL_H

#include <stddef.h>

/*
 * Call step(ctx, i) once for each i below count, in any order, in this thread and up to threads - 1 others; if these
 * can't be created, this thread does all.  Returns when all calls have returned.
 */
void parallel_each(unsigned threads, size_t count, void (*step)(void *ctx, size_t i), void *ctx);

#endif

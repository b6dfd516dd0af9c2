/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does independent parts of a work in several threads. */
#ifndef XFSCK_PARALLEL_H
#define XFSCK_PARALLEL_H

#include <pthread.h>
#include <stddef.h>

/*
 * Call step(ctx, i) once for each i below count, in any order, in this thread and up to threads - 1 others; if these
 * can't be created, this thread does all.  Returns when all calls have returned.
 */
void parallel_each(unsigned threads, size_t count, void (*step)(void *ctx, size_t i), void *ctx);

/*
 * Start a thread that leaves signals to the others, and takes a pipe without a reader for no more than an error; but
 * not SIGSYS, which the kernel sends to the thread that did what the sandbox forbids.  Its stack has so many bytes; 0:
 * as usual.  0 or negative errno.
 */
int thread_start(pthread_t *ret_thread, size_t stack_bytes, void *(*run)(void *ctx), void *ctx);

#endif

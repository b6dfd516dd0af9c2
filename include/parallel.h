/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs independent parts of a task in several threads. */
#ifndef XFSCK_PARALLEL_H
#define XFSCK_PARALLEL_H

#include <pthread.h>
#include <stddef.h>

/*
 * Calls step(ctx, i) once for each i below count, in any order, in this thread and up to threads - 1 others.  If those
 * can't be created, this thread does all.  Returns when all calls have returned.
 */
void parallel_each(unsigned threads, size_t count, void (*step)(void *ctx, size_t i), void *ctx);

/*
 * Starts a thread that blocks all signals but SIGSYS, which the kernel sends to the thread that the sandbox catches;
 * writing to a pipe without a reader is a plain error for it.  stack_bytes: size of its stack; 0: default.  0 or
 * negative errno.
 */
int thread_start(pthread_t *ret_thread, size_t stack_bytes, void *(*run)(void *ctx), void *ctx);

#endif

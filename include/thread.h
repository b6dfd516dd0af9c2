/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef XFSCK_THREAD_H
#define XFSCK_THREAD_H

#include <pthread.h>

/*
 * Start a thread that leaves signals to the others, and takes a pipe without a reader for no more than an error; but
 * not SIGSYS, which the kernel sends to the thread that did what the sandbox forbids.  Its stack has so many bytes; 0:
 * as usual.  0 or negative errno.
 */
int thread_start(pthread_t *ret_thread, size_t stack_bytes, void *(*run)(void *ctx), void *ctx);

#endif

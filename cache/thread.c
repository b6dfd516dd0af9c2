/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parallel.h"

#include <signal.h>

int thread_start(pthread_t *ret_thread, size_t stack_bytes, void *(*run)(void *ctx), void *ctx)
{
	sigset_t blocked, before;
	pthread_attr_t attr;
	int ret;

	sigfillset(&blocked);
	sigdelset(&blocked, SIGSYS);
	pthread_attr_init(&attr);
	if (stack_bytes)
		pthread_attr_setstacksize(&attr, stack_bytes);
	pthread_sigmask(SIG_SETMASK, &blocked, &before); /* which the thread inherits */
	ret = pthread_create(ret_thread, &attr, run, ctx);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return -ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs steps on threads. Each thread takes the next step that no other has taken, so steps may differ in length. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "parallel.h"

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
	pthread_sigmask(SIG_SETMASK, &blocked, &before); /* the thread inherits this */
	ret = pthread_create(ret_thread, &attr, run, ctx);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return -ret;
}

struct steps {
	void (*step)(void *ctx, size_t i);
	void *ctx;
	size_t count;
	size_t next; /* atomic */
};

static void *work(void *arg)
{
	struct steps *p = arg;
	size_t i;

	while ((i = __atomic_fetch_add(&p->next, 1, __ATOMIC_RELAXED)) < p->count)
		p->step(p->ctx, i);
	return NULL;
}

void parallel_each(unsigned threads, size_t count, void (*step)(void *ctx, size_t i), void *ctx)
{
	struct steps steps = { .step = step, .ctx = ctx, .count = count };
	size_t others = count < threads ? count : threads, started = 0;
	pthread_t *ids = others > 1 ? calloc(others, sizeof(*ids)) : NULL;

	while (ids && started + 1 < others && !pthread_create(&ids[started], NULL, work, &steps))
		started++;
	work(&steps);
	while (started)
		pthread_join(ids[--started], NULL);
	free(ids);
}

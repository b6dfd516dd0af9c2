/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each thread takes the next part that no other has taken, so parts may differ in size. */
#include "parallel.h"

#include <pthread.h>
#include <stdlib.h>

struct parts {
	void (*step)(void *ctx, size_t i);
	void *ctx;
	size_t count;
	size_t next; /* atomic */
};

static void *work(void *arg)
{
	struct parts *p = arg;
	size_t i;

	while ((i = __atomic_fetch_add(&p->next, 1, __ATOMIC_RELAXED)) < p->count)
		p->step(p->ctx, i);
	return NULL;
}

void parallel_each(unsigned threads, size_t count, void (*step)(void *ctx, size_t i), void *ctx)
{
	struct parts parts = { .step = step, .ctx = ctx, .count = count };
	size_t others = count < threads ? count : threads, started = 0;
	pthread_t *ids = others > 1 ? calloc(others, sizeof(*ids)) : NULL;

	while (ids && started + 1 < others && !pthread_create(&ids[started], NULL, work, &parts))
		started++;
	work(&parts);
	while (started)
		pthread_join(ids[--started], NULL);
	free(ids);
}

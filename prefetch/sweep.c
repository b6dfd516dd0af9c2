/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sweep as a whole: which worker holds which group, and when all is done.
 * A worker goes from its group to the next one with work, upwards and around,
 * so that a single worker crosses the device once per pass.
 */
#include "sweep.h"

#include <errno.h>
#include <stdlib.h>

struct worker {
	struct sweep *sweep;
	unsigned number;
	unsigned next_group; /* where it looks first */
	pthread_t thread;
};

int sweep_create(struct device *device, unsigned groups, const struct sweep_options *options,
		 const struct sweep_ops *ops, struct sweep **ret_sweep)
{
	struct sweep *sweep = calloc(1, sizeof(*sweep));

	if (!sweep)
		return -ENOMEM;
	sweep->groups = calloc(groups, sizeof(*sweep->groups));
	if (!sweep->groups) {
		free(sweep);
		return -ENOMEM;
	}
	sweep->device = device;
	sweep->options = *options;
	sweep->ops = *ops;
	sweep->ngroups = groups;
	pthread_mutex_init(&sweep->lock, NULL);
	pthread_cond_init(&sweep->more, NULL);
	for (unsigned i = 0; i < groups; i++)
		__cds_wfcq_init(&sweep->groups[i].inbox_head, &sweep->groups[i].inbox_tail);
	*ret_sweep = sweep;
	return 0;
}

void sweep_destroy(struct sweep *sweep)
{
	if (!sweep)
		return;
	for (unsigned i = 0; i < sweep->ngroups; i++) {
		order_free(&sweep->groups[i].early);
		order_free(&sweep->groups[i].ahead);
		order_free(&sweep->groups[i].sources);
		order_free(&sweep->groups[i].behind);
	}
	pthread_cond_destroy(&sweep->more);
	pthread_mutex_destroy(&sweep->lock);
	free(sweep->groups);
	free(sweep);
}

void sweep_post(struct sweep *sweep, unsigned group, struct sweep_item *item)
{
	struct group *g = &sweep->groups[group];

	cds_wfcq_node_init(&item->node);
	/* pairs with the load in group.c: the queue's own barriers are none that a compiler or ThreadSanitizer knows of
	 */
	__atomic_store_n(&item->posted, true, __ATOMIC_RELEASE);
	__atomic_fetch_add(&sweep->queued, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&sweep->pending, 1, __ATOMIC_ACQ_REL);
	/* enqueued before it is counted: a worker that sees the count finds the item */
	cds_wfcq_enqueue(&g->inbox_head, &g->inbox_tail, &item->node);
	if (__atomic_fetch_add(&g->pending, 1, __ATOMIC_ACQ_REL) == 0) {
		pthread_mutex_lock(&sweep->lock);
		if (!g->held)
			pthread_cond_signal(&sweep->more);
		pthread_mutex_unlock(&sweep->lock);
	}
}

/* Under lock: no group of the same spindle is being swept. */
static bool spindle_free(const struct sweep *sweep, unsigned group)
{
	unsigned stride = sweep->options.group_stride, first, last;

	if (!stride)
		return true;
	first = group / stride * stride;
	last = sweep->ngroups - first < stride ? sweep->ngroups : first + stride;
	for (unsigned i = first; i < last; i++)
		if (sweep->groups[i].held)
			return false;
	return true;
}

/* The next group with work, now held by the caller; NULL when all work is done or the sweep has failed. */
static struct group *take_group(struct sweep *sweep, unsigned *from)
{
	struct group *found = NULL;

	pthread_mutex_lock(&sweep->lock);
	while (!sweep->error && __atomic_load_n(&sweep->pending, __ATOMIC_ACQUIRE)) {
		for (unsigned n = 0; n < sweep->ngroups && !found; n++) {
			unsigned i = (*from + n) % sweep->ngroups;
			struct group *g = &sweep->groups[i];

			if (g->held || !__atomic_load_n(&g->pending, __ATOMIC_ACQUIRE) || !spindle_free(sweep, i))
				continue;
			g->held = true;
			*from = i + 1;
			found = g;
		}
		if (found)
			break;
		pthread_cond_wait(&sweep->more, &sweep->lock);
	}
	pthread_mutex_unlock(&sweep->lock);
	return found;
}

static void release_group(struct sweep *sweep, struct group *group, int error)
{
	pthread_mutex_lock(&sweep->lock);
	group->held = false;
	if (error && !sweep->error)
		sweep->error = error;
	/* what was posted to it since, or its spindle, may be taken by another worker */
	pthread_cond_broadcast(&sweep->more);
	pthread_mutex_unlock(&sweep->lock);
}

static void *work(void *arg)
{
	struct worker *worker = arg;
	struct sweep *sweep = worker->sweep;
	struct runs runs;
	struct group *group;
	int ret = runs_init(&runs, sweep);

	if (ret) {
		pthread_mutex_lock(&sweep->lock);
		sweep->error = sweep->error ? sweep->error : ret;
		pthread_cond_broadcast(&sweep->more);
		pthread_mutex_unlock(&sweep->lock);
	}
	while (!ret && (group = take_group(sweep, &worker->next_group))) {
		ret = group_sweep(sweep, group, &runs, worker->number);
		release_group(sweep, group, ret);
	}
	runs_free(&runs);
	return NULL;
}

int sweep_run(struct sweep *sweep)
{
	unsigned n = sweep->options.workers, started = 1;
	struct worker *workers = calloc(n, sizeof(*workers));

	if (!workers)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++)
		workers[i] = (struct worker){ .sweep = sweep, .number = i, .next_group = i * (sweep->ngroups / n) };
	for (; started < n; started++)
		if (pthread_create(&workers[started].thread, NULL, work, &workers[started]))
			break; /* fewer do as well */
	work(&workers[0]);
	for (unsigned i = 1; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	free(workers);
	return sweep->error;
}

void sweep_counts(const struct sweep *sweep, struct sweep_counts *ret_counts)
{
	*ret_counts = sweep->counts;
}

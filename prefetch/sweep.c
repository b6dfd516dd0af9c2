/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sweep as a whole: assigns groups to workers, and finds out when it is complete. After its group a worker takes
 * the next one with items, upwards and around, so that a single worker crosses the device once per pass.
 */
#include "sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <urcu/arch.h>

struct worker {
	struct sweep *sweep;
	unsigned number;
	unsigned next_group; /* where it starts looking */
	pthread_t thread;
};

int sweep_create(struct device *device, unsigned groups, const struct sweep_options *options,
		 const struct sweep_ops *ops, struct sweep **ret_sweep)
{
	struct sweep *sweep = calloc(1, sizeof(*sweep));

	if (!sweep)
		return -ENOMEM;
	sweep->groups = calloc(groups, sizeof(*sweep->groups));
	sweep->lanes = calloc(options->workers, sizeof(*sweep->lanes));
	if (!sweep->groups || !sweep->lanes) {
		free(sweep->groups);
		free(sweep->lanes);
		free(sweep);
		return -ENOMEM;
	}
	sweep->device = device;
	sweep->options = *options;
	sweep->ops = *ops;
	sweep->ngroups = groups;
	sweep->jobs_end = &sweep->jobs;
	pthread_mutex_init(&sweep->lock, NULL);
	pthread_cond_init(&sweep->more, NULL);
	pthread_cond_init(&sweep->less, NULL);
	latency_init(&sweep->latency);
	for (unsigned i = 0; i < groups; i++) {
		__cds_wfcq_init(&sweep->groups[i].inbox_head, &sweep->groups[i].inbox_tail);
		sweep->groups[i].lowest = UINT64_MAX;
	}
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
		free(sweep->groups[i].parked);
	}
	latency_destroy(&sweep->latency);
	pthread_cond_destroy(&sweep->more);
	pthread_cond_destroy(&sweep->less);
	pthread_mutex_destroy(&sweep->lock);
	free(sweep->lanes);
	free(sweep->groups);
	free(sweep);
}

void sweep_post(struct sweep *sweep, unsigned worker, unsigned group, struct sweep_item *item)
{
	struct group *g = &sweep->groups[group];

	cds_wfcq_node_init(&item->node);
	item->begun = false;
	if (sweep->lanes[worker].held == g) {
		device_borrow_soon(sweep->device, item->offset);
		item->node.next = g->own;
		g->own = &item->node;
		return;
	}
	/* pairs with the load in group.c, since compilers and ThreadSanitizer don't know the queue's own barriers */
	__atomic_store_n(&item->posted, true, __ATOMIC_RELEASE);
	if (cds_wfcq_enqueue(&g->inbox_head, &g->inbox_tail, &item->node))
		return; /* whoever posted to the empty inbox has signalled */
	/* a worker that releases the group checks the inbox afterwards: has_work() */
	if (!__atomic_load_n(&g->held, __ATOMIC_SEQ_CST)) {
		pthread_mutex_lock(&sweep->lock);
		pthread_cond_signal(&sweep->more);
		pthread_mutex_unlock(&sweep->lock);
	}
}

/* True if no worker holds the group, and its inbox has items; a free group is otherwise empty. The lock is held. */
static bool has_work(struct group *group)
{
	return !group->held && !cds_wfcq_empty(&group->inbox_head, &group->inbox_tail);
}

/* True if no group on the same spindle is being swept. The lock is held. */
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

/* Returns the next group with items that may be swept, or NULL. The lock is held. */
static struct group *find_group(struct sweep *sweep, unsigned *from)
{
	cmm_smp_mb(); /* group.held must be read as false before the inbox is checked: see sweep_post() */
	for (unsigned n = 0; n < sweep->ngroups; n++) {
		unsigned i = (*from + n) % sweep->ngroups;

		if (has_work(&sweep->groups[i]) && spindle_free(sweep, i)) {
			*from = i + 1;
			return &sweep->groups[i];
		}
	}
	return NULL;
}

/* Changes the number of workers without a group. The lock is held. */
static void spare_add(struct sweep *sweep, int change)
{
	__atomic_store_n(&sweep->spare, sweep->spare + (unsigned)change, __ATOMIC_RELAXED);
}

/*
 * Takes the next group with items into lane->held, or a job that another worker gave away. Waits for either. False:
 * everything is done, or the sweep has failed.
 */
static bool take_work(struct sweep *sweep, struct lane *lane, unsigned *from, struct request **ret_job)
{
	struct group *found = NULL;
	struct request *job = NULL;

	pthread_mutex_lock(&sweep->lock);
	while (!sweep->error && !(found = find_group(sweep, from)) && !(job = share_take(sweep))) {
		if (!sweep->nheld) /* no worker is left that could post items */
			break;
		pthread_cond_wait(&sweep->more, &sweep->lock);
	}
	if (found) {
		__atomic_store_n(&found->held, true, __ATOMIC_SEQ_CST);
		sweep->nheld++;
		spare_add(sweep, -1);
		lane->held = found;
	}
	pthread_mutex_unlock(&sweep->lock);
	*ret_job = job;
	return found || job;
}

static void release_group(struct sweep *sweep, struct lane *lane, int error)
{
	pthread_mutex_lock(&sweep->lock);
	__atomic_store_n(&lane->held->held, false, __ATOMIC_SEQ_CST);
	lane->held = NULL;
	sweep->nheld--;
	spare_add(sweep, 1);
	if (error && !sweep->error)
		sweep->error = error;
	/* another worker may take the group if items were posted since, or another group of its spindle */
	pthread_cond_broadcast(&sweep->more);
	pthread_mutex_unlock(&sweep->lock);
}

static void *work(void *arg)
{
	struct worker *worker = arg;
	struct sweep *sweep = worker->sweep;
	struct lane *lane = &sweep->lanes[worker->number];
	struct requests requests;
	struct request *job;
	int ret = requests_init(&requests, sweep);

	pthread_mutex_lock(&sweep->lock);
	spare_add(sweep, 1);
	if (ret) {
		sweep->error = sweep->error ? sweep->error : ret;
		pthread_cond_broadcast(&sweep->more);
	}
	pthread_mutex_unlock(&sweep->lock);
	while (!ret && take_work(sweep, lane, &worker->next_group, &job)) {
		if (job) {
			share_work(sweep, worker->number, job);
			continue;
		}
		ret = group_sweep(sweep, lane->held, &requests, worker->number);
		release_group(sweep, lane, ret);
	}
	pthread_mutex_lock(&sweep->lock);
	spare_add(sweep, -1);
	pthread_mutex_unlock(&sweep->lock);
	requests_free(&requests);
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
			break; /* fewer workers are sufficient */
	work(&workers[0]);
	for (unsigned i = 1; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	device_give_back(sweep->device);
	free(workers);
	return sweep->error;
}

uint64_t sweep_wanted(const struct sweep *sweep)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < sweep->options.workers; i++)
		bytes += __atomic_load_n(&sweep->lanes[i].counts.bytes_wanted, __ATOMIC_RELAXED);
	return bytes;
}

void sweep_counts(const struct sweep *sweep, struct sweep_counts *ret_counts)
{
	*ret_counts = (struct sweep_counts){ 0 };
	for (unsigned i = 0; i < sweep->options.workers; i++) {
		const struct sweep_counts *counts = &sweep->lanes[i].counts;

		ret_counts->items += counts->items;
		ret_counts->merged += counts->merged;
		ret_counts->reused += counts->reused;
		ret_counts->kept += counts->kept;
		ret_counts->passes += counts->passes;
		ret_counts->bytes_wanted += counts->bytes_wanted;
	}
}

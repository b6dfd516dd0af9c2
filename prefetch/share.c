/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests that one worker reads and another delivers. A group is swept by one worker, so that its requests ascend. If
 * a group has more to read than others, or there are few groups, workers without a group take requests from those with
 * one. Only requests of whole items that any worker may process are given away; others must be delivered one by one, in
 * order. Waking a worker takes as long as processing some small requests, so several are given at a time. A worker that
 * has given requests away and has nothing else to do takes back those that are left.
 */
#include "sweep.h"

#define WAKE_BYTES (64u << 10)
#define JOBS_BYTES (2 * WAKE_BYTES) /* of queued jobs per worker without a group, so that the next one is ready */

static bool may_be_given(const struct request *request)
{
	for (size_t i = 0; i < request->npieces; i++)
		if (!request->pieces[i].whole || !request->pieces[i].item->anywhere)
			return false;
	return request->npieces > 0;
}

bool share_give(struct sweep *sweep, struct group *group, struct request *request)
{
	struct piece *pieces = request->given;
	size_t room = request->given_room;
	bool wanted, wake = false;

	if (!__atomic_load_n(&sweep->spare, __ATOMIC_RELAXED) || !may_be_given(request))
		return false;
	pthread_mutex_lock(&sweep->lock);
	wanted = sweep->jobs_bytes < (size_t)JOBS_BYTES * sweep->spare;
	if (wanted) {
		/* the giver delivers pieces that are added to the request later */
		request->given = request->pieces;
		request->ngiven = request->npieces;
		request->given_room = request->room;
		request->pieces = pieces;
		request->room = room;
		request->npieces = 0;
		request->group = group;
		__atomic_store_n(&request->busy, true, __ATOMIC_RELAXED);
		request->next = NULL;
		*sweep->jobs_end = request;
		sweep->jobs_end = &request->next;
		sweep->jobs_bytes += request->io.len;
		sweep->new_bytes += request->io.len;
		wake = sweep->new_bytes >= WAKE_BYTES;
		if (wake)
			sweep->new_bytes = 0;
		group->given++;
	}
	pthread_mutex_unlock(&sweep->lock);
	if (wake) /* after unlocking, so that the worker can take the lock */
		pthread_cond_signal(&sweep->more);
	return wanted;
}

struct request *share_take(struct sweep *sweep)
{
	struct request *job = sweep->jobs;

	if (job) {
		sweep->jobs = job->next;
		if (!sweep->jobs)
			sweep->jobs_end = &sweep->jobs;
		sweep->jobs_bytes -= job->io.len;
	}
	return job;
}

void share_work(struct sweep *sweep, unsigned worker, struct request *job)
{
	const uint8_t *bytes = job->io.buf;
	struct group *group = job->group;

	for (size_t i = 0; i < job->ngiven; i++) {
		const struct piece *piece = &job->given[i];
		const uint8_t *its = bytes + (piece->offset - job->io.offset);

		if (i + 1 < job->ngiven)
			piece_fetch(piece + 1, bytes, job->io.offset);
		device_offer(sweep->device, its, piece->offset, piece->len, piece->item->source);
		sweep->ops.arrived(sweep->ops.ctx, worker, piece->item, its, piece->offset, piece->len, true);
	}
	__atomic_store_n(&job->busy, false, __ATOMIC_RELEASE); /* the request may be reused from now on */
	pthread_mutex_lock(&sweep->lock);
	group->given--;
	pthread_cond_broadcast(&sweep->less);
	pthread_mutex_unlock(&sweep->lock);
}

bool share_wait(struct sweep *sweep, struct group *group, unsigned worker)
{
	struct request *job = NULL;
	unsigned given;

	pthread_mutex_lock(&sweep->lock);
	given = group->given;
	if (given) {
		job = share_take(sweep);
		if (!job)
			pthread_cond_wait(&sweep->less, &sweep->lock);
	}
	pthread_mutex_unlock(&sweep->lock);
	if (job)
		share_work(sweep, worker, job);
	return given > 0;
}

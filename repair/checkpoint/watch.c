/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits until a checkpoint is due, or the run is to stop. Workers only look at a flag of the sweep. */
#include <errno.h>
#include <string.h>

#include "parallel.h"
#include "prefetch.h"
#include "private.h"
#include "state.h"

/* How often the state is written. checkpoint_interval() is a function of its own, so that tests can replace it. */

#define LEAST 30000000000u /* nanoseconds */
#define SHARE 50u	   /* checkpoints take at most one part in so many of the time */

uint64_t checkpoint_interval(uint64_t cost)
{
	return cost > LEAST / SHARE ? cost * SHARE : LEAST;
}

#define STACK_BYTES (64u << 10)
#define SECOND	    1000000000u

uint64_t watch_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

/* Under lock: holds the sweep if it is due, and returns 0; else returns when to look again, 0: when woken. */
static uint64_t look(struct checkpoint_watch *w)
{
	if (!w->sweep)
		return 0;
	if (!w->stop && watch_now() < w->due)
		return w->due;
	sweep_hold(w->sweep);
	w->sweep = NULL;
	return 0;
}

static void *watch(void *arg)
{
	struct checkpoint_watch *w = arg;

	pthread_mutex_lock(&w->lock);
	while (!w->over) {
		const uint64_t until = look(w);
		const struct timespec when = { (time_t)(until / SECOND), (long)(until % SECOND) };

		if (until)
			pthread_cond_timedwait(&w->wake, &w->lock, &when);
		else
			pthread_cond_wait(&w->wake, &w->lock);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

int watch_begin(struct checkpoint_watch *w)
{
	pthread_condattr_t clock;
	int ret;

	memset(w, 0, sizeof(*w));
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->wake, &clock);
	pthread_condattr_destroy(&clock);
	ret = thread_start(&w->thread, STACK_BYTES, watch, w);
	w->running = !ret;
	return ret;
}

void watch_end(struct checkpoint_watch *w)
{
	if (w->running) {
		pthread_mutex_lock(&w->lock);
		w->over = true;
		pthread_cond_signal(&w->wake);
		pthread_mutex_unlock(&w->lock);
		pthread_join(w->thread, NULL);
	}
	pthread_cond_destroy(&w->wake);
	pthread_mutex_destroy(&w->lock);
}

void watch_sweep(struct checkpoint_watch *w, struct sweep *sweep, uint64_t due)
{
	pthread_mutex_lock(&w->lock);
	w->active = true;
	w->sweep = sweep;
	w->due = due;
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->lock);
}

bool watch_swept(struct checkpoint_watch *w)
{
	bool stop;

	pthread_mutex_lock(&w->lock);
	w->sweep = NULL;
	stop = w->stop;
	pthread_mutex_unlock(&w->lock);
	return stop;
}

bool watch_last(struct checkpoint_watch *w)
{
	bool stop;

	pthread_mutex_lock(&w->lock);
	w->active = false;
	stop = w->stop;
	pthread_mutex_unlock(&w->lock);
	return stop;
}

bool watch_stop(struct checkpoint_watch *w)
{
	bool soon;

	pthread_mutex_lock(&w->lock);
	soon = w->active && !w->stop;
	w->stop |= soon;
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->lock);
	return soon;
}

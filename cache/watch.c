/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE 1

#include <stdio.h>
#include <time.h>

#include "device.h"
#include "source.h"
#include "parallel.h"

#define STACK_BYTES (64u << 10)
/* A flush writes everything that the kernel or the server has buffered. */
#define FLUSH_TIMES 10u

/* Reports that nothing was answered within the limit, and cancels requests if possible. */
static void give_up(struct device *device)
{
	const bool cancelled = device->source->cancel != NULL;
	struct watch *watch = &device->watch;
	char request[64] = "a flush";

	if (!atomic_load(&watch->waiting[WATCH_FLUSH]))
		snprintf(request, sizeof(request), "a %s at byte %llu",
			 atomic_load(&watch->waiting[WATCH_WRITE]) ? "write" : "read",
			 (unsigned long long)atomic_load(&device->at));
	if (watch->on_silence)
		watch->on_silence(watch->ctx, device->name, request, watch->limit, cancelled);
	if (cancelled)
		device->source->cancel(device);
}

/* Sleeps for a second; the lock is held. False: the thread must end. */
static bool sleep_a_second(struct watch *watch)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec++;
	while (!watch->stop)
		if (pthread_cond_clockwait(&watch->news, &watch->lock, CLOCK_MONOTONIC, &until))
			break;
	return !watch->stop;
}

static bool is_any_waiting(struct watch *watch)
{
	for (unsigned i = 0; i < WATCH_NR; i++)
		if (atomic_load(&watch->waiting[i]))
			return true;
	return false;
}

static void *run(void *arg)
{
	struct device *device = arg;
	struct watch *watch = &device->watch;
	unsigned answers = 0, silent = 0; /* seconds */

	pthread_mutex_lock(&watch->lock);
	while (sleep_a_second(watch)) {
		const unsigned now = atomic_load(&watch->answers);
		const unsigned times = atomic_load(&watch->waiting[WATCH_FLUSH]) ? FLUSH_TIMES : 1;

		silent = is_any_waiting(watch) && now == answers ? silent + 1 : 0;
		answers = now;
		if (silent / times <= watch->limit)
			continue;
		pthread_mutex_unlock(&watch->lock);
		give_up(device);
		pthread_mutex_lock(&watch->lock);
		silent = 0;
	}
	pthread_mutex_unlock(&watch->lock);
	return NULL;
}

static void start(struct device *device)
{
	struct watch *watch = &device->watch;

	pthread_mutex_lock(&watch->lock);
	/* without the thread there is no limit */
	if (!atomic_load(&watch->running))
		atomic_store(&watch->running, !thread_start(&watch->thread, STACK_BYTES, run, device));
	pthread_mutex_unlock(&watch->lock);
}

void watch_init(struct device *device)
{
	pthread_mutex_init(&device->watch.lock, NULL);
	pthread_cond_init(&device->watch.news, NULL);
}

void watch_wait(struct device *device, enum watched what)
{
	struct watch *watch = &device->watch;

	if (!watch->limit)
		return;
	atomic_fetch_add_explicit(&watch->waiting[what], 1, memory_order_relaxed);
	if (!atomic_load_explicit(&watch->running, memory_order_relaxed))
		start(device);
}

void watch_answered(struct device *device, enum watched what)
{
	struct watch *watch = &device->watch;

	if (!watch->limit)
		return;
	atomic_fetch_add_explicit(&watch->answers, 1, memory_order_relaxed);
	atomic_fetch_sub_explicit(&watch->waiting[what], 1, memory_order_relaxed);
}

void watch_rest(struct device *device)
{
	struct watch *watch = &device->watch;

	if (!atomic_load(&watch->running))
		return;
	pthread_mutex_lock(&watch->lock);
	watch->stop = true;
	pthread_cond_signal(&watch->news);
	pthread_mutex_unlock(&watch->lock);
	pthread_join(watch->thread, NULL);
	watch->stop = false;
	atomic_store(&watch->running, false);
}

void watch_destroy(struct device *device)
{
	watch_rest(device);
	pthread_cond_destroy(&device->watch.news);
	pthread_mutex_destroy(&device->watch.lock);
}

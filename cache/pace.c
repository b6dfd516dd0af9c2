/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits the bytes and requests read per second. Each request takes the next turn, and waits for it; the length of the
 * request and the limits determine the turn after it. Turns unused in the last moment may be caught up on, else a
 * thread that was late would never reach the limit.
 *
 * A number that is little for one device is all that another one can do. So the time of the device is limited, too: one
 * request at a time, and after each a rest as many times as long. Others that keep the device busy make a request take
 * longer, and the rest with it.
 */
#include "device.h"

#include <errno.h>
#include <time.h>

#define SECOND	1000000000u /* ns */
#define MOMENT	(SECOND / 20)
#define LONGEST (10ull * SECOND) /* between two requests, when signals are noticed */

void pace_init(struct pace *pace, uint64_t rate, unsigned requests, unsigned share)
{
	*pace = (struct pace){ .rate = rate,
			       .gap = requests ? SECOND / requests : 0,
			       .share = share < 100 ? share : 0 };
	pthread_mutex_init(&pace->one, NULL);
}

void pace_destroy(struct pace *pace)
{
	pthread_mutex_destroy(&pace->one);
}

static uint64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

/* Returns the time until the next request after one of this many bytes, in ns. */
static uint64_t gap_behind(const struct pace *pace, size_t len)
{
	const double seconds = pace->rate ? (double)len / (double)pace->rate : 0;
	const uint64_t gap = seconds < 10 ? (uint64_t)(seconds * SECOND) : LONGEST;

	return gap > pace->gap ? gap : pace->gap;
}

void pace_wait(struct pace *pace, size_t len)
{
	uint64_t now, turn, next;
	struct timespec time;

	if (!pace->rate && !pace->gap && !pace->share)
		return;
	now = now_ns();
	turn = atomic_load(&pace->next);
	do
		next = (turn > now - MOMENT ? turn : now - MOMENT) + gap_behind(pace, len);
	while (!atomic_compare_exchange_weak(&pace->next, &turn, next));
	next -= gap_behind(pace, len);
	if (next <= now)
		return;
	time = (struct timespec){ .tv_sec = (time_t)(next / SECOND), .tv_nsec = (long)(next % SECOND) };
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR)
		;
}

uint64_t pace_begin(struct pace *pace, size_t len)
{
	if (pace->share)
		pthread_mutex_lock(&pace->one);
	pace_wait(pace, len);
	return pace->share ? now_ns() : 0;
}

void pace_end(struct pace *pace, uint64_t began)
{
	uint64_t now, rest;

	if (!pace->share)
		return;
	now = now_ns();
	rest = (now - began) * (100 - pace->share) / pace->share;
	rest = now + (rest < LONGEST ? rest : LONGEST);
	if (rest > atomic_load(&pace->next))
		atomic_store(&pace->next, rest);
	pthread_mutex_unlock(&pace->one);
}

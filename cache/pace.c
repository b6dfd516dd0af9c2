/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits how much is read in a second, and by how many requests: each request takes the next turn, which comes as much
 * later as the limits want for its length, and waits for it.  What was not used of the last moment may be made up for:
 * else a thread that was late would never read as much as is allowed.
 */
#include "device.h"

#include <errno.h>
#include <time.h>

#define SECOND	1000000000u /* ns */
#define MOMENT	(SECOND / 20)
#define LONGEST (10ull * SECOND) /* between two requests: a signal is noticed between them */

void pace_init(struct pace *pace, uint64_t rate, unsigned requests)
{
	*pace = (struct pace){ .rate = rate, .gap = requests ? SECOND / requests : 0 };
}

/* How long after a request of so many bytes the next one may follow: ns. */
static uint64_t gap_behind(const struct pace *pace, size_t len)
{
	const double seconds = pace->rate ? (double)len / (double)pace->rate : 0;
	const uint64_t gap = seconds < 10 ? (uint64_t)(seconds * SECOND) : LONGEST;

	return gap > pace->gap ? gap : pace->gap;
}

void pace_wait(struct pace *pace, size_t len)
{
	struct timespec time;
	uint64_t now, turn, next;

	if (!pace->rate && !pace->gap)
		return;
	clock_gettime(CLOCK_MONOTONIC, &time);
	now = (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
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

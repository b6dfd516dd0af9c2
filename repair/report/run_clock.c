/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wall-clock time in UTC, and durations that setting the clock does not affect. */
#define _GNU_SOURCE 1

#include "run_clock.h"

#include <stddef.h>

void run_clock_start(struct run_clock *clock)
{
	clock->start = time(NULL);
	clock_gettime(CLOCK_MONOTONIC, &clock->since);
}

double run_clock_seconds(const struct run_clock *clock)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - clock->since.tv_sec) + (double)(now.tv_nsec - clock->since.tv_nsec) / 1e9;
}

const char *run_clock_text(time_t when, char buf[static RUN_CLOCK_TEXT])
{
	struct tm tm;

	if (!gmtime_r(&when, &tm) || !strftime(buf, RUN_CLOCK_TEXT, "%Y-%m-%dT%H:%M:%SZ", &tm))
		buf[0] = '\0';
	return buf;
}

bool run_clock_read(const char *text, time_t *ret_when)
{
	struct tm tm = { 0 };

	if (!strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm))
		return false;
	*ret_when = timegm(&tm);
	return true;
}

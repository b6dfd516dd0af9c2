/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Start and duration of a run. */
#ifndef XFSCK_REPAIR_RUN_CLOCK_H
#define XFSCK_REPAIR_RUN_CLOCK_H

#include <stdbool.h>
#include <time.h>

struct run_clock {
	time_t start;
	struct timespec since; /* on the monotonic clock */
};

void run_clock_start(struct run_clock *clock);
/* Returns the seconds since the start. */
double run_clock_seconds(const struct run_clock *clock);

#define RUN_CLOCK_TEXT 24
/* Writes a time as "2026-03-01T07:05:00Z", or "" if that fails. Returns buf. */
const char *run_clock_text(time_t when, char buf[static RUN_CLOCK_TEXT]);
/* Reads a time that run_clock_text() wrote. False: another format. */
bool run_clock_read(const char *text, time_t *ret_when);

#endif

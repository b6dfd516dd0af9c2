/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When something began, and how long it has taken. */
#ifndef XFSCK_REPAIR_RUN_CLOCK_H
#define XFSCK_REPAIR_RUN_CLOCK_H

#include <stdbool.h>
#include <time.h>

struct run_clock {
	time_t start;
	struct timespec since; /* on a clock that can't be set */
};

void run_clock_start(struct run_clock *clock);
/* Returns the seconds since it was started. */
double run_clock_seconds(const struct run_clock *clock);

#define RUN_CLOCK_TEXT 24
/* Write a time as "2026-03-01T07:05:00Z". Returns buf. */
const char *run_clock_text(time_t when, char buf[static RUN_CLOCK_TEXT]);
/* Read what that has written. False: it is something else. */
bool run_clock_read(const char *text, time_t *ret_when);

#endif

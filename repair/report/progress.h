/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The progress of a phase, printed by a thread of its own while the phase works. */
#ifndef XFSCK_REPAIR_PROGRESS_H
#define XFSCK_REPAIR_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

#include "words.h"

struct progress_task {
	unsigned phase; /* number */
	const char *title;
	const char *unit;     /* plural */
	uint64_t total;	      /* 0: not known */
	const uint64_t *done; /* atomic; others add to it */
};

struct progress;

/*
 * live: rewrite one line; else print plain lines every `interval` seconds.  out and what task points to must live until
 * progress_stop().  NULL if no thread can be had: progress is no more than a comfort, so that is no error.
 */
struct progress *progress_start(FILE *out, bool live, unsigned interval, const struct progress_task *task);

/* Clear the line and end the thread.  Here and below, progress may be NULL. */
void progress_stop(struct progress *progress);

/* Clear the line and leave the terminal to the caller until progress_resume(). */
void progress_pause(struct progress *progress);
void progress_resume(struct progress *progress);

/* Write the progress after so many milliseconds; less important parts are left out if they exceed so many columns. */
void progress_add_line(struct words *line, const struct progress_task *task, uint64_t elapsed_ms, size_t columns);

#endif

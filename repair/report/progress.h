/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Progress of a run, printed by a thread of its own. */
#ifndef XFSCK_REPAIR_PROGRESS_H
#define XFSCK_REPAIR_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

#include "report.h"
#include "words.h"

/* Where progress is printed. */
struct progress_outputs {
	FILE *out;	       /* receives the line or lines */
	bool live;	       /* rewrite a single line in place ... */
	unsigned interval;     /* ... else print a line every `interval` seconds; 0: never */
	FILE *err;	       /* receives the answers to progress_ask() */
	const char *program;   /* printed in front of them */
	int fd;		       /* receives lines "phase done total device", like e2fsck -C; negative: none */
	const char *fd_device; /* name of the device in these lines */
};

/*
 * Chooses where progress goes, and its form. text: there is a text report on out. Progress goes to out as well; without
 * text, or if out is a file and err a terminal, it goes to err. A live line is only for a terminal, or
 * --progress=always; not for a pipe, whose other end may be using the terminal.
 */
struct progress_outputs progress_choose(const struct options *options, bool text, FILE *out, FILE *err);

struct progress;

/*
 * Allocates progress, and copies `to`, whose pointers must be valid until progress_stop(). NULL: out of memory. The run
 * works without progress then, and if the thread can't be started.
 */
struct progress *progress_new(const struct progress_outputs *to);
/* Starts the thread. */
void progress_start(struct progress *progress);

/* Clears the line, ends the thread and frees progress. Here and below, progress may be NULL. */
void progress_stop(struct progress *progress);

/* Sets the work of phases and steps that report none of their own; it counts from 0 in each. *usual is copied. */
void progress_usual(struct progress *progress, const struct report_work *usual);
/* Begins a phase, with the usual work. title must live until progress_stop(). */
void progress_phase(struct progress *progress, unsigned number, const char *title);
void progress_phase_end(struct progress *progress);
/* Begins a step of the phase, as report_step() does. words are copied. */
void progress_step(struct progress *progress, const char *words, const struct report_work *work);
/* Begins work within the step; *work is copied. NULL: ends it, after which its counter is not read any more. */
void progress_work(struct progress *progress, const struct report_work *work);

/* Clears the line and leaves the terminal to the caller until progress_resume(). */
void progress_pause(struct progress *progress);
void progress_resume(struct progress *progress);

/* Makes the thread print a line about progress soon. Any thread may call this; it does not wait. */
void progress_ask(struct progress *progress);

/* Contents of a line. */
struct progress_view {
	unsigned phase;
	const char *title;
	const char *step; /* "": none */
	const char *unit;
	uint64_t done, total; /* total 0: unknown */
	uint64_t elapsed_ms;  /* since the work began */
	uint64_t idle_ms;     /* since the last change */
	const char *object;   /* what is being worked on, and its number; NULL: unknown */
	uint64_t number;
};

#define PROGRESS_IDLE_MS 10000u /* from here on, the line shows that nothing moves, and what is being worked on */

/* Writes the line; leaves out less important parts beyond this many columns. */
void progress_add_line(struct words *line, const struct progress_view *view, size_t columns);

#endif

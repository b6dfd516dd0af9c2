/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The progress of a run, printed by a thread of its own while others work. */
#ifndef XFSCK_REPAIR_PROGRESS_H
#define XFSCK_REPAIR_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

#include "report.h"
#include "words.h"

/* Where progress is printed. */
struct progress_outputs {
	FILE *out;	       /* the line, or lines */
	bool live;	       /* it is one line that is rewritten ... */
	unsigned interval;     /* ... else a line is printed each time so many seconds are over; 0: none is */
	FILE *err;	       /* what progress_ask() asks for, */
	const char *program;   /* with this name in front */
	int fd;		       /* lines "phase done total device", as e2fsck -C writes them; negative: none */
	const char *fd_device; /* the name of the device in these */
};

/*
 * Choose where progress goes, and its form.  text: the report goes to out as text.  If JSON goes there instead,
 * progress goes to err, and then only if that's a terminal; also if the text goes to a file, and err to a terminal. The
 * other end of a pipe may be what uses that terminal.
 */
struct progress_outputs progress_choose(const struct options *options, bool text, FILE *out, FILE *err);

struct progress;

/*
 * What `to` points to must live until progress_stop().  NULL if there is no memory: progress is no more than a comfort,
 * so that is no error, nor is it if no thread can be had.
 */
struct progress *progress_new(const struct progress_outputs *to);
/* Start the thread. */
void progress_start(struct progress *progress);

/* Clear the line and end the thread.  Here and below, progress may be NULL. */
void progress_stop(struct progress *progress);

/* The work of phases, or parts of them, that report no other: it begins at 0 with each.  From *usual all is copied. */
void progress_usual(struct progress *progress, const struct report_work *usual);
/* A phase begins, with its usual work; titles live until progress_stop(). */
void progress_phase(struct progress *progress, unsigned number, const char *title);
void progress_phase_end(struct progress *progress);
/* A step of the phase, as of report_step(); words are copied. */
void progress_step(struct progress *progress, const char *words, const struct report_work *work);
/* Work within the step begins or, if NULL, ends: then it is not looked at any more.  From *work all is copied. */
void progress_work(struct progress *progress, const struct report_work *work);

/* Clear the line and leave the terminal to the caller until progress_resume(). */
void progress_pause(struct progress *progress);
void progress_resume(struct progress *progress);

/* Have the thread print a line on how far the run is, soon. This may be called by any thread, and does not wait. */
void progress_ask(struct progress *progress);

/* What a line says. */
struct progress_view {
	unsigned phase;
	const char *title;
	const char *step; /* "": none */
	const char *unit;
	uint64_t done, total; /* total 0: not known */
	uint64_t elapsed_ms;  /* since the work began */
	uint64_t idle_ms;     /* since anything has moved */
	const char *object;   /* what is being worked on, and which one; NULL: not known */
	uint64_t number;
};

#define PROGRESS_IDLE_MS 10000u /* from here on, the line says that nothing moves, and what is being worked on */

/* Write the line; less important parts are left out if they exceed so many columns. */
void progress_add_line(struct words *line, const struct progress_view *view, size_t columns);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The progress line.  A thread wakes up ten times a second, or once every interval if there is no terminal, looks how
 * far the workers are, and writes.  On a terminal the line is rewritten in place, is never longer than the terminal is
 * wide, and is cleared before anything else is printed: with spaces, which every terminal understands.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "progress.h"
#include "terminal.h"

#define LIVE_MS 100

struct progress {
	FILE *out;
	bool live;
	uint64_t period_ms;
	struct progress_task task;
	uint64_t start_ms;
	pthread_t thread;

	pthread_mutex_t lock; /* for out, and what follows */
	pthread_cond_t wake;
	bool stop;
	bool paused;
	size_t shown; /* characters of the live line on the terminal */
};

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* value * factor / divisor, at most 10^18 */
static uint64_t scale(uint64_t value, uint64_t factor, uint64_t divisor)
{
	long double result = (long double)value * factor / divisor;

	return result < 1e18L ? (uint64_t)result : 1000000000000000000u;
}

/* Add a further part to the line, if all of it fits into so many columns. */
static void add_if_room(struct words *line, const struct words *more, size_t columns)
{
	if (line->length + more->length <= columns)
		words_add(line, "%s", more->text);
}

void progress_add_line(struct words *line, const struct progress_task *task, uint64_t elapsed_ms, size_t columns)
{
	uint64_t done = __atomic_load_n(task->done, __ATOMIC_RELAXED);
	uint64_t total = task->total;
	struct words left = { 0 }, rate = { 0 }, count = { 0 };

	words_add(line, "Phase %u (%s): ", task->phase, task->title);
	if (total) {
		words_add(line, "%u%%", done < total ? (unsigned)scale(done, 100, total) : 100);
		words_add(&count, " (");
		words_add_number(&count, done);
		words_add(&count, " of ");
		words_add_number(&count, total);
		words_add(&count, ")");
	} else {
		words_add_number(line, done);
		words_add(line, " %s", task->unit);
	}
	if (done && done < total) {
		words_add(&left, ", ");
		words_add_duration(&left, scale(total - done, elapsed_ms, done) / 1000 + 1);
		words_add(&left, " left");
	}
	if (done && elapsed_ms) {
		words_add(&rate, ", ");
		words_add_number(&rate, scale(done, 1000, elapsed_ms));
		words_add(&rate, " %s per s", task->unit);
	}
	add_if_room(line, &left, columns);
	add_if_room(line, &rate, columns);
	add_if_room(line, &count, columns);
}

/* Clear the line; with p->lock held. */
static void wipe(struct progress *p)
{
	if (p->shown)
		fprintf(p->out, "\r%*s\r", (int)p->shown, "");
	p->shown = 0;
}

/* Print the progress; with p->lock held. */
static void tell(struct progress *p)
{
	struct words line = { 0 };
	size_t width = p->live ? terminal_width(p->out) : SIZE_MAX;

	progress_add_line(&line, &p->task, now_ms() - p->start_ms, width);
	if (!p->live) {
		fprintf(p->out, "%s\n", line.text);
	} else {
		if (line.length > width)
			line.length = width;
		/* overwrite a longer line with spaces, but no wider than the terminal is now */
		if (p->shown > width)
			p->shown = width;
		fprintf(p->out, "\r%-*.*s", (int)p->shown, (int)line.length, line.text);
		p->shown = line.length;
	}
	fflush(p->out);
}

static void *run(void *arg)
{
	struct progress *p = arg;
	struct timespec until;
	uint64_t next_ms;

	pthread_mutex_lock(&p->lock);
	while (!p->stop) {
		next_ms = now_ms() + p->period_ms;
		until.tv_sec = (time_t)(next_ms / 1000);
		until.tv_nsec = (long)(next_ms % 1000 * 1000000);
		while (!p->stop && pthread_cond_timedwait(&p->wake, &p->lock, &until) != ETIMEDOUT)
			;
		if (!p->stop && !p->paused)
			tell(p);
	}
	wipe(p);
	fflush(p->out);
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

static void init_locks(struct progress *p)
{
	pthread_condattr_t monotonic;

	pthread_mutex_init(&p->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&p->wake, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

static void destroy(struct progress *p)
{
	pthread_cond_destroy(&p->wake);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

struct progress *progress_start(FILE *out, bool live, unsigned interval, const struct progress_task *task)
{
	struct progress *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->out = out;
	p->live = live;
	p->period_ms = live ? LIVE_MS : interval * 1000ull;
	p->task = *task;
	p->start_ms = now_ms();
	init_locks(p);
	if (pthread_create(&p->thread, NULL, run, p)) {
		destroy(p);
		return NULL;
	}
	return p;
}

void progress_stop(struct progress *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	destroy(p);
}

void progress_pause(struct progress *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->paused = true;
	wipe(p);
	fflush(p->out);
	pthread_mutex_unlock(&p->lock);
}

void progress_resume(struct progress *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->paused = false;
	pthread_mutex_unlock(&p->lock);
}

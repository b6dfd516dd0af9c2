/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Progress of a run. A thread reads the workers' counters ten times a second and prints them. On a terminal it rewrites
 * one line, never wider than the terminal, and erases it before anything else is printed, with spaces, which every
 * terminal understands. Elsewhere it prints a line from time to time; for other programs it writes lines like e2fsck.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"
#include "layout.h"
#include "parallel.h"

#define TICK_MS	    100
#define STACK_BYTES (256u << 10)
#define WHOLE	    1000u /* parts of a phase, in the lines of -C */

/* Work, and its counter and time when it began. */
struct pace {
	struct report_work work;
	uint64_t start_ms, start_done;
};

struct progress {
	struct progress_outputs to;
	pthread_t thread;
	bool running; /* the thread exists */
	bool asked;   /* atomic: progress_ask() was called */

	pthread_mutex_t lock; /* for to.out and the following members */
	pthread_cond_t wake;
	bool stop;
	bool paused;
	size_t shown;		     /* characters of the live line that are on the terminal */
	uint64_t next_ms;	     /* when the next plain line is due */
	struct report_work usual;    /* look is NULL: none */
	struct pace step_pace, pace; /* work of the step, and current work: the step's, a part of it, or the usual */
	unsigned phase;		     /* number; 0: none yet */
	const char *title;	     /* NULL: between phases */
	struct words step;
	uint64_t moved_ms;	     /* time when a counter last changed */
	uint64_t seen, usual_seen;   /* the counters at that time */
	unsigned before;	     /* of WHOLE: share done before the current work; WHOLE: the phase has ended */
	unsigned fd_phase, fd_share; /* in the last line of -C */
};

static bool is_regular_file(FILE *out)
{
	struct stat st;

	return !fstat(fileno(out), &st) && S_ISREG(st.st_mode);
}

struct progress_outputs progress_choose(const struct options *o, bool text, FILE *out, FILE *err)
{
	const bool apart = is_regular_file(out) && isatty(fileno(err)), never = o->progress == PROGRESS_NEVER;
	struct progress_outputs to = { .out = text && !apart ? out : err,
				       .err = err,
				       .program = o->program,
				       .fd = o->progress_fd ? (int)o->progress_fd : -1,
				       .fd_device = o->device };

	to.live = !never && (isatty(fileno(to.out)) || o->progress == PROGRESS_ALWAYS);
	to.interval = !never && text ? o->interval : 0;
	return to;
}

void report_look_count(const void *count, struct report_work_state *state)
{
	state->done = __atomic_load_n((const uint64_t *)count, __ATOMIC_RELAXED);
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Clears the line. p->lock is held, here and below. */
static void wipe(struct progress *p)
{
	if (p->shown)
		fprintf(p->to.out, "\r%*s\r", (int)p->shown, "");
	p->shown = 0;
}

static struct report_work_state look(const struct report_work *work)
{
	struct report_work_state state = { 0 };

	if (work->look)
		work->look(work->ctx, &state);
	return state;
}

/* Returns what was done since the work began. */
static uint64_t done_since(const struct pace *pace, const struct report_work_state *state)
{
	return state->done > pace->start_done ? state->done - pace->start_done : 0;
}

/* Reads the counters of the current work. */
static struct progress_view view_of(struct progress *p)
{
	struct report_work_state state = look(&p->pace.work), usual = look(&p->usual);
	const uint64_t now = now_ms();

	if (state.done < p->seen) /* an earlier estimate was too high */
		state.done = p->seen;
	if (state.done != p->seen || usual.done != p->usual_seen)
		p->moved_ms = now;
	p->seen = state.done;
	p->usual_seen = usual.done;
	if (!state.object) {
		state.object = usual.object;
		state.number = usual.number;
	}
	return (struct progress_view){ p->phase,
				       p->title,
				       p->step.text,
				       p->pace.work.unit,
				       done_since(&p->pace, &state),
				       p->pace.work.total,
				       now - p->pace.start_ms,
				       now - p->moved_ms,
				       state.object,
				       state.number };
}

static void draw(struct progress *p, const struct progress_view *view)
{
	const size_t width = terminal_width(p->to.out);
	struct words line = { 0 };

	progress_add_line(&line, view, width);
	if (line.length > width)
		line.length = width;
	/* pad with spaces to erase a longer line, within the terminal's current width */
	if (p->shown > width)
		p->shown = width;
	fprintf(p->to.out, "\r%-*.*s", (int)p->shown, (int)line.length, line.text);
	p->shown = line.length;
	fflush(p->to.out);
}

static void print_plain(struct progress *p, const struct progress_view *view)
{
	struct words line = { 0 };

	progress_add_line(&line, view, SIZE_MAX);
	fprintf(p->to.out, "%s\n", line.text);
	fflush(p->to.out);
	p->next_ms = now_ms() + p->to.interval * 1000ull;
}

/* Prints the line that progress_ask() requested. */
static void answer(struct progress *p, const struct progress_view *view)
{
	struct words line = { 0 };

	if (p->title)
		progress_add_line(&line, view, SIZE_MAX);
	else
		words_add(&line, "between phases");
	wipe(p);
	fflush(p->to.out);
	fprintf(p->to.err, "%s: %s\n", p->to.program, line.text);
	fflush(p->to.err);
}

/* Returns how much of the phase is done, of WHOLE. Later work is unknown, so each piece gets half of what is left. */
static unsigned share_of(const struct progress *p, const struct progress_view *view)
{
	const unsigned left = p->pace.work.last ? WHOLE - p->before : (WHOLE - p->before) / 2;

	if (!view->total)
		return p->before;
	if (view->done >= view->total)
		return p->before + left;
	return p->before + (unsigned)((long double)view->done * left / view->total);
}

/* Writes a line of -C. False: the reader is not ready; the write would block. */
static bool put_share(struct progress *p, unsigned phase, unsigned share)
{
	struct pollfd ready = { .fd = p->to.fd, .events = POLLOUT };

	if (poll(&ready, 1, 0) != 1 || !(ready.revents & POLLOUT))
		return false;
	if (dprintf(p->to.fd, "%u %u %u %s\n", phase, share, WHOLE, p->to.fd_device) < 0)
		p->to.fd = -1;
	p->fd_phase = phase;
	p->fd_share = share;
	return true;
}

/* Writes the lines of -C that are due, including those of phases that have ended since. */
static void put_shares(struct progress *p, unsigned share)
{
	bool room = p->to.fd >= 0;

	while (room && p->fd_phase < p->phase) {
		if (p->fd_phase && p->fd_share < WHOLE)
			room = put_share(p, p->fd_phase, WHOLE);
		if (room)
			room = put_share(p, p->fd_phase + 1, 0);
	}
	if (room && share > p->fd_share)
		put_share(p, p->phase, share);
}

static void tell(struct progress *p)
{
	const struct progress_view view = view_of(p);

	put_shares(p, share_of(p, &view));
	if (__atomic_exchange_n(&p->asked, false, __ATOMIC_RELAXED))
		answer(p, &view);
	if (p->paused || !p->title)
		return;
	if (p->to.live)
		draw(p, &view);
	else if (p->to.interval && now_ms() >= p->next_ms)
		print_plain(p, &view);
}

static void *run(void *arg)
{
	struct progress *p = arg;
	struct timespec until;
	uint64_t next_ms;

	pthread_mutex_lock(&p->lock);
	while (!p->stop) {
		next_ms = now_ms() + TICK_MS;
		until.tv_sec = (time_t)(next_ms / 1000);
		until.tv_nsec = (long)(next_ms % 1000 * 1000000);
		while (!p->stop && pthread_cond_timedwait(&p->wake, &p->lock, &until) != ETIMEDOUT)
			;
		if (!p->stop)
			tell(p);
	}
	put_shares(p, p->before);
	wipe(p);
	fflush(p->to.out);
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

struct progress *progress_new(const struct progress_outputs *to)
{
	struct progress *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->to = *to;
	p->usual.unit = p->pace.work.unit = "";
	p->next_ms = now_ms() + to->interval * 1000ull;
	init_locks(p);
	return p;
}

void progress_start(struct progress *p)
{
	if (p)
		p->running = !thread_start(&p->thread, STACK_BYTES, run, p);
}

void progress_stop(struct progress *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->lock);
	if (p->running)
		pthread_join(p->thread, NULL);
	destroy(p);
}

/* Continues work; idle time counts from now. */
static void go_on(struct progress *p, const struct pace *pace)
{
	p->pace = *pace;
	p->moved_ms = now_ms();
	p->seen = look(&pace->work).done;
}

static void begin_work(struct progress *p, const struct report_work *work)
{
	const struct pace pace = { *work, now_ms(), look(work).done };

	go_on(p, &pace);
}

/* Begins a step; its work is the usual one if work is NULL. */
static void begin_step(struct progress *p, const char *words, const struct report_work *work)
{
	p->step = (struct words){ 0 };
	words_add(&p->step, "%s", words);
	begin_work(p, work ? work : &p->usual);
	p->step_pace = p->pace;
}

/* Records the share of the phase that is done, before its next work begins. */
static void note_share(struct progress *p)
{
	const struct progress_view view = view_of(p);

	p->before = share_of(p, &view);
}

void progress_usual(struct progress *p, const struct report_work *usual)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->usual = *usual;
	begin_step(p, "", NULL);
	pthread_mutex_unlock(&p->lock);
}

void progress_phase(struct progress *p, unsigned number, const char *title)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->phase = number;
	p->title = title;
	p->before = 0;
	begin_step(p, "", NULL);
	pthread_mutex_unlock(&p->lock);
}

void progress_phase_end(struct progress *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->title = NULL;
	p->before = WHOLE;
	begin_step(p, "", NULL);
	pthread_mutex_unlock(&p->lock);
}

void progress_step(struct progress *p, const char *words, const struct report_work *work)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	note_share(p);
	begin_step(p, words, work);
	pthread_mutex_unlock(&p->lock);
}

void progress_work(struct progress *p, const struct report_work *work)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	note_share(p);
	if (work)
		begin_work(p, work);
	else
		go_on(p, &p->step_pace);
	pthread_mutex_unlock(&p->lock);
}

void progress_pause(struct progress *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->paused = true;
	wipe(p);
	fflush(p->to.out);
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

void progress_ask(struct progress *p)
{
	if (p)
		__atomic_store_n(&p->asked, true, __ATOMIC_RELAXED);
}

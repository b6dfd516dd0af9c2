/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread waits for a few seconds and then reports the pace, unless the sweep has ended.  A sweep is limited by the
 * processors or by the device: the share of busy processor time shows which.
 */
#include "estimate.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "check/memory.h"
#include "names/dir_runs.h"
#include "options.h"
#include "repair.h"
#include "report.h"
#include "report/words.h"
#include "run.h"
#include "parallel.h"
#include "check/walk/traverse.h"

#define WAIT_SECONDS 5
#define LONG_SECONDS 600u /* longer sweeps are reported even without -v */
#define BUSY_PERCENT 80u  /* of processor time: above that, the processors are the limit */
#define STACK_BYTES  (256u << 10)

struct estimate {
	const struct repair *rc;
	uint64_t expected, done_before, directories_before, bytes_before;
	uint64_t start_ms, processor_before_ms;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool ended;
};

/* ---- contents of the note ---- */

/* value * factor / divisor, which is not 0; UINT64_MAX if that is too large */
static uint64_t scaled(uint64_t value, uint64_t factor, uint64_t divisor)
{
	const long double result = (long double)value * factor / divisor;

	return result < 1e18L ? (uint64_t)result : UINT64_MAX;
}

uint64_t estimate_seconds(const struct sweep_seen *seen)
{
	if (!seen->done || seen->done > seen->expected)
		return UINT64_MAX;
	return scaled(seen->expected - seen->done, seen->ms, seen->done) / 1000;
}

static unsigned percent_busy(const struct sweep_seen *seen)
{
	const uint64_t all = seen->ms * seen->processors, percent = all ? scaled(seen->processor_ms, 100, all) : 0;

	return percent < 100 ? (unsigned)percent : 100;
}

/* Adds the limiting resource, and what would help. */
static void tell_limit(struct words *words, const struct sweep_seen *seen)
{
	const unsigned busy = percent_busy(seen);

	words_add(words, " The processors are busy %u %% of the time: ", busy);
	if (busy >= BUSY_PERCENT)
		words_add(words, "more or faster ones would make it faster, a faster device would not.");
	else if (seen->disk)
		words_add(words, "it waits for the disk, which is read in order; a copy on flash (xfs_metadump has all "
				 "that is read) would be faster.");
	else
		words_add(words, "it waits for the device; a faster one, or one that nobody else uses meanwhile, would "
				 "make it faster.");
}

/* Adds the memory that the table of directories will need, if it is much. */
static void tell_directories(struct words *words, const struct sweep_seen *seen)
{
	const uint64_t all = seen->directories_before + scaled(seen->directories, seen->expected, seen->done),
		       bytes = scaled(all, MEMORY_DIRECTORY, 1);

	if (bytes <= seen->room / 2)
		return;
	words_add(words, " There may be ");
	words_add_number(words, all);
	words_add(words, " directories, which take ");
	words_add_bytes(words, bytes);
	if (bytes <= seen->room) {
		words_add(words, " of memory.");
		return;
	}
	words_add(words,
		  ", for the most part in a temporary file; with four times that for -m, all of it would stay in "
		  "memory, which is faster.");
}

void estimate_tell(struct words *words, const struct sweep_seen *seen)
{
	const uint64_t seconds = estimate_seconds(seen);

	if (seconds == UINT64_MAX)
		return;
	words_add(words, "At the pace of the first ");
	words_add_duration(words, seen->ms / 1000);
	words_add(words, " (");
	words_add_number(words, scaled(seen->done, 1000, seen->ms));
	words_add(words, " inodes and ");
	words_add_bytes(words, scaled(seen->bytes, 1000, seen->ms));
	words_add(words, " per s), this phase takes ");
	words_add_duration(words, seconds);
	words_add(words, " more.");
	tell_limit(words, seen);
	tell_directories(words, seen);
}

/* ---- printing the note ---- */

static uint64_t milliseconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static uint64_t bytes_read(const struct repair *rc)
{
	struct device_counts counts;

	device_counts(rc->run->device, &counts);
	return counts.arrived;
}

static void tell(const struct estimate *e)
{
	const struct repair *rc = e->rc;
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct report_work_state state = { 0 };
	struct words words = { 0 };
	struct sweep_seen seen;

	traverse_look_inodes(rc->traverse, &state);
	seen = (struct sweep_seen){ .ms = milliseconds(CLOCK_MONOTONIC) - e->start_ms + 1,
				    .processor_ms = milliseconds(CLOCK_PROCESS_CPUTIME_ID) - e->processor_before_ms,
				    .processors = processors > 0 ? (unsigned)processors : 1,
				    .done = state.done > e->done_before ? state.done - e->done_before : 0,
				    .expected = e->expected > e->done_before ? e->expected - e->done_before : 0,
				    .bytes = bytes_read(rc) - e->bytes_before,
				    .directories = dir_runs_count(rc->traverse->dirs) - e->directories_before,
				    .directories_before = e->directories_before,
				    .room = rc->run->memory.directories,
				    .disk = device_medium(rc->run->device) == MEDIUM_DISK };
	if (!rc->run->options->verbose && estimate_seconds(&seen) < LONG_SECONDS)
		return;
	estimate_tell(&words, &seen);
	if (words.length)
		report_note(rc->report, words.text);
}

static void *wait_and_tell(void *ctx)
{
	struct estimate *e = ctx;
	struct timespec due;
	bool ended;

	clock_gettime(CLOCK_REALTIME, &due);
	due.tv_sec += WAIT_SECONDS;
	pthread_mutex_lock(&e->lock);
	while (!e->ended && !pthread_cond_timedwait(&e->wake, &e->lock, &due))
		;
	ended = e->ended;
	pthread_mutex_unlock(&e->lock);
	if (!ended)
		tell(e);
	return NULL;
}

struct estimate *estimate_begin(const struct repair *rc, uint64_t expected)
{
	struct estimate *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->rc = rc;
	e->expected = expected;
	e->done_before = rc->traverse->inodes_done;
	e->directories_before = dir_runs_count(rc->traverse->dirs);
	e->bytes_before = bytes_read(rc);
	e->start_ms = milliseconds(CLOCK_MONOTONIC);
	e->processor_before_ms = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
	pthread_mutex_init(&e->lock, NULL);
	pthread_cond_init(&e->wake, NULL);
	if (!thread_start(&e->thread, STACK_BYTES, wait_and_tell, e))
		return e;
	pthread_mutex_destroy(&e->lock);
	pthread_cond_destroy(&e->wake);
	free(e);
	return NULL;
}

void estimate_end(struct estimate *e)
{
	if (!e)
		return;
	pthread_mutex_lock(&e->lock);
	e->ended = true;
	pthread_cond_signal(&e->wake);
	pthread_mutex_unlock(&e->lock);
	pthread_join(e->thread, NULL);
	pthread_mutex_destroy(&e->lock);
	pthread_cond_destroy(&e->wake);
	free(e);
}

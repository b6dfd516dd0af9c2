/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles Ctrl-C, a closed terminal, and a system shutdown.
 * Before anything is written, such a signal ends the run: at once, with the message that nothing was written, or soon,
 * if another run is to resume it (checkpoint.h).
 * While the run is writing, it continues to its end, which is near.  Another run could finish an interrupted repair,
 * but the next user of the file system may not know about it.  For the same reason SIGPIPE is then ignored.  Since a
 * device may never finish a write, a second signal still ends the run, with a message about the state of the device.
 * Signals in the first seconds don't count, since a closed terminal and a shutdown send several.
 * SIGUSR1 only prints progress.
 * One thread waits for these signals and all others block them: a handler would need a global variable.
 */
#define _GNU_SOURCE 1

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "interrupt.h"
#include "options.h"
#include "report.h"

#define STACK_BYTES   (256u << 10)
#define FSCK_CANCELED 32 /* fsck(8) */
#define FSCK_TROUBLE  8
#define TROUBLE	      1
#define PATIENCE      3 /* seconds after the first signal in which further ones are ignored */

static const struct {
	int number;
	const char *name;
} signals[] = { { SIGINT, "SIGINT" }, { SIGTERM, "SIGTERM" }, { SIGHUP, "SIGHUP" }, { SIGUSR1, "SIGUSR1" } };

#define SIGNALS (sizeof(signals) / sizeof(signals[0]))

#define WORDS 4096

/* Prints what the signal leads to. */
static void say(const struct interrupt *i, const char *name, const char *outcome)
{
	char sentence[WORDS + 16];

	snprintf(sentence, sizeof(sentence), "%s: %s", name, outcome);
	at_once(i->options, sentence);
}

static const char *name_of(int number)
{
	for (unsigned k = 0; k < SIGNALS; k++)
		if (signals[k].number == number)
			return signals[k].name;
	return "signal";
}

void interrupt_end_run(const struct interrupt *i, int number)
{
	if (i->options->fsck_codes)
		_exit(FSCK_CANCELED);
	pthread_sigmask(SIG_SETMASK, &i->before, NULL);
	raise(number);
}

/* Handles a signal while the device is written. */
static void heed_writing(struct interrupt *i, int number)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!i->first)
		i->first = now.tv_sec;
	if (now.tv_sec - i->first < PATIENCE) {
		say(i, name_of(number),
		    "what is being written is finished first; if the device does not answer, another signal, a few "
		    "seconds later, ends the run in the middle of that");
		return;
	}
	say(i, name_of(number), i->halfway);
	interrupt_end_run(i, number);
}

/* Handles a signal. */
static void heed(struct interrupt *i, int number)
{
	char words[WORDS] = "the run ends, nothing was written";
	enum interrupt_end end = END_BY_SIGNAL;

	if (number == SIGUSR1) {
		if (i->report)
			report_status(i->report);
		return;
	}
	if (i->writing) {
		heed_writing(i, number);
		return;
	}
	if (i->advice.ctx)
		end = i->advice.ask(i->advice.ctx, words, sizeof(words));
	say(i, name_of(number), words);
	if (end == END_RESUMABLE)
		_exit(i->advice.status);
	if (end == END_BY_SIGNAL)
		interrupt_end_run(i, number);
}

static void *wait_for_signals(void *arg)
{
	struct interrupt *i = arg;
	bool over = false;
	int number;

	while (!over) {
		if (sigwait(&i->awaited, &number))
			continue;
		pthread_mutex_lock(&i->lock);
		over = i->over;
		if (!over)
			heed(i, number);
		pthread_mutex_unlock(&i->lock);
	}
	return NULL;
}

void interrupt_choose(struct interrupt *i, const struct options *options)
{
	struct sigaction action;

	*i = (struct interrupt){ .options = options };
	sigemptyset(&i->awaited);
	pthread_sigmask(SIG_SETMASK, NULL, &i->before);
	for (unsigned k = 0; k < SIGNALS; k++)
		if (!sigismember(&i->before, signals[k].number) && !sigaction(signals[k].number, NULL, &action) &&
		    action.sa_handler == SIG_DFL)
			sigaddset(&i->awaited, signals[k].number);
}

void interrupt_begin(struct interrupt *i, const struct options *options, struct report *report)
{
	pthread_attr_t attr;

	interrupt_choose(i, options);
	i->report = report;
	pthread_mutex_init(&i->lock, NULL);
	pthread_sigmask(SIG_BLOCK, &i->awaited, NULL);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	i->running = !sigisemptyset(&i->awaited) && !pthread_create(&i->thread, &attr, wait_for_signals, i);
	pthread_attr_destroy(&attr);
	if (!i->running)
		pthread_sigmask(SIG_SETMASK, &i->before, NULL);
}

void interrupt_advise(struct interrupt *i, const struct interrupt_advice *advice)
{
	pthread_mutex_lock(&i->lock);
	i->advice = advice ? *advice : (struct interrupt_advice){ 0 };
	pthread_mutex_unlock(&i->lock);
}

void interrupt_forget_report(struct interrupt *i)
{
	pthread_mutex_lock(&i->lock);
	i->report = NULL;
	pthread_mutex_unlock(&i->lock);
}

void interrupt_silence(const void *ctx, const char *name, const char *request, unsigned seconds, bool cancelled)
{
	struct interrupt *i = (struct interrupt *)ctx;
	char words[WORDS];

	pthread_mutex_lock(&i->lock);
	snprintf(words, sizeof(words), "%s has not answered for %u s (-o io_timeout), at last to %s: %s%s", name,
		 seconds, request,
		 cancelled ? "the connection is ended" : "the run ends, though the kernel keeps the request. ",
		 cancelled    ? ""
		 : i->writing ? i->halfway
			      : "Nothing was written");
	at_once(i->options, words);
	if (!cancelled)
		_exit(i->options->fsck_codes ? FSCK_TROUBLE : TROUBLE);
	pthread_mutex_unlock(&i->lock);
}

void interrupt_writing(struct interrupt *i, const char *halfway)
{
	if (!i)
		return;
	pthread_mutex_lock(&i->lock);
	i->writing = true;
	snprintf(i->halfway, sizeof(i->halfway), "%s", halfway);
	pthread_mutex_unlock(&i->lock);
	signal(SIGPIPE, SIG_IGN);
}

void interrupt_end(struct interrupt *i)
{
	if (i->running) {
		pthread_mutex_lock(&i->lock);
		i->over = true;
		pthread_mutex_unlock(&i->lock);
		for (unsigned k = 0; k < SIGNALS; k++)
			if (sigismember(&i->awaited, signals[k].number))
				pthread_kill(i->thread, signals[k].number);
		pthread_join(i->thread, NULL);
	}
	pthread_mutex_destroy(&i->lock);
}

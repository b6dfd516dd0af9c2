/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles signals that ask the run to end early (SIGINT, SIGTERM, SIGHUP), or to report progress (SIGUSR1). */
#ifndef XFSCK_REPAIR_INTERRUPT_H
#define XFSCK_REPAIR_INTERRUPT_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct options;
struct report;

#define HALFWAY 1024 /* bytes */

/* How a run ends after a signal. */
enum interrupt_end {
	END_BY_SIGNAL, /* by the signal, as any program */
	END_RESUMABLE, /* at once, with the status of a run that can be resumed */
	END_SOON,      /* by itself, soon */
};

/* Decides how the run ends. */
struct interrupt_advice {
	/* Puts into `words` what happens to the run, as part of a sentence. */
	enum interrupt_end (*ask)(void *ctx, char *words, size_t size);
	void *ctx;  /* NULL: don't ask */
	int status; /* for END_RESUMABLE */
};

struct interrupt {
	const struct options *options;
	sigset_t awaited; /* the signals that `thread` waits for */
	sigset_t before;  /* the signal mask before interrupt_begin() */
	pthread_t thread;
	bool running; /* `thread` was started; else signals have their default actions */

	pthread_mutex_t lock;  /* for the members below */
	bool writing;	       /* the run continues to its end */
	char halfway[HALFWAY]; /* a sentence: the state of the device if the run is ended while writing */
	time_t first;	       /* monotonic seconds of the first signal while writing; 0: none */
	struct interrupt_advice advice;
	bool over;	       /* the thread shall end */
	struct report *report; /* for progress on SIGUSR1; NULL: none */
};

/*
 * Chooses the signals to wait for: those that would end the program, unless they are blocked, or ignored as by
 * nohup(1).  For processes without threads that wait by themselves; interrupt_begin() calls it.
 */
void interrupt_choose(struct interrupt *i, const struct options *options);
/*
 * Ends the run by the signal's default action, so that shells and scripts see which signal it was; as fsck(8), with
 * that exit code.  Returns only if the signal was ignored before.
 */
void interrupt_end_run(const struct interrupt *i, int number);

/*
 * Starts the thread that waits for signals.  Call it while there is only one thread that does not block all signals:
 * later threads inherit the blocked signals.
 */
void interrupt_begin(struct interrupt *i, const struct options *options, struct report *report);
/* Sets who decides how the run ends; NULL: nobody.  The advice is copied. */
void interrupt_advise(struct interrupt *i, const struct interrupt_advice *advice);
/* Stops progress on SIGUSR1, before the report is closed. */
void interrupt_forget_report(struct interrupt *i);
/*
 * Makes the run continue after a signal, since it is about to write.  Only a second signal ends it, with this sentence
 * about the state of the device.  May be called again with another sentence.  i may be NULL.
 */
void interrupt_writing(struct interrupt *i, const char *halfway);
/*
 * device_options.on_silence.  ctx: the struct interrupt of the run, with `options` and `lock`.  Ends the run if
 * requests can't be cancelled.
 */
void interrupt_silence(const void *ctx, const char *name, const char *request, unsigned seconds, bool cancelled);
/* Stops waiting for signals; they stay blocked. */
void interrupt_end(struct interrupt *i);

/* Messages that the user must see at once, even while other threads print. */

/* Prints a sentence to standard error without stdio, whose locks another thread may hold for long. */
void at_once(const struct options *options, const char *sentence);
/* device_options.on_loss: prints which device is unreadable, and what to do.  options: the run's struct options. */
void at_once_unreadable(const void *options, const char *device, uint64_t offset, int error);

#endif

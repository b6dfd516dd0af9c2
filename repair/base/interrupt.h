/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that ask for the run to end early (SIGINT, SIGTERM, SIGHUP), or how far it is (SIGUSR1). */
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

/* How a run ends that a signal asks to end. */
enum interrupt_end {
	END_BY_SIGNAL, /* as any program does */
	END_RESUMABLE, /* at once, with a status that tells that another run can go on */
	END_SOON,      /* by itself */
};

/* Who knows that. */
struct interrupt_advice {
	/* words: for what becomes of the run, as part of a sentence. */
	enum interrupt_end (*ask)(void *ctx, char *words, size_t size);
	void *ctx;  /* NULL: nobody is asked */
	int status; /* for END_RESUMABLE */
};

struct interrupt {
	const struct options *options;
	sigset_t awaited; /* the signals that `thread` waits for */
	sigset_t before;  /* the signal mask before interrupt_begin() */
	pthread_t thread;
	bool running; /* `thread` was started; if not, signals have their default effect */

	pthread_mutex_t lock;  /* for the following */
	bool writing;	       /* the run goes on to its end */
	char halfway[HALFWAY]; /* a sentence: what it means if it does not */
	time_t first;	       /* when the first signal came while it was writing: monotonic seconds; 0: none did */
	struct interrupt_advice advice;
	bool over;	       /* the thread is to end */
	struct report *report; /* tells how far the run is; NULL: nobody does */
};

/*
 * Choose the signals that are waited for: those that would end the program.  One that is ignored, as by nohup(1), or
 * blocked stays so.  interrupt_begin() does this, too: it is for a process without threads that waits by itself.
 */
void interrupt_choose(struct interrupt *i, const struct options *options);
/*
 * End by the signal's default effect, so that shells and scripts see which signal it was; as fsck(8), with its code.
 * Does not return unless the signal was ignored before.
 */
void interrupt_end_run(const struct interrupt *i, int number);

/*
 * To be called while there is only one thread that does not block all signals: those that are started later inherit the
 * blocked ones.
 */
void interrupt_begin(struct interrupt *i, const struct options *options, struct report *report);
/* From now on ask for advice; advice NULL: not any more.  It is copied. */
void interrupt_advise(struct interrupt *i, const struct interrupt_advice *advice);
/* The report is about to be closed: from now on nobody is asked how far the run is. */
void interrupt_forget_report(struct interrupt *i);
/*
 * From now on a signal does not end the run any more, since something will be written; only a second one does, with
 * this sentence about what that means.  It can be called again with another sentence.  i may be NULL.
 */
void interrupt_writing(struct interrupt *i, const char *halfway);
/*
 * As device_options.on_silence; ctx: the struct interrupt of the run, with `options` and `lock`.  Ends the run if
 * requests can't be cancelled.
 */
void interrupt_silence(const void *ctx, const char *name, const char *request, unsigned seconds, bool cancelled);
/* Stop waiting for signals; they stay blocked. */
void interrupt_end(struct interrupt *i);

/* What the user must see at once, whatever other threads are printing. */

/* Print a sentence to standard error, without stdio, whose locks another thread may hold for long. */
void at_once(const struct options *options, const char *sentence);
/* As device_options.on_loss: say which device can't be read, and what to do; options: the struct options of the run. */
void at_once_unreadable(const void *options, const char *device, uint64_t offset, int error);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What happens when somebody wants the run to end early, by a signal. */
#ifndef XFSCK_REPAIR_INTERRUPT_H
#define XFSCK_REPAIR_INTERRUPT_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

struct options;

struct interrupt {
	const struct options *options;
	sigset_t awaited, before; /* signals; what was blocked before */
	pthread_t thread;
	bool running; /* the thread is: else signals do what they do by default */

	pthread_mutex_t lock; /* for what follows */
	bool writing, over;
};

/* To be called while there is one thread; what it starts afterwards leaves the signals to us. */
void interrupt_begin(struct interrupt *i, const struct options *options);
/* From now on the run goes on to its end: something will be written. NULL: nobody waits for signals. */
void interrupt_writing(struct interrupt *i);
void interrupt_end(struct interrupt *i);

#endif

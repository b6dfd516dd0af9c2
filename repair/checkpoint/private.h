/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to checkpoint/: the state of checkpoints. */
#ifndef XFSCK_REPAIR_CHECKPOINT_PRIVATE_H
#define XFSCK_REPAIR_CHECKPOINT_PRIVATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "checkpoint.h"
#include "output.h"
#include "sets/save.h"

struct sweep;

/* A thread that holds the sweep when a checkpoint is due, or when the run is to stop. */

struct checkpoint_watch {
	pthread_mutex_t lock; /* for the following members */
	pthread_cond_t wake;
	pthread_t thread;
	bool running;	     /* the thread was started */
	bool over;	     /* it is to exit */
	bool active;	     /* a checkpoint can be written soon */
	bool stop;	     /* the run is to stop */
	struct sweep *sweep; /* to be held; NULL: none */
	uint64_t due;	     /* when to hold it: nanoseconds of the monotonic clock */
};

/* Returns nanoseconds of the monotonic clock. */
uint64_t watch_now(void);
/* Starts the thread. 0 or negative errno; watch_end() in either case. */
int watch_begin(struct checkpoint_watch *w);
void watch_end(struct checkpoint_watch *w);
/* The sweep is about to run, and is to be held when due. */
void watch_sweep(struct checkpoint_watch *w, struct sweep *sweep, uint64_t due);
/* The sweep has returned. True: the run is to stop. */
bool watch_swept(struct checkpoint_watch *w);
/* No more sweeps follow. True: the run is to stop; from now on watch_stop() is false. */
bool watch_last(struct checkpoint_watch *w);
/* Stops the run after a checkpoint. False: no sweep can do so any more, or it was asked for before. */
bool watch_stop(struct checkpoint_watch *w);

struct unreadable_range {
	uint64_t start, len; /* bytes of the device */
};

struct checkpoint {
	struct replacement place;
	char *command;			     /* the command line that resumes */
	struct loader *loader;		     /* of the file to resume from, after its head; NULL: none */
	struct unreadable_range *unreadable; /* ranges that the earlier run could not read */
	size_t nunreadable;
	struct saver *saver;
	struct checkpoint_watch watch;
	bool watching;	/* atomic: `watch` is in use */
	bool exists;	/* atomic: the file holds a state from which another run can resume */
	bool swept;	/* the sweep is complete */
	bool unwritten; /* it was reported that the file can't be written */
};

/* Closes the file to resume from. */
void checkpoint_forget_old(struct checkpoint *c);

#endif

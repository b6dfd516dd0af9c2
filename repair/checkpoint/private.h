/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to checkpoint/: the state of checkpoints themselves. */
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

/* A thread that holds a sweep when a checkpoint is due, or when the run shall end. */

struct checkpoint_watch {
	pthread_mutex_t lock; /* for all below */
	pthread_cond_t wake;
	pthread_t thread;
	bool running;	     /* the thread was started */
	bool over;	     /* it is to end */
	bool active;	     /* a checkpoint can be written soon */
	bool stop;	     /* the run shall end */
	struct sweep *sweep; /* to be held; NULL: none is */
	uint64_t due;	     /* nanoseconds of the monotonic clock: when to hold it */
};

/* Nanoseconds of the monotonic clock. */
uint64_t watch_now(void);
/* 0 or negative errno; watch_end() in either case. */
int watch_begin(struct checkpoint_watch *w);
void watch_end(struct checkpoint_watch *w);
/* A sweep begins, or goes on, to be held when it is due. */
void watch_sweep(struct checkpoint_watch *w, struct sweep *sweep, uint64_t due);
/* It has returned: leave it alone.  True: the run shall end. */
bool watch_swept(struct checkpoint_watch *w);
/* No more sweeps come.  True: the run shall end; from now on it ends at once if it is asked to. */
bool watch_last(struct checkpoint_watch *w);
/* Have the run end.  False: none of the above will see to that, or it was asked for before. */
bool watch_stop(struct checkpoint_watch *w);

struct lost_range {
	uint64_t start, len; /* bytes of the device */
};

struct checkpoint {
	struct replacement place;
	char *command;		 /* by which another run goes on */
	struct loader *loader;	 /* of the file to go on with, behind its head; NULL: there is none */
	struct lost_range *lost; /* what could not be read, by that file */
	size_t nlost;
	struct saver *saver;
	struct checkpoint_watch watch;
	bool watching;	/* atomic: there is a watch */
	bool exists;	/* atomic: the file holds a state that another run can go on with */
	bool swept;	/* the sweep has come to its end */
	bool unwritten; /* the user has been told that the file can't be written */
};

/* The file to go on with is not needed any more. */
void checkpoint_forget_old(struct checkpoint *c);

#endif

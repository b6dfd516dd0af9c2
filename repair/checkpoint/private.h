/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to checkpoint/: the state of checkpoints themselves. */
#ifndef XFSCK_REPAIR_CHECKPOINT_PRIVATE_H
#define XFSCK_REPAIR_CHECKPOINT_PRIVATE_H

#include "checkpoint/checkpoint.h"
#include "checkpoint/watch.h"
#include "replacement.h"
#include "sets/save.h"

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

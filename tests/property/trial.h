/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trials: damage one field, run the checker, which must find it, undo the damage. */
#ifndef PROPERTY_TRIAL_H
#define PROPERTY_TRIAL_H

#include "catalog.h"

/* The results of one kind. */
struct score {
	unsigned trials;
	unsigned found;
	unsigned excused;
	unsigned missed;
	unsigned broken;
	unsigned live;	/* objects */
	unsigned stale; /* objects that turned out to be leftovers */
};

struct trials {
	const char *program;
	struct catalog *catalog;
	uint64_t seed;
	struct score scores[KIND_NR];
};

/* Ends the program if the undamaged copy is not clean. */
void trial_of_sound_image(struct trials *trials);

/*
 * Damages one field of a structure somewhere in the image.  Prints failures to standard output, after a line "# KIND
 * ...".  False: the image has no live one.
 */
bool trial_run(struct trials *trials, struct group *group, unsigned field);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The damage of a seed to the copy of an image: the same on every machine. */
#ifndef MUTATE_MUTATE_H
#define MUTATE_MUTATE_H

#include "objects.h"

#define MUTATIONS_MAX 8
#define TOUCHED_MAX   (2 * MUTATIONS_MAX) /* a swap touches two */

struct mutation {
	uint64_t seed;
	uint64_t state; /* of the pseudo-random numbers */
	struct image *image;
	const struct targets *targets;
	const struct target *touched[TOUCHED_MAX];
	unsigned ntouched;
	char story[1024]; /* the damage, one line each */
	uint64_t cut;	  /* end of the device; image->size: not shortened */
};

/* Does 1 to MUTATIONS_MAX kinds of damage. */
void mutate(struct mutation *m, uint64_t seed, struct image *image, const struct targets *targets);
/* Restores the copy. */
void mutate_undo(struct mutation *m);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often the state is written.  A function of its own, since tests link another in its place. */
#include "checkpoint/state.h"

#define LEAST 30000000000u /* nanoseconds */
#define SHARE 50u	   /* of all time, at most one part is for checkpoints */

uint64_t checkpoint_interval(uint64_t cost)
{
	return cost > LEAST / SHARE ? cost * SHARE : LEAST;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A place for findings that the main thread reports outside of the traversal. */
#ifndef XFSCK_REPAIR_SPOT_H
#define XFSCK_REPAIR_SPOT_H

#include "repair.h"

struct spot {
	struct repair *rc;
	struct place place;
};

/* agno: the allocation group, or NO_AGNO if the place is in none */
static inline struct spot spot_of(struct repair *rc, enum object object, uint32_t agno)
{
	struct spot spot = { rc, place_of(object) };

	spot.place.agno.v = agno;
	return spot;
}

static inline void spot_report(void *ctx, const struct problem *problem)
{
	struct spot *spot = ctx;

	findings_add(spot->rc->findings, 0, &spot->place, problem);
}

/* A check that reports problems as findings about this place. The spot must outlive it. */
static inline struct check spot_check(struct spot *spot)
{
	return (struct check){ &spot->rc->geo, spot_report, spot };
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A place for findings that the main thread reports outside of a traversal. */
#ifndef XFSCK_REPAIR_SPOT_H
#define XFSCK_REPAIR_SPOT_H

#include "check.h"
#include "place.h"

struct repair;

struct spot {
	struct repair *rc;
	struct place place;
};

/* Returns a spot.  agno: the AG, or NO_AGNO. */
struct spot spot_of(struct repair *rc, enum object object, uint32_t agno);
/* Reports a problem as a finding about the place of ctx, which is a spot. */
void spot_report(void *ctx, const struct problem *problem);
/* Returns a check that reports problems as findings about this place.  The spot must outlive it. */
struct check spot_check(struct spot *spot);

#endif

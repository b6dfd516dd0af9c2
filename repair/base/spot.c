/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spot.h"

#include "repair.h"
#include "report.h"

struct spot spot_of(struct repair *rc, enum object object, uint32_t agno)
{
	struct spot spot = { rc, place_of(object) };

	spot.place.agno.v = agno;
	return spot;
}

void spot_report(void *ctx, const struct problem *problem)
{
	struct spot *spot = ctx;

	findings_add(spot->rc->findings, 0, &spot->place, problem);
}

struct check spot_check(struct spot *spot)
{
	return (struct check){ &spot->rc->geo, spot_report, spot };
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All segments to read, in device order, in bounded memory. */
#ifndef XFSCK_REPAIR_EXTRACT_PLAN_H
#define XFSCK_REPAIR_EXTRACT_PLAN_H

#include "segments.h"

struct plan;

/* Returns the sort key of a segment across both devices. */
static inline uint64_t plan_place(const struct segment *segment)
{
	return (uint64_t)segment->rt << 63 | segment->address;
}

struct plan *plan_new(size_t memory);
void plan_free(struct plan *plan);
/* Adds a segment; plan_settle() returns errors. */
void plan_add(struct plan *plan, const struct segment *segment);
int plan_settle(struct plan *plan);
/* Gets the next segment. 1; 0: there are no more; or negative errno. */
int plan_next(struct plan *plan, struct segment *ret);

#endif

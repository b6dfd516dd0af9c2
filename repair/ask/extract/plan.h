/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All pieces that are to be read, in the order of the devices, in bounded memory. */
#ifndef XFSCK_REPAIR_EXTRACT_PLAN_H
#define XFSCK_REPAIR_EXTRACT_PLAN_H

#include "pieces.h"

struct plan;

/* Where a piece lies among all of both devices; they are sorted by it. */
static inline uint64_t plan_place(const struct piece *piece)
{
	return (uint64_t)piece->rt << 63 | piece->address;
}

struct plan *plan_new(size_t memory);
void plan_free(struct plan *plan);
/* An error shows in plan_settle(). */
void plan_add(struct plan *plan, const struct piece *piece);
int plan_settle(struct plan *plan);
/* 1, 0: there are no more, or negative errno. */
int plan_next(struct plan *plan, struct piece *ret);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All pieces to read, in device order, in bounded memory. */
#ifndef XFSCK_REPAIR_EXTRACT_PLAN_H
#define XFSCK_REPAIR_EXTRACT_PLAN_H

#include "pieces.h"

struct plan;

/* Returns the sort key of a piece across both devices. */
static inline uint64_t plan_place(const struct piece *piece)
{
	return (uint64_t)piece->rt << 63 | piece->address;
}

struct plan *plan_new(size_t memory);
void plan_free(struct plan *plan);
/* Adds a piece; plan_settle() returns errors. */
void plan_add(struct plan *plan, const struct piece *piece);
int plan_settle(struct plan *plan);
/* Gets the next piece. 1; 0: there are no more; or negative errno. */
int plan_next(struct plan *plan, struct piece *ret);

#endif

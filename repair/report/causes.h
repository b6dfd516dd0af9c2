/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each finding of many is put together with, and what it may follow from, by the entries of entries.h. */
#ifndef XFSCK_REPAIR_CAUSES_H
#define XFSCK_REPAIR_CAUSES_H

#include <stddef.h>

struct entries;

struct cause {
	size_t first; /* the finding that heads the entry of this one: itself, or one of its kind near it */
	size_t cause; /* the finding that heads the entry which this one may follow from, NO_ENTRY, or OF_SEVERAL */
};

/*
 * Find the cause of each of the findings; each is given by its index.  If they were not put together, each stands for
 * itself.  ret_causes: room for all of them.
 */
void causes_find(const struct entries *entries, struct cause *ret_causes);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives the entry and the cause of each finding, from the entries of entries.h. */
#ifndef XFSCK_REPAIR_CAUSES_H
#define XFSCK_REPAIR_CAUSES_H

#include <stddef.h>

struct entries;

struct cause {
	size_t first; /* the finding that heads its entry: itself, or one of the same kind nearby */
	size_t cause; /* the finding that heads the entry of its cause; NO_ENTRY, or OF_SEVERAL */
};

/*
 * Finds entry and cause of each finding, as indexes of findings. If there are no entries, each finding is its own.
 * ret_causes has room for all findings.
 */
void causes_find(const struct entries *entries, struct cause *ret_causes);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The findings of one check that are damage, and which menders get each. */
#ifndef XFSCK_REPAIR_DAMAGE_H
#define XFSCK_REPAIR_DAMAGE_H

#include "mend/base/mend.h"

struct findings;

/* Start with { 0 }. */
struct damage {
	struct found *found;
	uint64_t *kinds; /* the menders that get found[i]: bits 1 << enum mend_kind */
	size_t count, found_room, kinds_room;
	uint64_t all;		  /* a fingerprint of all findings; 0: there are none */
	uint64_t prints[MEND_NR]; /* the same of those that each mender gets */
};

/* Collect what the check has found, in place of what was collected before. `findings` must outlive it. 0 or -ENOMEM. */
int damage_collect(struct damage *damage, struct findings *findings);
/* Add a finding, whose name must outlive the damage, too. 0 or -ENOMEM. */
int damage_add(struct damage *damage, const struct found *found);
/* Copy the findings that a mender gets to some[], which has room for all findings; returns how many these are. */
size_t damage_of_kind(const struct damage *damage, enum mend_kind kind, struct found *some);
void damage_free(struct damage *damage);

#endif

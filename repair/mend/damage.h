/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The findings of one check that are damage, and which ways of mending are to hear of each. */
#ifndef XFSCK_REPAIR_DAMAGE_H
#define XFSCK_REPAIR_DAMAGE_H

#include "mend.h"

/* Start with { 0 }. */
struct damage {
	struct found *found;
	uint64_t *kinds; /* of each, who is to hear of it: bits 1 << enum mend_kind */
	size_t count, found_room, kinds_room;
	uint64_t all;		  /* a fingerprint of the findings; 0: there are none */
	uint64_t prints[MEND_NR]; /* the same of those that one way of mending hears of */
};

/* All that the check has found, which must outlive it; what there was is gone. 0 or -ENOMEM. */
int damage_collect(struct damage *damage, struct findings *findings);
/* One more. 0 or -ENOMEM. */
int damage_add(struct damage *damage, const struct found *found);
/* Those that one way of mending is to hear of, to some[], which has room for all; returns how many. */
size_t damage_of_kind(const struct damage *damage, enum mend_kind kind, struct found *some);
void damage_free(struct damage *damage);

#endif

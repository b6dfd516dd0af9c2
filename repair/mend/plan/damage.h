/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The findings of a check that are damage, and the menders that get each. */
#ifndef XFSCK_REPAIR_DAMAGE_H
#define XFSCK_REPAIR_DAMAGE_H

#include "mend/base/mend.h"

struct findings;

/* Start with { 0 }. */
struct damage {
	struct found *found;
	uint64_t *kinds; /* menders of found[i]: bits 1 << enum mend_kind */
	size_t count, found_room, kinds_room;
	uint64_t all;		  /* fingerprint of all findings; 0: none */
	uint64_t prints[MEND_NR]; /* likewise, of the findings that each mender gets */
};

/* Collects the findings of a check, replacing earlier ones. `findings` must outlive it. 0 or -ENOMEM. */
int damage_collect(struct damage *damage, struct findings *findings);
/* Adds a finding; its name must outlive the damage. 0 or -ENOMEM. */
int damage_add(struct damage *damage, const struct found *found);
/* Copies the findings that a mender gets to some[], which has room for all. Returns their number. */
size_t damage_of_kind(const struct damage *damage, enum mend_kind kind, struct found *some);
void damage_free(struct damage *damage);

#endif

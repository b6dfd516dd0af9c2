/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures how much of a file system a check keeps.  A superblock, or another assumption of wide consequence, is
 * measured in this way before it is used (trial.h).  A wrong one causes names without inodes, invalid inodes, and
 * blocks with other owners.
 */
#ifndef XFSCK_REPAIR_KEPT_H
#define XFSCK_REPAIR_KEPT_H

#include <stdint.h>

struct repair;

struct kept {
	/* names; sound inodes in use that agree with their names; file blocks with one owner */
	uint64_t things;
	/* findings of damage, and blocks with two owners or none; without summary counters and superblocks */
	uint64_t wrong;
	uint64_t names, inodes; /* parts of `things`; inodes without the damaged ones */
	uint64_t bad;		/* damaged inodes */
};

/* Measures a check while it traverses the file system. */
struct keeping;

/* Makes one for a check whose superblock is chosen.  The caller frees it.  Returns 0 or -ENOMEM. */
int keeping_new(const struct repair *check, struct keeping **ret);
void keeping_free(struct keeping *k);
/* Returns the sink for the facts of the check. */
struct sink keeping_sink(struct keeping *k);
/* Measures a check that has traversed everything and closed its ledger; settles its findings.  Returns 0 or -ENOMEM. */
int keeping_end(struct keeping *k, const struct repair *check, struct kept *ret);

#endif

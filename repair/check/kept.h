/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of a file system a check keeps: what a superblock, or another belief of wide consequence, is measured by
 * before it is relied on (trial.h).  A wrong one makes names lead nowhere, inodes impossible, and blocks somebody
 * else's.
 */
#ifndef XFSCK_REPAIR_KEPT_H
#define XFSCK_REPAIR_KEPT_H

#include <stdint.h>

struct repair;

struct kept {
	/* names; inodes in use that are sound and agree with their names; blocks of files that nobody else has */
	uint64_t things;
	/* findings of damage, and blocks that two have or nobody; wrong summaries don't count, nor superblocks */
	uint64_t wrong;
	uint64_t names, inodes; /* of these things; inodes but for those that are wrong, ... */
	uint64_t bad;		/* ... which are so many */
};

/* Measures a check while it traverses the file system. */
struct keeping;

/* For a check whose superblock is settled. 0 or -ENOMEM. */
int keeping_new(const struct repair *check, struct keeping **ret);
void keeping_free(struct keeping *k);
/* The sink that the check must tell its facts to. */
struct sink keeping_sink(struct keeping *k);
/* When the check has traversed everything and its ledger is closed: settles its findings. 0 or -ENOMEM. */
int keeping_end(struct keeping *k, const struct repair *check, struct kept *ret);

#endif

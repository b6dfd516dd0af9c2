/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the largest of many things, in little memory: each thread fills one, and in the end they are joined. */
#ifndef XFSCK_REPAIR_RANKING_H
#define XFSCK_REPAIR_RANKING_H

#include <stddef.h>
#include <stdint.h>

#define RANKED_FACTS 6

struct ranked {
	uint64_t rank; /* the greater, the earlier */
	uint64_t id;   /* of those with the same rank, the smaller first: an inode, for example */
	uint64_t fact[RANKED_FACTS];
};

/* Begin with { .most = N }; what is kept is a heap whose first item is the last one by rank. */
struct ranking {
	size_t most; /* so many are kept */
	struct ranked *v;
	size_t count, room;
};

/* Add one, unless it is behind all that are kept. 0 or -ENOMEM. */
int ranking_add(struct ranking *ranking, const struct ranked *item);
/* Add all of another one. 0 or -ENOMEM. */
int ranking_join(struct ranking *ranking, const struct ranking *other);
/* Put them in order, the first by rank first.  Nothing may be added afterwards. */
void ranking_sort(struct ranking *ranking);
void ranking_free(struct ranking *ranking);

#endif

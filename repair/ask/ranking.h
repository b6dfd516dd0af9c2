/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the top items of many, in little memory: each thread fills a ranking, and they are joined at the end. */
#ifndef XFSCK_REPAIR_RANKING_H
#define XFSCK_REPAIR_RANKING_H

#include <stddef.h>
#include <stdint.h>

struct names_noted;
struct paths;
struct repair;

#define RANKED_FACTS 6

struct ranked {
	uint64_t rank; /* higher ranks come first */
	uint64_t id;   /* of equal ranks, lower ids come first: an inode, for example */
	uint64_t fact[RANKED_FACTS];
};

/* A heap with the last item by rank on top. Start with { .most = N }. */
struct ranking {
	size_t most; /* items to keep */
	struct ranked *v;
	size_t count, room;
};

/* Adds an item, unless it ranks below all that are kept. 0 or -ENOMEM. */
int ranking_add(struct ranking *ranking, const struct ranked *item);
/* Adds all items of another ranking. 0 or -ENOMEM. */
int ranking_join(struct ranking *ranking, const struct ranking *other);
/* Sorts the items, highest rank first. Nothing may be added afterwards. */
void ranking_sort(struct ranking *ranking);
void ranking_free(struct ranking *ranking);
/*
 * Finds the paths of the inodes in `count` rankings, by the names noted during a check; the caller frees them. 0 or
 * negative errno.
 */
int ranking_paths(const struct ranking *const *rankings, size_t count, struct repair *rc,
		  const struct names_noted *noted, struct paths **ret_paths);

#endif

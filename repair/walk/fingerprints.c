/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Duplicate names in a directory, or among the attributes of an inode, that
 * lie in different blocks: a 64-bit keyed hash of each name is kept until all blocks
 * have come; equal hashes are equal names but for odds of 2^-64 per pair.
 */
#include <stdlib.h>

#include "inflight.h"
#include "sort.h"

void fingerprints_add(struct walker *w, uint64_t **all, size_t *count, size_t *room)
{
	for (size_t i = 0; i < w->nfingerprints; i++) {
		if (walk_grow(w, all, room, *count, sizeof(**all)))
			return;
		(*all)[(*count)++] = w->fingerprints[i];
	}
}

uint64_t fingerprints_repeated(uint64_t *all, size_t count)
{
	uint64_t repeated = 0;

	if (!count)
		return 0;
	sort_words(all, count, 1);
	for (size_t i = 1; i < count; i++)
		repeated += all[i] == all[i - 1];
	return repeated;
}

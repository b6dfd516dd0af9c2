/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes free index blocks of node-format directories (ondisk 06, invariant 5): the longest free region of each of a
 * range of data blocks.  Checks that the range is the right one for this block, the counts, and that each length is
 * valid; the caller compares them with the data blocks.
 */
#include "da_header.h"
#include "dir_data.h"

static uint32_t bests_max(const struct geometry *g)
{
	return (g->dir_block_size - da_header_size(g)) / (uint32_t)sizeof(be16_t);
}

/* The number of the data block of the first slot of the free index block at dablk. */
static uint64_t firstdb_of(const struct geometry *g, dablk_t dablk)
{
	return ((dablk.v - (DIR_FREE_OFFSET >> g->block_log)) >> g->dirblk_log) * bests_max(g);
}

static uint32_t check_bests(const struct check *c, const struct dir_free *free)
{
	uint32_t used = 0;

	for (uint32_t i = 0; i < free->nvalid; i++) {
		uint16_t best = be16_get(free->bests[i]);
		uint32_t offset = (uint32_t)(da_header_size(c->geo) + i * sizeof(best));

		used += best != DIR_NULL_BEST;
		if (!dir_best_possible(c->geo, best))
			problem_at(c, F_DIR_FREE_BESTS, offset, i, best, 0);
	}
	return used;
}

bool dir_free_decode(const struct check *c, const void *block, const struct da_expect *expect,
		     struct dir_free *ret_free)
{
	const uint8_t *bytes = block;
	uint32_t offset = dir_blkhdr_size(c->geo);
	const struct dir_free_range_disk *range = (const void *)(bytes + offset);
	struct dir_free free;

	if (!dir_header_check(c, block, expect, DA_DIR_FREE))
		return false;
	free.firstdb = be32_get(range->firstdb);
	free.nvalid = be32_get(range->nvalid);
	free.nused = be32_get(range->nused);
	free.bests = (const void *)(bytes + da_header_size(c->geo));
	check_eq(c, F_DIR_FREE_FIRSTDB, offset + offsetof(struct dir_free_range_disk, firstdb), free.firstdb,
		 firstdb_of(c->geo, expect->dablk));
	if (free.nvalid > bests_max(c->geo))
		return problem(c, F_DIR_FREE_NVALID, offset + offsetof(struct dir_free_range_disk, nvalid), free.nvalid,
			       bests_max(c->geo));
	check_eq(c, F_DIR_FREE_NUSED, offset + offsetof(struct dir_free_range_disk, nused), free.nused,
		 check_bests(c, &free));
	*ret_free = free;
	return true;
}

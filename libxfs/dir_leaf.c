/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes leaf blocks of directories (ondisk 06, invariants 4 and 5): leaf1, the only leaf of its directory, which also
 * has the longest free region of each data block; and leafn, one of many below da nodes.  Checks order, counts and
 * bounds.  The caller compares leaf entries with the names, and bests with the data blocks.
 */
#include "dir_data.h"

/* True if the hashes are in ascending order. */
static bool is_sorted(const struct dir_leaf_entry_disk *entries, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		if (be32_get(entries[i].hashval) < be32_get(entries[i - 1].hashval))
			return false;
	return true;
}

void dir_leaf_walk(const struct check *c, const struct dir_leaf_array *leaf, dir_visit_leaf *visit, void *ctx)
{
	uint32_t stale = 0;
	uint32_t bad = 0;
	uint32_t last = 0;

	for (uint32_t i = 0; i < leaf->count; i++) {
		uint32_t offset = leaf->offset + i * (uint32_t)sizeof(*leaf->entries);
		uint32_t hash = be32_get(leaf->entries[i].hashval);
		uint32_t address = be32_get(leaf->entries[i].address);

		if (hash < last)
			problem_at(c, F_DIR_LEAF_ORDER, offset, i, hash, last);
		last = hash;
		if (address == 0) {
			stale++;
		} else if (dir_leaf_address_possible(c->geo, address)) {
			visit(ctx, hash, address);
		} else {
			bad++;
			problem_at(c, F_DIR_LEAF_ADDRESS, offset + offsetof(struct dir_leaf_entry_disk, address), i,
				   address, 0);
		}
	}
	/* entries with an invalid address (bad) may have been stale ones, so either count is accepted */
	if (leaf->stale < stale || leaf->stale > stale + bad)
		problem(c, F_DIR_LEAF_STALE, leaf->stale_offset, leaf->stale, stale);
}

static void check_bests(const struct check *c, const void *block, const struct dir_leaf *leaf)
{
	for (uint32_t i = 0; i < leaf->nbests; i++) {
		uint16_t best = be16_get(leaf->bests[i]);
		uint32_t offset = (uint32_t)((const uint8_t *)&leaf->bests[i] - (const uint8_t *)block);

		if (!dir_best_possible(c->geo, best))
			problem_at(c, F_DIR_LEAF_BESTS, offset, i, best, 0);
	}
}

/*
 * Checks that leaf entries point to data blocks that exist according to bests[].  Reports only the first: if bests[] is
 * wrong, all the entries of a data block are affected.
 */
static void check_blocks(const struct check *c, const uint8_t *block, const struct dir_leaf_array *array,
			 const struct dir_leaf *leaf)
{
	unsigned shift = c->geo->block_log + c->geo->dirblk_log;

	for (uint32_t i = 0; i < array->count; i++) {
		uint32_t address = be32_get(array->entries[i].address);
		uint64_t db = (uint64_t)address * DIR_ALIGN >> shift;

		if (address == 0 || !dir_leaf_address_possible(c->geo, address))
			continue; /* stale, or reported */
		if (db >= leaf->nbests || be16_get(leaf->bests[db]) == DIR_NULL_BEST) {
			problem_at(c, F_DIR_LEAF_ADDRESS,
				   (uint32_t)((const uint8_t *)&array->entries[i].address - block), i, address, 0);
			return;
		}
	}
}

static bool count_problem(const struct check *c, uint32_t count, size_t room)
{
	return problem(c, F_DIR_LEAF_COUNT, da_blkinfo_size(c->geo) + offsetof(struct dir_leaf_counts_disk, count),
		       count, room);
}

/*
 * Finds bests[] at the end of a leaf1 block.  If the leaf entries overlap it, the number of bests is wrong if all the
 * counted entries are in order.  False, after a report: the count of entries is wrong.
 */
static bool find_bests(const struct check *c, const void *block, const struct dir_leaf_entry_disk *entries,
		       struct dir_leaf *leaf)
{
	uint32_t size = c->geo->dir_block_size;
	uint32_t offset = size - (uint32_t)sizeof(struct dir_leaf_tail_disk);
	const struct dir_leaf_tail_disk *tail = (const void *)((const uint8_t *)block + offset);
	uint32_t bestcount = be32_get(tail->bestcount);
	uint32_t max = (offset - da_header_size(c->geo)) / (uint32_t)sizeof(be16_t);
	uint32_t room;

	if (bestcount == 0 || bestcount > max) {
		problem(c, F_DIR_LEAF_BESTCOUNT, offset, bestcount, max);
		return true;
	}
	room = (max - bestcount) * (uint32_t)sizeof(be16_t) / (uint32_t)sizeof(*entries);
	if (leaf->count > room) {
		if (!is_sorted(entries, leaf->count))
			return count_problem(c, leaf->count, room);
		problem(c, F_DIR_LEAF_BESTCOUNT, offset, bestcount,
			max - leaf->count * sizeof(*entries) / sizeof(be16_t));
		return true;
	}
	leaf->nbests = bestcount;
	leaf->bests = (const be16_t *)tail - bestcount;
	return true;
}

/* The kind of leaf expected here: a leaf1 only at the root of the tree; elsewhere a leafn. */
static enum da_magic expected_kind(const struct check *c, const void *block, const struct da_expect *expect)
{
	bool root = expect->dablk.v == DIR_LEAF_OFFSET >> c->geo->block_log;

	if (root && da_identify(c, block, c->geo->dir_block_size) == DA_DIR_LEAF1)
		return DA_DIR_LEAF1;
	return DA_DIR_LEAFN;
}

bool dir_leaf_decode(const struct check *c, const void *block, const struct da_expect *expect, dir_visit_leaf *visit,
		     void *ctx, struct dir_leaf *ret_leaf)
{
	const uint8_t *bytes = block;
	uint32_t header_size = da_header_size(c->geo), n_offset = da_blkinfo_size(c->geo);
	const struct dir_leaf_counts_disk *n = (const void *)(bytes + n_offset);
	const struct dir_leaf_entry_disk *entries = (const void *)(bytes + header_size);
	enum da_magic kind = expected_kind(c, block, expect);
	struct dir_leaf leaf = { .leaf1 = kind == DA_DIR_LEAF1 };
	size_t tail = leaf.leaf1 ? sizeof(struct dir_leaf_tail_disk) : 0;
	size_t max = (c->geo->dir_block_size - header_size - tail) / sizeof(*entries);
	struct dir_leaf_array array = {
		.entries = entries,
		.offset = header_size,
		.stale_offset = n_offset + offsetof(struct dir_leaf_counts_disk, stale),
	};
	struct da_siblings siblings;

	if (!da_header_check(c, block, c->geo->dir_block_size, expect, kind, &siblings))
		return false;
	leaf.forw = siblings.forw;
	leaf.back = siblings.back;
	leaf.count = be16_get(n->count);
	leaf.stale = be16_get(n->stale);
	if (leaf.count > max)
		return count_problem(c, leaf.count, max);
	if (leaf.leaf1) {
		if (!find_bests(c, block, entries, &leaf))
			return false;
		check_bests(c, block, &leaf);
	}
	if (leaf.count > 0) {
		leaf.first_hash = be32_get(entries[0].hashval);
		leaf.last_hash = be32_get(entries[leaf.count - 1].hashval);
	}
	array.count = leaf.count;
	array.stale = leaf.stale;
	dir_leaf_walk(c, &array, visit, ctx);
	if (leaf.nbests > 0)
		check_blocks(c, block, &array, &leaf);
	*ret_leaf = leaf;
	return true;
}

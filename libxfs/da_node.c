/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes da nodes of the hash trees of directories and attributes (ondisk 06): parents of nodes or leaves.  Checks the
 * header, level and count, the order of the hashes, and that each child is in the range of the tree's blocks.  The
 * caller compares the children with the entries.
 */
#include "disk/da.h"
#include "da_header.h"

/* Checks level and count.  False: the count is invalid, so the entries are unknown. */
static bool check_counts(const struct check *c, const uint8_t *block, size_t len, struct da_node *node)
{
	uint32_t offset = da_blkinfo_size(c->geo);
	const struct da_node_counts_disk *n = (const void *)(block + offset);
	uint16_t count = be16_get(n->count);
	uint16_t level = be16_get(n->level);
	size_t max = (len - da_header_size(c->geo)) / sizeof(struct da_node_entry_disk);

	if (count == 0 || count > max)
		return problem(c, F_DA_COUNT, offset + offsetof(struct da_node_counts_disk, count), count, max);
	node->count = count;
	node->level = 0;
	if (level == 0 || level > DA_MAX_DEPTH)
		problem(c, F_DA_LEVEL, offset + offsetof(struct da_node_counts_disk, level), level, DA_MAX_DEPTH);
	else
		node->level = (uint8_t)level;
	return true;
}

/*
 * The number of entries by their contents: trailing ones with invalid pointers don't count if they are several or out
 * of order; then the count is wrong.
 */
static uint16_t find_count(const struct check *c, const struct da_expect *expect,
			   const struct da_node_entry_disk *entries, uint16_t count)
{
	uint16_t n = count;

	while (n > 0 && !da_dablk_possible(c->geo, expect, (dablk_t){ be32_get(entries[n - 1].before) }))
		n--;
	if (n == 0 || n == count)
		return count;
	if (count - n == 1 && be32_get(entries[n].hashval) >= be32_get(entries[n - 1].hashval))
		return count;
	problem(c, F_DA_COUNT, da_blkinfo_size(c->geo) + offsetof(struct da_node_counts_disk, count), count, n);
	return n;
}

bool da_node_decode(const struct check *c, const void *block, size_t len, const struct da_expect *expect,
		    void (*child)(void *ctx, dablk_t before, uint32_t hash), void *ctx, struct da_node *ret_node)
{
	uint32_t header_size = da_header_size(c->geo);
	const struct da_node_entry_disk *entries = (const void *)((const uint8_t *)block + header_size);
	struct da_node node;
	struct da_siblings siblings;
	uint32_t last = 0;

	if (!da_header_check(c, block, len, expect, DA_NODE, &siblings))
		return false;
	if (!check_counts(c, block, len, &node))
		return false;
	node.count = find_count(c, expect, entries, node.count);
	node.forw = siblings.forw;
	node.back = siblings.back;
	node.first_hash = be32_get(entries[0].hashval);

	for (uint32_t i = 0; i < node.count; i++) {
		uint32_t offset = (uint32_t)(header_size + i * sizeof(*entries));
		uint32_t hash = be32_get(entries[i].hashval);
		dablk_t before = { be32_get(entries[i].before) };

		if (hash < last)
			problem_at(c, F_DA_ORDER, offset, i, hash, last);
		last = hash;
		if (da_dablk_possible(c->geo, expect, before))
			child(ctx, before, hash);
		else
			problem_at(c, F_DA_BEFORE, offset + offsetof(struct da_node_entry_disk, before), i, before.v,
				   0);
	}
	node.last_hash = last;
	*ret_node = node;
	return true;
}

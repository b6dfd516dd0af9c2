/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The root of a btree that lies in the inode's fork (ondisk 05: extent maps;
 * 09: trees of realtime groups): a block without a header of its own, as large
 * as the fork.  Its children are ordinary blocks, decoded in btree.c.
 */
#include "disk/bmbt.h"
#include "btree_block.h"

uint32_t bmdr_max_entries(const struct btree_type *type, enum btree_kind kind, size_t fork_size, uint32_t level)
{
	size_t keys = btree_is_rt(kind) && !type->high_keys ? 2u * type->key_size : type->key_size;
	size_t entry = level ? keys + sizeof(be64_t) : type->rec_size;

	return (uint32_t)((fork_size - sizeof(struct bmdr_disk)) / entry);
}

bool bmdr_decode(const struct check *c, const void *fork, size_t fork_size, const struct btree_expect *expect,
		 const struct btree_visitor *visitor, struct btree_block *ret_block, uint8_t *ret_level)
{
	const struct btree_type *type = btree_type_get(c->geo, expect->kind);
	const struct bmdr_disk *disk = fork;
	struct btree_block found = { .left = NULL_FSBNO, .right = NULL_FSBNO, .keys_ok = true };
	struct btree_expect root = *expect;
	struct btree_node node = { .bytes = fork, .keys = sizeof(*disk) };
	struct btree_leaf leaf = { .bytes = fork, .records = sizeof(*disk), .complete = true };
	/* leaves of extent maps are never in the inode */
	const uint32_t min_level = btree_is_rt(expect->kind) ? 0 : 1;
	uint32_t max_level = c->geo->btree[expect->kind].max_level - 1;
	uint32_t level, numrecs, max;

	if (fork_size < sizeof(*disk))
		return problem_at(c, F_BMDR_NUMRECS, 0, min_level, 0, 0);
	level = be16_get(disk->level);
	numrecs = be16_get(disk->numrecs);
	if (level < min_level || level > max_level)
		return problem_at(c, F_BMDR_LEVEL, offsetof(struct bmdr_disk, level), min_level, level, max_level);
	max = bmdr_max_entries(type, expect->kind, fork_size, level);
	if ((numrecs == 0 && level > 0) || numrecs > max)
		return problem_at(c, F_BMDR_NUMRECS, offsetof(struct bmdr_disk, numrecs), level > 0, numrecs, max);

	root.root = true;
	/* the root has no address, so no pointer can lead back to it */
	root.agno.v = UINT32_MAX;
	root.has_low = root.has_bound = root.has_high = false;
	found.numrecs = leaf.numrecs = node.numrecs = numrecs;
	node.level = (uint8_t)level;
	node.ptrs = node.keys + max * type->key_size;
	if (level == 0)
		btree_leaf_visit(c, &leaf, &root, visitor, &found.keys_ok);
	else
		btree_node_visit(c, &node, &root, visitor, &found.keys_ok);
	*ret_block = found;
	*ret_level = (uint8_t)level;
	return true;
}

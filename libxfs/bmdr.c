/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The root of an extent map's btree, which lies in the inode's fork (ondisk
 * 05): a node without a header of its own, as large as the fork.  Its children
 * are ordinary blocks, decoded in btree.c.
 */
#include "disk/bmbt.h"
#include "btree_block.h"

bool bmdr_decode(const struct check *c, const void *fork, size_t fork_size, const struct btree_expect *expect,
		 const struct btree_visitor *visitor, struct btree_block *ret_block, uint8_t *ret_level)
{
	const struct bmdr_disk *disk = fork;
	struct btree_block found = { .left = NULL_FSBNO, .right = NULL_FSBNO, .keys_ok = true };
	struct btree_expect root = *expect;
	struct btree_node node = { .bytes = fork, .keys = sizeof(*disk) };
	uint32_t max_level = c->geo->btree[BT_BMAP].max_level - 1;
	uint32_t level, max;

	if (fork_size < sizeof(*disk))
		return problem(c, F_BMDR_NUMRECS, 0, 0, 0);
	level = be16_get(disk->level);
	node.numrecs = be16_get(disk->numrecs);
	max = (uint32_t)((fork_size - sizeof(*disk)) / (sizeof(struct bmbt_key_disk) + sizeof(be64_t)));
	/* leaves are never in the inode */
	if (level == 0 || level > max_level)
		return problem(c, F_BMDR_LEVEL, offsetof(struct bmdr_disk, level), level, max_level);
	if (node.numrecs == 0 || node.numrecs > max)
		return problem(c, F_BMDR_NUMRECS, offsetof(struct bmdr_disk, numrecs), node.numrecs, max);

	node.level = (uint8_t)level;
	node.ptrs = node.keys + max * (uint32_t)sizeof(struct bmbt_key_disk);
	root.root = true;
	/* it has no address, and none of its pointers can be taken for it */
	root.agno.v = UINT32_MAX;
	root.has_low = root.has_bound = root.has_high = false;
	found.numrecs = node.numrecs;
	btree_node_visit(c, &node, &root, visitor, &found.keys_ok);
	*ret_block = found;
	*ret_level = node.level;
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes and builds the root of a btree in the inode's fork (ondisk 05: extent maps; 09: btrees of realtime groups): a
 * block without a header of its own, as large as the fork.  Its children are ordinary blocks, which btree.c decodes and
 * btree_build.c builds; the top level of those may have several blocks.
 */
#include "btree_block.h"
#include "btree_type.h"
#include "disk/bmbt.h"
#include "libxfs/btree_build.h"

bool bmdr_shape(const struct geometry *g, enum btree_kind kind, uint64_t records, enum btree_slack slack,
		uint32_t fork_size, struct btree_shape *ret_shape)
{
	const struct btree_type *type = btree_type_get(g, kind);
	uint32_t children = bmdr_max_entries(type, kind, fork_size, 1);
	struct btree_shape shape;

	if (records <= bmdr_max_entries(type, kind, fork_size, 0)) {
		*ret_shape = (struct btree_shape){ .records = records };
		return true;
	}
	if (!children || !btree_shape(g, kind, records, slack, &shape))
		return false;
	while (shape.levels > 1 && shape.width[shape.levels - 2] <= children)
		shape.blocks -= shape.width[--shape.levels];
	if (shape.levels + 1 > g->btree[kind].max_level)
		return false;
	*ret_shape = shape;
	return true;
}

static void put_records(struct btree_build *b, uint8_t *at)
{
	const struct btree_type *type = btree_type_get(b->geo, b->kind);

	for (uint64_t i = 0; i < b->shape.records; i++, at += type->rec_size) {
		struct btree_item item = { 0 };

		b->source(b->ctx, i, &item.record);
		type->encode(b->geo, &item, at);
	}
}

void bmdr_build(struct btree_build *b, uint8_t *fork, uint32_t fork_size)
{
	const struct btree_type *type = btree_type_get(b->geo, b->kind);
	struct bmdr_disk *root = (struct bmdr_disk *)fork;
	uint8_t *keys = fork + sizeof(*root);
	uint8_t *pointers = keys + (size_t)bmdr_max_entries(type, b->kind, fork_size, 1) * type->key_size;
	uint32_t width = b->shape.levels ? b->shape.width[b->shape.levels - 1] : (uint32_t)b->shape.records;
	uint32_t first = b->shape.blocks - width;

	memset(fork, 0, fork_size);
	*root = (struct bmdr_disk){ be16_put((uint16_t)b->shape.levels), be16_put((uint16_t)width) };
	if (!b->shape.levels) {
		put_records(b, keys);
		return;
	}
	for (uint32_t i = 0; i < width; i++) {
		const struct btree_child *child = &b->children[first + i];
		const be64_t pointer = be64_put(b->blocks[first + i]);

		type->encode_key(&child->low, &child->high, keys + (size_t)i * type->key_size);
		memcpy(pointers + (size_t)i * sizeof(pointer), &pointer, sizeof(pointer));
	}
}

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
	/* the root has no address, so no pointer can be to the root itself */
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds btrees of realtime groups, whose root lies in an inode's fork (ondisk 09): how many blocks there are below it,
 * and the root itself.  The blocks are built by btree_build.c; the top level may have several.
 */
#include "disk/bmbt.h"
#include "libxfs/btree_build.h"
#include "btree_type.h"

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

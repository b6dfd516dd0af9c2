/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds the blocks of a new btree, from the leftmost leaf to the root.  How records and keys are written is in the
 * same rows of btree_type.c as how they are read.
 */
#include "libxfs/btree_build.h"
#include "disk/btree.h"
#include "libxfs/crc.h"
#include "btree_block.h"

/* One block of a level. */
struct slot_range {
	uint32_t level;
	uint32_t first; /* blocks before those of its level */
	uint32_t index; /* in its level */
	uint32_t numrecs;
};

static struct slot_range range_at(const struct btree_build *b)
{
	struct slot_range range = { .index = b->done };
	uint64_t items = b->shape.records;
	uint32_t width;

	while (range.index >= b->shape.width[range.level]) {
		items = b->shape.width[range.level];
		range.index -= b->shape.width[range.level];
		range.first += b->shape.width[range.level++];
	}
	width = b->shape.width[range.level];
	range.numrecs = (uint32_t)(items / width) + (range.index < items % width);
	return range;
}

static void put_number(uint8_t *p, unsigned size, uint64_t value)
{
	const be32_t narrow = be32_put((uint32_t)value);
	const be64_t wide = be64_put(value);

	memcpy(p, size == sizeof(wide) ? (const void *)&wide : &narrow, size);
}

static void put_header(const struct btree_build *b, const struct slot_range *range, uint8_t *block)
{
	const struct btree_type *type = btree_type_get(b->geo, b->kind);
	const struct btree_layout *layout = type->layout;
	struct btree_short_disk *common = (struct btree_short_disk *)block;
	bool last = range->index + 1 == b->shape.width[range->level];
	uint64_t self = b->blocks[b->done];
	xdaddr_t daddr;

	common->magic = be32_put(type->magic);
	common->level = be16_put((uint16_t)range->level);
	common->numrecs = be16_put((uint16_t)range->numrecs);
	put_number(block + layout->leftsib, layout->ptr_size, range->index ? b->blocks[b->done - 1] : NULL_FSBNO);
	put_number(block + layout->rightsib, layout->ptr_size, last ? NULL_FSBNO : b->blocks[b->done + 1]);
	if (!layout->v5.crc)
		return;
	if (b->kind < BT_AG_NR)
		daddr = daddr_of(b->geo, b->agno, (agbno_t){ (uint32_t)self });
	else
		daddr = daddr_of_fsbno(b->geo, (fsbno_t){ self });
	put_number(block + layout->v5.blkno, sizeof(be64_t), daddr.v);
	memcpy(block + layout->v5.uuid, b->geo->meta_uuid, sizeof(b->geo->meta_uuid));
	put_number(block + layout->v5.owner, layout->v5.owner_bytes, b->owner);
}

/* Extend the keys that the parent will have for a block by those of one more record or child. */
static void add_to_child(struct btree_child *child, const struct btkey *low, const struct btkey *high, bool first)
{
	if (first)
		child->low = *low;
	if (first || btkey_cmp(high, &child->high) > 0)
		child->high = *high;
}

static void put_records(struct btree_build *b, const struct slot_range *range, uint8_t *block)
{
	const struct btree_type *type = btree_type_get(b->geo, b->kind);
	uint8_t *bytes = block + type->layout->size;

	for (uint32_t i = 0; i < range->numrecs; i++, bytes += type->rec_size) {
		struct btree_item item = { 0 };

		b->source(b->ctx, b->next_item++, &item.record);
		type->encode(b->geo, &item, bytes);
		add_to_child(&b->children[b->done], &item.key, &item.high, i == 0);
	}
}

static void put_children(struct btree_build *b, const struct slot_range *range, uint8_t *block)
{
	const struct btree_type *type = btree_type_get(b->geo, b->kind);
	uint8_t *keys = block + type->layout->size;
	uint8_t *ptrs = keys + (size_t)b->geo->btree[b->kind].node_max * type->key_size;

	/* the children of a level follow each other as its blocks do */
	if (range->index == 0)
		b->next_item = range->first - b->shape.width[range->level - 1];
	for (uint32_t i = 0; i < range->numrecs; i++, b->next_item++) {
		const struct btree_child *child = &b->children[b->next_item];

		type->encode_key(&child->low, &child->high, keys + (size_t)i * type->key_size);
		put_number(ptrs + (size_t)i * type->layout->ptr_size, type->layout->ptr_size, b->blocks[b->next_item]);
		add_to_child(&b->children[b->done], &child->low, &child->high, i == 0);
	}
}

void btree_build_next(struct btree_build *b, uint8_t *block)
{
	const struct btree_layout *layout = btree_type_get(b->geo, b->kind)->layout;
	const struct slot_range range = range_at(b);

	memset(block, 0, b->geo->block_size);
	put_header(b, &range, block);
	if (range.level == 0)
		put_records(b, &range, block);
	else
		put_children(b, &range, block);
	if (layout->v5.crc)
		crc_store(block, b->geo->block_size, layout->v5.crc);
	b->done++;
}

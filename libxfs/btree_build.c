/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds the blocks of a new btree, from the leftmost leaf to the root, and single blocks of an existing one.  The rows
 * of btree_type.c write records and keys, as they read them.
 */
#include "libxfs/btree_build.h"
#include "disk/btree.h"
#include "libxfs/crc.h"
#include "btree_block.h"

/* One block of a level. */
struct slot_range {
	uint32_t level;
	uint32_t first; /* number of blocks in lower levels */
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

static void put_header(const struct btree_spot *spot, uint32_t level, uint32_t numrecs, uint8_t *block)
{
	const struct btree_type *type = btree_type_get(spot->geo, spot->kind);
	const struct btree_layout *layout = type->layout;
	struct btree_short_disk *common = (struct btree_short_disk *)block;
	xdaddr_t daddr;

	memset(block, 0, spot->geo->block_size);
	common->magic = be32_put(type->magic);
	common->level = be16_put((uint16_t)level);
	common->numrecs = be16_put((uint16_t)numrecs);
	put_number(block + layout->leftsib, layout->ptr_size, spot->left);
	put_number(block + layout->rightsib, layout->ptr_size, spot->right);
	if (!layout->v5.crc)
		return;
	if (spot->kind < BT_AG_NR)
		daddr = daddr_of(spot->geo, spot->agno, (agbno_t){ (uint32_t)spot->self });
	else
		daddr = daddr_of_fsbno(spot->geo, (fsbno_t){ spot->self });
	put_number(block + layout->v5.blkno, sizeof(be64_t), daddr.v);
	memcpy(block + layout->v5.uuid, spot->geo->meta_uuid, sizeof(spot->geo->meta_uuid));
	put_number(block + layout->v5.owner, layout->v5.owner_bytes, spot->owner);
}

/* Extends a block's keys in its parent by those of one more record or child. */
static void add_to_child(struct btree_child *child, const struct btkey *low, const struct btkey *high, bool first)
{
	if (first)
		child->low = *low;
	if (first || btkey_cmp(high, &child->high) > 0)
		child->high = *high;
}

/* Writes records from number `first` on, after a header; ret_child: their keys for the parent. */
static void put_records(const struct btree_spot *spot, btree_source *source, void *ctx, uint64_t first,
			uint32_t numrecs, uint8_t *block, struct btree_child *ret_child)
{
	const struct btree_type *type = btree_type_get(spot->geo, spot->kind);
	uint8_t *bytes = block + type->layout->size;

	for (uint32_t i = 0; i < numrecs; i++, bytes += type->rec_size) {
		struct btree_item item = { 0 };

		source(ctx, first + i, &item.record);
		type->encode(spot->geo, &item, bytes);
		add_to_child(ret_child, &item.key, &item.high, i == 0);
	}
}

/* Writes the keys of one child into a node. */
static void put_key(const struct btree_type *type, uint8_t *block, uint32_t index, const struct btree_child *child)
{
	type->encode_key(&child->low, &child->high, block + type->layout->size + (size_t)index * type->key_size);
}

static void put_children(struct btree_build *b, const struct slot_range *range, uint8_t *block)
{
	const struct btree_type *type = btree_type_get(b->geo, b->kind);
	uint8_t *ptrs = block + type->layout->size + (size_t)b->geo->btree[b->kind].node_max * type->key_size;

	/* the children of a level are in the order of its blocks */
	if (range->index == 0)
		b->next_item = range->first - b->shape.width[range->level - 1];
	for (uint32_t i = 0; i < range->numrecs; i++, b->next_item++) {
		const struct btree_child *child = &b->children[b->next_item];

		put_key(type, block, i, child);
		put_number(ptrs + (size_t)i * type->layout->ptr_size, type->layout->ptr_size, b->blocks[b->next_item]);
		btree_child_add(&b->children[b->done], child, i == 0);
	}
}

void btree_build_next(struct btree_build *b, uint8_t *block)
{
	const struct slot_range range = range_at(b);
	const bool last = range.index + 1 == b->shape.width[range.level];
	const struct btree_spot spot = { .geo = b->geo,
					 .kind = b->kind,
					 .agno = b->agno,
					 .owner = b->owner,
					 .self = b->blocks[b->done],
					 .left = range.index ? b->blocks[b->done - 1] : NULL_FSBNO,
					 .right = last ? NULL_FSBNO : b->blocks[b->done + 1] };

	put_header(&spot, range.level, range.numrecs, block);
	if (range.level == 0) {
		put_records(&spot, b->source, b->ctx, b->next_item, range.numrecs, block, &b->children[b->done]);
		b->next_item += range.numrecs;
	} else {
		put_children(b, &range, block);
	}
	btree_seal(b->geo, b->kind, block);
	b->done++;
}

/* ---- blocks of an existing btree ---- */

struct btkey btree_key_of(const struct geometry *g, enum btree_kind kind, const union btree_record *record)
{
	struct btree_item item = { .record = *record };
	uint8_t bytes[BTREE_ITEM_MAX];

	btree_type_get(g, kind)->encode(g, &item, bytes);
	return item.key;
}

void btree_child_add(struct btree_child *child, const struct btree_child *more, bool first)
{
	add_to_child(child, &more->low, &more->high, first);
}

void btree_leaf_make(const struct btree_spot *spot, btree_source *source, void *ctx, uint64_t first, uint32_t numrecs,
		     uint8_t *block, struct btree_child *ret_child)
{
	put_header(spot, 0, numrecs, block);
	put_records(spot, source, ctx, first, numrecs, block, ret_child);
}

bool btree_leaf_same(const struct geometry *g, enum btree_kind kind, const uint8_t *block, const uint8_t *made)
{
	const struct check silent = check_silent(g);
	const struct btree_type *type = btree_type_get(g, kind);
	const struct v5_header *v5 = &type->layout->v5;
	const size_t end = type->layout->size +
			   (size_t)be16_get(((const struct btree_short_disk *)made)->numrecs) * type->rec_size;

	if (!v5->crc)
		return memcmp(block, made, end) == 0;
	/* the LSN lies before the uuid, and the checksum is the last field of the header */
	return memcmp(block, made, v5->lsn) == 0 &&
	       memcmp(block + v5->uuid, made + v5->uuid, v5->crc - (size_t)v5->uuid) == 0 &&
	       memcmp(block + type->layout->size, made + type->layout->size, end - type->layout->size) == 0 &&
	       v5_check_lsn(&silent, btree_number_get(block + v5->lsn, sizeof(be64_t)), 0) &&
	       crc_is_right(block, g->block_size, v5->crc);
}

bool btree_node_put(const struct geometry *g, enum btree_kind kind, uint8_t *block, uint32_t index,
		    const struct btree_child *child)
{
	const struct btree_type *type = btree_type_get(g, kind);
	uint8_t *key = block + type->layout->size + (size_t)index * type->key_size;
	uint8_t before[BTREE_ITEM_MAX];

	memcpy(before, key, type->key_size);
	put_key(type, block, index, child);
	return memcmp(before, key, type->key_size) != 0;
}

void btree_seal(const struct geometry *g, enum btree_kind kind, uint8_t *block)
{
	const struct v5_header *v5 = &btree_type_get(g, kind)->layout->v5;

	if (v5->crc)
		crc_store(block, g->block_size, v5->crc);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes blocks of AG btrees.  Records are spread evenly over the leaves, and these over the nodes above, so two
 * divisions give the records in a block.
 */
#include "disk/alloc.h"
#include "disk/btree.h"
#include "disk/inobt.h"
#include "disk/refcountbt.h"
#include "disk/rmapbt.h"
#include "group.h"
#include "libxfs/crc.h"

/* The first of the items below a block: records, or blocks of the level below. index may be the number of blocks. */
static uint64_t first_below(const struct btree_shape *shape, uint32_t level, uint64_t index)
{
	const uint64_t items = level ? shape->width[level - 1] : shape->records;

	return items * index / shape->width[level];
}

static uint64_t first_record(const struct btree_shape *shape, uint32_t level, uint64_t index)
{
	for (;; level--) {
		index = first_below(shape, level, index);
		if (!level)
			return index;
	}
}

/* ---- records ---- */

static uint64_t flags_of(const struct record *r)
{
	return (r->flags & RMAP_ATTR ? RMAP_OFFSET_ATTR : 0) | (r->flags & RMAP_BMBT ? RMAP_OFFSET_BMBT : 0);
}

static size_t put_record(enum btree_kind kind, const struct record *r, uint8_t *at)
{
	switch (kind) {
	case BT_INO:
	case BT_FINO:
		*(struct inobt_rec_disk *)at = (struct inobt_rec_disk){
			.startino = be32_put(r->start),
			.sparse = { be16_put(0), INODES_PER_CHUNK, (uint8_t)r->len },
			.free = be64_put(r->owner),
		};
		return sizeof(struct inobt_rec_disk);
	case BT_RMAP:
		*(struct rmap_rec_disk *)at = (struct rmap_rec_disk){
			be32_put(r->start), be32_put(r->len), be64_put(r->owner),
			be64_put(r->offset | flags_of(r) | (r->flags & RMAP_UNWRITTEN ? RMAP_OFFSET_UNWRITTEN : 0))
		};
		return sizeof(struct rmap_rec_disk);
	case BT_REFC:
		*(struct refcount_rec_disk *)at = (struct refcount_rec_disk){ be32_put(r->start), be32_put(r->len),
									      be32_put((uint32_t)r->owner) };
		return sizeof(struct refcount_rec_disk);
	default:
		*(struct alloc_rec_disk *)at = (struct alloc_rec_disk){ be32_put(r->start), be32_put(r->len) };
		return sizeof(struct alloc_rec_disk);
	}
}

static struct rmap_key_disk low_key(const struct record *r)
{
	return (struct rmap_key_disk){ be32_put(r->start), be64_put(r->owner), be64_put(r->offset | flags_of(r)) };
}

static struct rmap_key_disk high_key(const struct record *r)
{
	const bool in_file = r->whose != WHOSE_NONE || !(r->owner >> 63);
	const uint64_t add = in_file && !(r->flags & RMAP_BMBT) ? r->len - 1 : 0;

	return (struct rmap_key_disk){ be32_put(r->start + r->len - 1), be64_put(r->owner),
				       be64_put((r->offset + add) | flags_of(r)) };
}

/*
 * The highest key of records [from, to): since cells don't overlap, it belongs to a record in the same cell as the last
 * one.  Keys are big-endian numbers, so they compare as bytes.
 */
static struct rmap_key_disk highest_key(struct cursor *cursor, uint64_t from, uint64_t to)
{
	struct rmap_key_disk best = { 0 };

	cursor_set(cursor, to - 1);
	if (cursor->slot < to - 1 - from)
		from = to - 1 - cursor->slot;
	cursor_set(cursor, from);
	for (; from < to; from++) {
		const struct record r = cursor_next(cursor);
		const struct rmap_key_disk key = high_key(&r);

		if (memcmp(&key, &best, sizeof(key)) > 0)
			best = key;
	}
	return best;
}

/* ---- blocks ---- */

struct level {
	uint32_t number, first; /* its number, and the number of blocks of the btree before it */
	uint32_t index;		/* of the block, in the level */
};

static struct level level_of(const struct btree_shape *shape, uint32_t index)
{
	struct level level = { .index = index };

	while (level.index >= shape->width[level.number]) {
		level.first += shape->width[level.number];
		level.index -= shape->width[level.number++];
	}
	return level;
}

static void put_header(const struct computed *computed, agno_t agno, enum btree_kind kind, const struct level *level,
		       uint32_t numrecs, uint8_t *block)
{
	static const uint32_t magics[] = { BNOBT_MAGIC,	 CNTBT_MAGIC,  INOBT_MAGIC,
					   FINOBT_MAGIC, RMAPBT_MAGIC, REFCOUNTBT_MAGIC };
	const struct group_tree *tree = &group_of(computed, agno)->trees[kind];
	const uint32_t self = tree->base + level->first + level->index;
	struct btree_short_disk *header = (void *)block;

	*header = (struct btree_short_disk){
		.magic = be32_put(magics[kind]),
		.level = be16_put((uint16_t)level->number),
		.numrecs = be16_put((uint16_t)numrecs),
		.leftsib = be32_put(level->index ? self - 1 : NULL_AGBNO),
		.rightsib = be32_put(level->index + 1 < tree->shape.width[level->number] ? self + 1 : NULL_AGBNO),
		.blkno = be64_put(daddr_of(&computed->geo, agno, (agbno_t){ self }).v),
		.owner = be32_put(agno.v),
	};
	memcpy(header->uuid, computed->geo.meta_uuid, sizeof(header->uuid));
}

static size_t put_key(enum btree_kind kind, const struct record *r, uint8_t *at)
{
	const be32_t start = be32_put(r->start);

	if (kind == BT_BNO || kind == BT_CNT)
		return put_record(kind, r, at);
	memcpy(at, &start, sizeof(start));
	return sizeof(start);
}

static void put_children(const struct computed *computed, struct cursor *cursor, const struct group_tree *tree,
			 const struct level *level, uint32_t first, uint32_t count, uint8_t *block)
{
	const uint32_t below = level->first - tree->shape.width[level->number - 1];
	const size_t key_size = cursor->kind == BT_RMAP	 ? sizeof(struct rmap_range_disk)
				: cursor->kind <= BT_CNT ? sizeof(struct alloc_rec_disk)
							 : sizeof(be32_t);
	uint8_t *keys = block + sizeof(struct btree_short_disk);
	be32_t *pointers = (void *)(keys + computed->geo.btree[cursor->kind].node_max * key_size);

	for (uint32_t i = 0; i < count; i++, keys += key_size) {
		const uint64_t from = first_record(&tree->shape, level->number - 1, first + i);
		const uint64_t to = first_record(&tree->shape, level->number - 1, first + i + 1);
		struct record r;

		cursor_set(cursor, from);
		r = cursor_next(cursor);
		if (cursor->kind == BT_RMAP)
			*(struct rmap_range_disk *)keys =
				(struct rmap_range_disk){ low_key(&r), highest_key(cursor, from, to) };
		else
			put_key(cursor->kind, &r, keys);
		pointers[i] = be32_put(tree->base + below + first + i);
	}
}

void tree_read(const struct computed *computed, agno_t agno, enum btree_kind kind, uint32_t index, uint8_t *block)
{
	const struct group_tree *tree = &group_of(computed, agno)->trees[kind];
	const struct level level = level_of(&tree->shape, index);
	const uint64_t from = first_below(&tree->shape, level.number, level.index);
	const uint32_t count = (uint32_t)(first_below(&tree->shape, level.number, level.index + 1) - from);
	struct cursor cursor = { .sequence = &tree->sequence,
				 .cells = &computed->cells,
				 .geo = &computed->geo,
				 .agno = agno,
				 .kind = kind };
	uint8_t *at = block + sizeof(struct btree_short_disk);

	memset(block, 0, computed->geo.block_size);
	put_header(computed, agno, kind, &level, count, block);
	if (level.number) {
		put_children(computed, &cursor, tree, &level, (uint32_t)from, count, block);
	} else if (count) {
		cursor_set(&cursor, from);
		for (uint32_t i = 0; i < count; i++) {
			const struct record record = cursor_next(&cursor);

			at += put_record(kind, &record, at);
		}
	}
	crc_store(block, computed->geo.block_size, offsetof(struct btree_short_disk, crc));
}

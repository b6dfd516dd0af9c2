/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of btrees, one row each, and one for each version of the format (ondisk 03 and 05). */
#include "disk/alloc.h"
#include "disk/bmbt.h"
#include "disk/btree.h"
#include "disk/inobt.h"
#include "disk/refcountbt.h"
#include "disk/rmapbt.h"
#include "btree_type.h"

static const struct btree_layout short_layout = {
	.size = sizeof(struct btree_short_disk),
	.ptr_size = sizeof(be32_t),
	.leftsib = offsetof(struct btree_short_disk, leftsib),
	.rightsib = offsetof(struct btree_short_disk, rightsib),
	.v5 = V5_HEADER(btree_short_disk, ),
};

static const struct btree_layout long_layout = {
	.size = sizeof(struct btree_long_disk),
	.ptr_size = sizeof(be64_t),
	.leftsib = offsetof(struct btree_long_disk, leftsib),
	.rightsib = offsetof(struct btree_long_disk, rightsib),
	.v5 = V5_HEADER(btree_long_disk, ),
	.pad = offsetof(struct btree_long_disk, pad),
};

/* the header ends with the siblings: blocks of version 4 have no owner */
static const struct btree_layout short_layout_v4 = {
	.size = BTREE_SHORT_SIZE_V4,
	.ptr_size = sizeof(be32_t),
	.leftsib = offsetof(struct btree_short_disk, leftsib),
	.rightsib = offsetof(struct btree_short_disk, rightsib),
};

static const struct btree_layout long_layout_v4 = {
	.size = BTREE_LONG_SIZE_V4,
	.ptr_size = sizeof(be64_t),
	.leftsib = offsetof(struct btree_long_disk, leftsib),
	.rightsib = offsetof(struct btree_long_disk, rightsib),
};

#define ALLOC_SIZES sizeof(struct alloc_rec_disk), sizeof(struct alloc_rec_disk)
#define INOBT_SIZES sizeof(struct inobt_rec_disk), sizeof(struct inobt_key_disk)
#define RMAP_SIZES  sizeof(struct rmap_rec_disk), sizeof(struct rmap_range_disk)
#define REFC_SIZES  sizeof(struct refcount_rec_disk), sizeof(struct refcount_key_disk)
#define BMBT_SIZES  sizeof(struct bmbt_rec_disk), sizeof(struct bmbt_key_disk)

#define CODEC(name, continues) name##_record, name##_key, name##_encode, name##_encode_key, continues

static const struct btree_type types_v4[BT_NR] = {
	/* clang-format off */
	[BT_BNO]  = { &short_layout_v4, BNOBT_MAGIC_V4, ALLOC_SIZES, false, CODEC(bnobt, NULL) },
	[BT_CNT]  = { &short_layout_v4, CNTBT_MAGIC_V4, ALLOC_SIZES, false, CODEC(cntbt, NULL) },
	[BT_INO]  = { &short_layout_v4, INOBT_MAGIC_V4, INOBT_SIZES, false, CODEC(inobt, NULL) },
	[BT_BMAP] = { &long_layout_v4, BMBT_MAGIC_V4, BMBT_SIZES, false, bmbt_record, bmbt_key, NULL, NULL, NULL },
	/* clang-format on */
};

static const struct btree_type types[BT_NR] = {
	/* clang-format off */
	[BT_BNO]  = { &short_layout, BNOBT_MAGIC, ALLOC_SIZES, false, CODEC(bnobt, NULL) },
	[BT_CNT]  = { &short_layout, CNTBT_MAGIC, ALLOC_SIZES, false, CODEC(cntbt, NULL) },
	[BT_INO]  = { &short_layout, INOBT_MAGIC, INOBT_SIZES, false, CODEC(inobt, NULL) },
	[BT_FINO] = { &short_layout, FINOBT_MAGIC, INOBT_SIZES, false, finobt_record, inobt_key, inobt_encode, inobt_encode_key, NULL },
	[BT_RMAP] = { &short_layout, RMAPBT_MAGIC, RMAP_SIZES, true, CODEC(rmapbt, rmapbt_continues) },
	[BT_REFC] = { &short_layout, REFCOUNTBT_MAGIC, REFC_SIZES, false, CODEC(refcountbt, NULL) },
	[BT_BMAP] = { &long_layout, BMBT_MAGIC, BMBT_SIZES, false, bmbt_record, bmbt_key, NULL, NULL, NULL },
	[BT_RTRMAP] = { &long_layout, RTRMAPBT_MAGIC, RMAP_SIZES, true, CODEC(rmapbt, rmapbt_continues) },
	[BT_RTREFC] = { &long_layout, RTREFCOUNTBT_MAGIC, REFC_SIZES, false, CODEC(refcountbt, NULL) },
	/* clang-format on */
};

_Static_assert(sizeof(struct rmap_range_disk) <= BTREE_ITEM_MAX, "keys of the rmapbt");

const struct btree_type *btree_type_get(const struct geometry *g, enum btree_kind kind)
{
	return g->crc ? &types[kind] : &types_v4[kind];
}

_Static_assert(offsetof(struct alloc_rec_disk, blockcount) == offsetof(struct rmap_rec_disk, blockcount) &&
		       offsetof(struct alloc_rec_disk, blockcount) == offsetof(struct refcount_rec_disk, blockcount),
	       "one rule checks the extents of three kinds of records");

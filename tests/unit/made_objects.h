/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the test of the table of block kinds: a sound block of each kind that has a decoder, made by the builders of
 * libxfs, all for the same address.
 */
#ifndef XFSCK_TESTS_MADE_OBJECTS_H
#define XFSCK_TESTS_MADE_OBJECTS_H

#include <stdlib.h>

#include "btrees.h"
#include "disk/dir.h"
#include "libxfs/ag.h"
#include "libxfs/attr_build.h"
#include "libxfs/bmap_build.h"
#include "libxfs/btree_build.h"
#include "libxfs/da_build.h"
#include "libxfs/dinode.h"
#include "libxfs/dinode_mend.h"
#include "libxfs/dir_build.h"
#include "libxfs/dquot.h"
#include "libxfs/object.h"
#include "libxfs/rt_build.h"

#define RGNO 1u

/* A block, its address, and its kind as an index of the table; OBJECT_KINDS: none. */
struct made {
	struct geometry geo;
	struct object_at at;
	struct bmap_rules rules;
	struct agf agf;
	uint8_t bytes[4096];
	size_t kind;
};

static inline struct da_expect place_in_fork(struct made *b, uint64_t off, enum fork fork)
{
	b->at.place.fileoff.v = off;
	return (struct da_expect){
		{ INO }, daddr_of(&b->geo, (agno_t){ AGNO }, (agbno_t){ AGBNO }), { (uint32_t)off }, fork
	};
}

static inline void make_agf(struct made *b, const struct object_kind *kind)
{
	(void)kind;
	b->agf.freeblks = b->agf.longest = 1000;
	for (enum btree_kind tree = BT_BNO; tree < BT_AG_NR; tree++) {
		b->agf.root[tree].v = 10 + tree;
		b->agf.level[tree] = 1;
	}
	agf_encode(&b->geo, (agno_t){ AGNO }, &b->agf, b->bytes);
}

static inline void make_agi(struct made *b, const struct object_kind *kind)
{
	struct agi agi = { .count = 64, .freecount = 10, .newino = { 128 }, .dirino = { NULL_AGINO } };

	(void)kind;
	agi.root[BT_INO].v = 10;
	agi.root[BT_FINO].v = 11;
	agi.level[BT_INO] = agi.level[BT_FINO] = 1;
	for (unsigned i = 0; i < 64; i++)
		agi.unlinked[i].v = NULL_AGINO;
	agi_encode(&b->geo, (agno_t){ AGNO }, &agi, b->bytes);
}

static inline void make_agfl(struct made *b, const struct object_kind *kind)
{
	static const agbno_t blocks[] = { { 20 }, { 21 }, { 22 } };

	(void)kind;
	agf_set_freelist(&b->agf, 3);
	agfl_encode(&b->geo, (agno_t){ AGNO }, blocks, 3, b->bytes);
}

static inline void only_record(void *ctx, uint64_t index, union btree_record *ret_record)
{
	(void)index;
	*ret_record = *(const union btree_record *)ctx;
}

static inline void make_tree(struct made *b, const struct object_kind *row)
{
	const enum btree_kind kind = row->tree;
	const uint64_t where = kind < BT_AG_NR ? AGBNO : fsbno_of(&b->geo, (agno_t){ AGNO }, (agbno_t){ AGBNO }).v;
	struct btree_child child;
	union btree_record record = { .alloc = { { 200 }, 4 } };
	struct btree_build build = { .geo = &b->geo,
				     .kind = kind,
				     .agno = { AGNO },
				     .owner = kind < BT_AG_NR ? AGNO : INO,
				     .blocks = &where,
				     .children = &child,
				     .source = only_record,
				     .ctx = &record };

	if (kind == BT_INO || kind == BT_FINO)
		record.inobt = (struct inobt_record){ { 128 }, 0, 64, 1, 1 };
	else if (kind == BT_RMAP || kind == BT_RTRMAP)
		record.rmap = (struct rmap_record){ { 200 }, 4, INO, 0, 0 };
	else if (kind == BT_REFC || kind == BT_RTREFC)
		record.refcount = (struct refcount_record){ { 200 }, 4, 2, false };
	assert_true(btree_shape(&b->geo, kind, 1, SLACK_USUAL, &build.shape));
	assert_int_equal(build.shape.blocks, 1);
	btree_build_next(&build, b->bytes);
}

static inline void make_bmbt(struct made *b, const struct object_kind *kind)
{
	const struct bmap_record record = { { 5 }, { 300 }, 4, false };
	const fsbno_t self = fsbno_of(&b->geo, (agno_t){ AGNO }, (agbno_t){ AGBNO });
	const struct bmbt_place place = { { INO }, self, { NULL_FSBNO }, { NULL_FSBNO } };

	(void)kind;
	bmbt_build_leaf(&b->geo, b->bytes, &place, &record, 1);
}

static inline void make_dir(struct made *b, const struct object_kind *kind)
{
	const enum object object = kind->object;
	const bool leaf1 = kind->logged == LB_DIR_LEAF1;
	static const uint16_t best[] = { 104 };
	const struct dir_bests bests = { best, 1 };
	struct dir_name names[3] = {
		{ .ino = { INO }, .name = (const uint8_t *)".", .namelen = 1, .ftype = FT_DIR },
		{ .ino = { 128 }, .name = (const uint8_t *)"..", .namelen = 2, .ftype = FT_DIR },
		{ .ino = { 140 }, .name = (const uint8_t *)"abc", .namelen = 3, .ftype = FT_REG }
	};
	const uint64_t leaf = DIR_LEAF_OFFSET >> 12, index = DIR_FREE_OFFSET >> 12;
	const struct da_expect data = place_in_fork(b, 0, DATA_FORK);
	uint8_t other[4096];
	struct da_expect place;
	uint16_t longest;

	for (unsigned i = 0; i < 3; i++)
		names[i].hash = da_hashname(names[i].name, names[i].namelen, false);
	if (object == OBJ_DIR_BLOCK) {
		dir_build_block(&b->geo, b->bytes, &data, names, 3);
		return;
	}
	dir_build_data(&b->geo, object == OBJ_DIR_DATA ? b->bytes : other, &data, names, 3, &longest);
	if (object == OBJ_DIR_DATA)
		return;
	qsort(names, 3, sizeof(names[0]), dir_name_order);
	place = place_in_fork(b, object == OBJ_DIR_FREE ? index : leaf1 ? leaf : leaf + 1, DATA_FORK);
	if (object == OBJ_DIR_FREE)
		dir_build_free(&b->geo, b->bytes, &place, 0, bests);
	else if (leaf1)
		dir_build_leaf1(&b->geo, b->bytes, &place, names, 3, bests);
	else
		dir_build_leafn(&b->geo, b->bytes, &place, names, 3, (struct da_siblings){ 0 });
}

static inline void make_node_of(struct made *b, bool dir)
{
	const uint64_t off = dir ? DIR_LEAF_OFFSET >> 12 : 0;
	const struct da_child children[] = { { 5, { (uint32_t)off + 1 } }, { 9, { (uint32_t)off + 2 } } };
	const struct da_expect place = place_in_fork(b, off, dir ? DATA_FORK : ATTR_FORK);

	da_build_node(&b->geo, b->bytes, &place, 1, (struct da_children){ children, 2 }, (struct da_siblings){ 0 });
}

static inline void make_node(struct made *b, const struct object_kind *kind)
{
	(void)kind;
	make_node_of(b, true);
}

static inline void make_attr(struct made *b, const struct object_kind *kind)
{
	const bool remote = kind->object == OBJ_ATTR_REMOTE;
	static const uint8_t value[5000] = { 1 };
	const struct attr_item item = { .namelen = 4,
					.name = (const uint8_t *)"name",
					.value = value,
					.valuelen = remote ? 5000 : 10,
					.hash = da_hashname((const uint8_t *)"name", 4, false),
					.valueblk = { 1 } };
	const struct da_expect place = place_in_fork(b, remote ? 1 : 0, ATTR_FORK);

	if (remote)
		attr_build_value(&b->geo, b->bytes, &place, &item, 0);
	else
		attr_build_leaf(&b->geo, b->bytes, &place, &item, 1, (struct da_siblings){ 0 });
}

static inline void make_rt_words(struct made *b, const struct object_kind *kind)
{
	static const uint32_t words[1024] = { 7 };
	const struct rt_expect place = { { INO }, daddr_of(&b->geo, (agno_t){ AGNO }, (agbno_t){ AGBNO }), 0, RGNO };

	b->at.place.fileoff.v = 0;
	rt_build_block(&b->geo, b->bytes, kind->object == OBJ_RTBITMAP ? RTBITMAP_MAGIC : RTSUMMARY_MAGIC, &place,
		       words);
}

static inline void make_rtsb(struct made *b, const struct object_kind *kind)
{
	(void)kind;
	rt_build_sb(&b->geo, b->bytes);
}

static inline void make_inode(struct made *b, const struct object_kind *kind)
{
	(void)kind;
	dinode_make_free(&b->geo, b->bytes, b->at.place.ino, 7);
}

static inline void make_dquots(struct made *b, const struct object_kind *kind)
{
	const uint8_t type = dquot_file_types(&b->geo, (enum quota_type)(kind->object - OBJ_QUOTA_USER));

	b->at.place.fileoff.v = 0;
	for (unsigned i = 0; i < 30; i++) {
		uint8_t *record = b->bytes + i * 136;
		le32_t crc;

		put16(record, 0x4451);
		record[2] = 1;
		record[3] = type;
		put32(record + 4, i);
		memcpy(record + 120, b->geo.meta_uuid, 16);
		crc = le32_put(crc_block(record, 136, 108));
		memcpy(record + 108, &crc, sizeof(crc));
	}
}

/* NULL: no decoder exists for such blocks. */
static void (*const makers[OBJECT_NR])(struct made *b, const struct object_kind *kind) = {
	[OBJ_AGF] = make_agf,
	[OBJ_AGI] = make_agi,
	[OBJ_AGFL] = make_agfl,
	[OBJ_BNOBT] = make_tree,
	[OBJ_CNTBT] = make_tree,
	[OBJ_INOBT] = make_tree,
	[OBJ_FINOBT] = make_tree,
	[OBJ_RMAPBT] = make_tree,
	[OBJ_REFCBT] = make_tree,
	[OBJ_INODE] = make_inode,
	[OBJ_BMBT] = make_bmbt,
	[OBJ_DIR_BLOCK] = make_dir,
	[OBJ_DIR_DATA] = make_dir,
	[OBJ_DIR_LEAF] = make_dir,
	[OBJ_DIR_FREE] = make_dir,
	[OBJ_DA_NODE] = make_node,
	[OBJ_ATTR_LEAF] = make_attr,
	[OBJ_ATTR_REMOTE] = make_attr,
	[OBJ_RTSB] = make_rtsb,
	[OBJ_RTBITMAP] = make_rt_words,
	[OBJ_RTSUMMARY] = make_rt_words,
	[OBJ_RTRMAPBT] = make_tree,
	[OBJ_RTREFCBT] = make_tree,
	[OBJ_QUOTA_USER] = make_dquots,
	[OBJ_QUOTA_GROUP] = make_dquots,
	[OBJ_QUOTA_PROJECT] = make_dquots,
};

/* A sound block of this kind of a file system; for realtime groups, it needs some more fields than others. */
static inline void make_in(struct made *b, size_t kind, const struct geometry *geo)
{
	const struct object_kind *row = &object_kinds[kind];

	memset(b, 0, sizeof(*b));
	b->geo = *geo;
	b->rules = (struct bmap_rules){ .unwritten_ok = true, .max_off = 1ull << 51 };
	b->at = (struct object_at){ place_of(row->object), &b->rules, &b->agf };
	b->at.place.agno.v = AGNO;
	b->at.place.agbno.v = AGBNO;
	b->at.place.ino.v = INO;
	b->at.place.rgno = RGNO;
	b->agf.freelist_ok = true;
	b->kind = kind;
	if (makers[row->object])
		makers[row->object](b, row);
}

static inline void make(struct made *b, size_t kind)
{
	struct geometry geo = btrees_geometry();

	geo.dir_block_size = 4096;
	geo.ftype = geo.unwritten = true;
	geo.rextents = geo.rblocks / geo.rextsize;
	geo.rbmblocks = geo.rsumblocks = 1;
	geo.rsumlevels = 13;
	geo.btree[BT_RTREFC].max_level = geo.btree[BT_RTRMAP].max_level = 5;
	make_in(b, kind, &geo);
}

#endif

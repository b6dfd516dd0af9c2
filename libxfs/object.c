/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds of blocks and headers, one row each.  Decoders that need more facts than a row gets take them from the
 * block itself: its own kind, level and siblings.
 */
#include "libxfs/object.h"

#include "disk/agf.h"
#include "disk/agfl.h"
#include "disk/agi.h"
#include "disk/alloc.h"
#include "disk/attr.h"
#include "disk/bmbt.h"
#include "disk/btree.h"
#include "disk/da.h"
#include "disk/dir.h"
#include "disk/dquot.h"
#include "disk/inobt.h"
#include "disk/inode.h"
#include "disk/refcountbt.h"
#include "disk/rmapbt.h"
#include "disk/rt.h"
#include "disk/sb.h"
#include "disk/symlink.h"
#include "libxfs/ag.h"
#include "libxfs/btree.h"
#include "libxfs/da.h"
#include "libxfs/dinode.h"
#include "libxfs/dquot.h"
#include "libxfs/rt.h"

/* ---- decoders ---- */

static bool decode_agf(const struct check *c, const struct object_kind *kind, const uint8_t *bytes,
		       const struct object_at *at)
{
	struct agf agf;

	(void)kind;
	return agf_decode(c, bytes, at->place.agno, &agf);
}

static bool decode_agi(const struct check *c, const struct object_kind *kind, const uint8_t *bytes,
		       const struct object_at *at)
{
	struct agi agi;

	(void)kind;
	return agi_decode(c, bytes, at->place.agno, &agi);
}

static void ignore_slot(void *ctx, agbno_t agbno)
{
	(void)ctx;
	(void)agbno;
}

static bool decode_agfl(const struct check *c, const struct object_kind *kind, const uint8_t *bytes,
			const struct object_at *at)
{
	(void)kind;
	return at->agf && agfl_decode(c, bytes, at->place.agno, at->agf, ignore_slot, NULL);
}

static bool decode_inode(const struct check *c, const struct object_kind *kind, const uint8_t *bytes,
			 const struct object_at *at)
{
	const bool used = be16_get(((const struct dinode_disk *)bytes)->mode) != 0;
	struct dinode inode;

	(void)kind;
	/* a free one is checked as such, but has nothing to decode */
	return dinode_decode(c, bytes, at->place.ino, used, &inode) || !used;
}

/* Decodes a btree block.  An empty bmbt block is not accepted, since nothing in it confirms its owner. */
static bool decode_btree(const struct check *c, const struct object_kind *kind, const uint8_t *bytes,
			 const struct object_at *at)
{
	const struct btree_visitor visitor = { NULL, btree_ignore_record, btree_ignore_child, NULL };
	const struct place *place = &at->place;
	const uint64_t owner = kind->at.owner_bytes == sizeof(be32_t) ? place->agno.v : place->ino.v;
	struct btree_expect expect = btree_expect_alone(c->geo, kind->tree, place->agno, place->agbno, owner, bytes);
	struct btree_block block;

	expect.rules = at->rules;
	expect.rgno = place->rgno;
	if (kind->tree == BT_BMAP && (!at->rules || !be16_get(((const struct btree_long_disk *)bytes)->numrecs)))
		return false;
	return (!btree_is_rt(kind->tree) || expect.rgno < c->geo->rgcount) &&
	       btree_decode(c, bytes, &expect, &visitor, &block);
}

/* True for file offsets that only the hash index of a directory uses: a da node there is a directory's. */
static bool in_dir_index(const struct geometry *g, const struct place *place)
{
	return place->fileoff.v >= DIR_LEAF_OFFSET >> g->block_log;
}

static struct da_expect da_expect(const struct geometry *g, const struct place *place, enum fork fork)
{
	return (struct da_expect){
		place->ino, daddr_of(g, place->agno, place->agbno), { (uint32_t)place->fileoff.v }, fork
	};
}

static bool decode_dir(const struct check *c, const struct object_kind *kind, const uint8_t *bytes,
		       const struct object_at *at)
{
	const struct da_expect expect = da_expect(c->geo, &at->place, DATA_FORK);
	struct dir_data data;
	struct dir_free index;
	struct dir_leaf leaf;

	switch (kind->object) {
	case OBJ_DIR_BLOCK:
		return expect.dablk.v == 0 &&
		       dir_block_decode(c, bytes, &expect, dir_ignore_entry, dir_ignore_leaf, NULL, &data);
	case OBJ_DIR_DATA:
		return dir_data_decode(c, bytes, &expect, dir_ignore_entry, NULL, &data);
	case OBJ_DIR_LEAF:
		return dir_leaf_decode(c, bytes, &expect, dir_ignore_leaf, NULL, &leaf);
	default:
		return dir_free_decode(c, bytes, &expect, &index);
	}
}

static bool decode_node(const struct check *c, const struct object_kind *kind, const uint8_t *bytes,
			const struct object_at *at)
{
	const struct da_expect expect =
		da_expect(c->geo, &at->place, in_dir_index(c->geo, &at->place) ? DATA_FORK : ATTR_FORK);
	struct da_node node;

	return da_node_decode(c, bytes, object_bytes(c->geo, kind, &at->place), &expect, da_ignore_node, NULL, &node);
}

static bool decode_attr(const struct check *c, const struct object_kind *kind, const uint8_t *bytes,
			const struct object_at *at)
{
	const struct da_expect expect = da_expect(c->geo, &at->place, ATTR_FORK);
	struct attr_remote remote;
	struct attr_leaf leaf;

	return kind->object == OBJ_ATTR_LEAF ? attr_leaf_decode(c, bytes, &expect, attr_ignore, NULL, &leaf)
					     : attr_remote_decode(c, bytes, &expect, &remote);
}

static void ignore_run(void *ctx, uint64_t start, uint32_t len)
{
	(void)ctx;
	(void)start;
	(void)len;
}

static void ignore_counter(void *ctx, uint32_t level, uint32_t bitmap_block, uint32_t count)
{
	(void)ctx;
	(void)level;
	(void)bitmap_block;
	(void)count;
}

static bool decode_rt_words(const struct check *c, const struct object_kind *kind, const uint8_t *bytes,
			    const struct object_at *at)
{
	const struct place *place = &at->place;
	const struct rt_expect expect = { place->ino, daddr_of(c->geo, place->agno, place->agbno), place->fileoff.v,
					  place->rgno };

	if (!has_rtgroups(c->geo) || place->rgno >= c->geo->rgcount)
		return false;
	if (kind->object == OBJ_RTBITMAP)
		return expect.block < c->geo->rbmblocks && rtbitmap_decode(c, bytes, &expect, ignore_run, NULL);
	return expect.block < c->geo->rsumblocks && rtsummary_decode(c, bytes, &expect, ignore_counter, NULL);
}

static bool decode_rtsb(const struct check *c, const struct object_kind *kind, const uint8_t *bytes,
			const struct object_at *at)
{
	(void)kind;
	(void)at;
	rtsb_check(c, bytes);
	return true;
}

static void ignore_dquot(void *ctx, const struct dquot *dquot)
{
	(void)ctx;
	(void)dquot;
}

static bool decode_dquots(const struct check *c, const struct object_kind *kind, const uint8_t *bytes,
			  const struct object_at *at)
{
	const enum quota_type type = (enum quota_type)(kind->object - OBJ_QUOTA_USER);
	const struct dquot_expect expect = { dquot_file_types(c->geo, type), at->place.fileoff };

	return expect.off.v < dquot_file_end(c->geo).v && dquot_block_decode(c, bytes, &expect, ignore_dquot, NULL);
}

/* ---- the table ---- */

#define NO_SECTOR AG_SECTORS
#define NO_TREE	  BT_NR

/* Magic numbers of 32 bits begin a block; those of 16 bits do, too, or lie after the siblings. */
#define MAGIC(m)	     m, 0, 0, sizeof(be32_t)
#define MAGIC_ALWAYS(m, len) m, m, 0, len
#define MAGICS(m)	     m, m##_V4, 0, sizeof(be32_t)
#define MAGIC_DQUOT	     MAGIC_ALWAYS(DQUOT_MAGIC, sizeof(be16_t))
#define MAGICS_DA(m)	     m, m##_V4, offsetof(struct da_blkinfo_disk, magic), sizeof(be16_t)

/* Headers of AGs, inodes and quota records have no address and owner like other blocks. */
#define HEADER(disk)                                                                                                   \
	{                                                                                                              \
		offsetof(struct disk, crc), offsetof(struct disk, uuid), offsetof(struct disk, lsn), 0, 0, 0           \
	}
#define HEADER_RTSB                                                                                                    \
	{                                                                                                              \
		offsetof(struct rtsb_disk, crc), offsetof(struct rtsb_disk, meta_uuid), 0, 0, 0, 0                     \
	}
#define SHORT V5_HEADER(btree_short_disk, )
#define LONG  V5_HEADER(btree_long_disk, )
#define DIR   V5_HEADER(dir_blkhdr_disk, )
#define DA    V5_HEADER(da_blkinfo_disk, )

/* In the order of object_next(). */
const struct object_kind object_kinds[OBJECT_KINDS] = {
/* clang-format off */
#define ROW(object, magic, at, size, logged, only, decode) \
	{ OBJ_##object, magic, at, SIZE_##size, NO_SECTOR, NO_TREE, LB_##logged, only, decode }
#define ROW_AG(sector, object, magic, disk, decode) \
	{ OBJ_##object, magic, HEADER(disk), SIZE_SECTOR, sector##_SECTOR, NO_TREE, LB_##object, false, decode }
#define ROW_TREE(object, magic, at, tree, only) \
	{ OBJ_##object, magic, at, SIZE_BLOCK, NO_SECTOR, tree, LB_BTREE, only, decode_btree }
	ROW_AG(SB, SUPERBLOCK, MAGIC_ALWAYS(SB_MAGIC, sizeof(be32_t)), sb_disk, NULL),
	ROW_AG(AGF, AGF, MAGIC_ALWAYS(AGF_MAGIC, sizeof(be32_t)), agf_disk, decode_agf),
	ROW_AG(AGI, AGI, MAGIC_ALWAYS(AGI_MAGIC, sizeof(be32_t)), agi_disk, decode_agi),
	ROW_AG(AGFL, AGFL, MAGIC(AGFL_MAGIC), agfl_disk, decode_agfl),
	ROW_TREE(BNOBT, MAGICS(BNOBT_MAGIC), SHORT, BT_BNO, false),
	ROW_TREE(CNTBT, MAGICS(CNTBT_MAGIC), SHORT, BT_CNT, false),
	ROW_TREE(INOBT, MAGICS(INOBT_MAGIC), SHORT, BT_INO, false),
	ROW_TREE(FINOBT, MAGIC(FINOBT_MAGIC), SHORT, BT_FINO, false),
	ROW_TREE(RMAPBT, MAGIC(RMAPBT_MAGIC), SHORT, BT_RMAP, false),
	ROW_TREE(REFCBT, MAGIC(REFCOUNTBT_MAGIC), SHORT, BT_REFC, false),
	ROW(INODE, MAGIC_ALWAYS(DINODE_MAGIC, sizeof(be16_t)), HEADER(dinode_disk), INODE, UNKNOWN, true, decode_inode),
	ROW(DIR_BLOCK, MAGICS(DIR_MAGIC_BLOCK), DIR, DIR_BLOCK, DIR_BLOCK, true, decode_dir),
	ROW(DIR_DATA, MAGICS(DIR_MAGIC_DATA), DIR, DIR_BLOCK, DIR_DATA, true, decode_dir),
	ROW(DIR_LEAF, MAGICS_DA(DA_MAGIC_DIR_LEAF1), DA, DIR_BLOCK, DIR_LEAF1, false, decode_dir),
	ROW(DIR_LEAF, MAGICS_DA(DA_MAGIC_DIR_LEAFN), DA, DIR_BLOCK, DIR_LEAFN, false, decode_dir),
	ROW(DIR_FREE, MAGICS(DIR_MAGIC_FREE), DIR, DIR_BLOCK, DIR_FREE, false, decode_dir),
	ROW(ATTR_LEAF, MAGICS_DA(DA_MAGIC_ATTR_LEAF), DA, BLOCK, ATTR_LEAF, true, decode_attr),
	ROW(DA_NODE, MAGICS_DA(DA_MAGIC_NODE), DA, DA_BLOCK, DA_NODE, false, decode_node),
	ROW(ATTR_REMOTE, MAGIC(DA_MAGIC_ATTR_VALUE), V5_HEADER(attr_remote_disk, ), BLOCK, ATTR_REMOTE, true, decode_attr),
	ROW_TREE(BMBT, MAGICS(BMBT_MAGIC), LONG, BT_BMAP, true),
	ROW(SYMLINK, MAGIC(SYMLINK_MAGIC), V5_HEADER(symlink_disk, ), EXTENT, SYMLINK, true, NULL),
	ROW(RTSB, MAGIC(RTSB_MAGIC), HEADER_RTSB, BLOCK, UNKNOWN, false, decode_rtsb),
	ROW(RTBITMAP, MAGIC(RTBITMAP_MAGIC), V5_HEADER(rt_header_disk, ), BLOCK, RTBITMAP, false, decode_rt_words),
	ROW(RTSUMMARY, MAGIC(RTSUMMARY_MAGIC), V5_HEADER(rt_header_disk, ), BLOCK, RTSUMMARY, false, decode_rt_words),
	ROW_TREE(RTRMAPBT, MAGIC(RTRMAPBT_MAGIC), LONG, BT_RTRMAP, false),
	ROW_TREE(RTREFCBT, MAGIC(RTREFCOUNTBT_MAGIC), LONG, BT_RTREFC, false),
	ROW(QUOTA_USER, MAGIC_DQUOT, HEADER(dquot_disk), BLOCK, UNKNOWN, true, decode_dquots),
	ROW(QUOTA_GROUP, MAGIC_DQUOT, HEADER(dquot_disk), BLOCK, UNKNOWN, true, decode_dquots),
	ROW(QUOTA_PROJECT, MAGIC_DQUOT, HEADER(dquot_disk), BLOCK, UNKNOWN, true, decode_dquots),
	/* clang-format on */
};

/* ---- access to the table ---- */

const struct object_kind *object_kind(enum object object)
{
	for (size_t i = 0; i < OBJECT_KINDS; i++)
		if (object_kinds[i].object == object)
			return &object_kinds[i];
	return NULL;
}

static bool is_dir_data(enum object object)
{
	return object == OBJ_DIR_BLOCK || object == OBJ_DIR_DATA;
}

static bool may_be_named(const struct object_kind *kind, enum object object)
{
	return kind->object == object || (is_dir_data(kind->object) && is_dir_data(object)) ||
	       (object == OBJ_ATTR_LEAF && (kind->object == OBJ_DA_NODE || kind->object == OBJ_ATTR_REMOTE));
}

const struct object_kind *object_next(enum object object, const struct object_kind *before)
{
	for (const struct object_kind *kind = before ? before + 1 : object_kinds; kind < object_kinds + OBJECT_KINDS;
	     kind++)
		if (may_be_named(kind, object))
			return kind;
	return NULL;
}

const struct object_kind *object_of_sector(enum ag_sector sector)
{
	const struct object_kind *kind = object_kinds;

	while (kind->sector != sector)
		kind++;
	return kind;
}

enum object object_of_btree(enum btree_kind tree)
{
	const struct object_kind *kind = object_kinds;

	while (kind->tree != tree)
		kind++;
	return kind->object;
}

size_t object_bytes(const struct geometry *g, const struct object_kind *kind, const struct place *place)
{
	switch (kind->size) {
	case SIZE_SECTOR:
		return g->sector_size;
	case SIZE_DIR_BLOCK:
		return g->dir_block_size;
	case SIZE_DA_BLOCK:
		return in_dir_index(g, place) ? g->dir_block_size : g->block_size;
	case SIZE_INODE:
		return g->inode_size;
	case SIZE_EXTENT:
		return 0;
	default:
		return g->block_size;
	}
}

/* True if the file offset is valid: blocks of directories, attributes and symlinks have 32-bit offsets. */
static bool fileoff_possible(const struct object_kind *kind, const struct place *place)
{
	return kind->at.owner_bytes != sizeof(be64_t) || kind->tree != BT_NR || place->fileoff.v <= UINT32_MAX;
}

bool object_offset(const struct geometry *g, const struct object_kind *kind, const struct place *place,
		   uint64_t *ret_offset)
{
	bool possible;

	if (kind->size == SIZE_SECTOR) {
		possible = place->agno.v < g->agcount;
		*ret_offset = possible ? ag_sector_offset(g, place->agno, kind->sector) : 0;
	} else if (kind->size == SIZE_INODE) {
		possible = ino_valid(g, place->ino);
		*ret_offset = possible ? bytes_of_ino(g, place->ino) : 0;
	} else {
		possible = agbno_valid(g, place->agno, place->agbno) && fileoff_possible(kind, place);
		*ret_offset = possible ? bytes_of_daddr(daddr_of(g, place->agno, place->agbno)) : 0;
	}
	return possible;
}

static uint32_t magic_of(const struct geometry *g, const struct object_kind *kind)
{
	return g->crc ? kind->magic : kind->magic_v4;
}

static inline bool has_magic(const struct geometry *g, const struct object_kind *kind, const uint8_t *bytes)
{
	const uint32_t magic = magic_of(g, kind);
	const void *at = bytes + kind->magic_offset;

	return magic && magic == (kind->magic_width == sizeof(be32_t) ? be32_get(*(const be32_t *)at)
								      : be16_get(*(const be16_t *)at));
}

bool object_has_magic(const struct geometry *g, const struct object_kind *kind, const uint8_t *bytes)
{
	return has_magic(g, kind, bytes);
}

const struct object_kind *object_logged_as(const struct geometry *g, const uint8_t *bytes)
{
	for (size_t i = 0; i < OBJECT_KINDS; i++)
		if (object_kinds[i].logged != LB_UNKNOWN && has_magic(g, &object_kinds[i], bytes))
			return &object_kinds[i];
	return NULL;
}

bool object_put_magic(const struct geometry *g, const struct object_kind *kind, uint8_t *bytes)
{
	const uint32_t magic = magic_of(g, kind);

	for (unsigned i = 0; i < kind->magic_width && magic; i++)
		bytes[kind->magic_offset + i] = (uint8_t)(magic >> 8 * (kind->magic_width - 1 - i));
	return magic != 0;
}

static void count_problem(void *ctx, const struct problem *problem)
{
	/* a block can be of this kind whatever its LSN and checksum */
	if (problem->finding != F_BLOCK_CRC && problem->finding != F_BLOCK_LSN)
		++*(unsigned *)ctx;
}

bool object_decodes(const struct geometry *g, const struct object_kind *kind, const uint8_t *bytes,
		    const struct object_at *at)
{
	unsigned problems = 0;
	const struct check check = { g, count_problem, &problems };

	return kind->decode && object_has_magic(g, kind, bytes) && kind->decode(&check, kind, bytes, at) && !problems;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes and builds the AGF (ondisk 02).  Checks number and length of the AG, roots and heights of its four block
 * btrees, and ranges of the free list and of counters.  The exact values of counters are known only when the btrees
 * have been read.
 */
#include "ag_header.h"
#include "disk/agf.h"
#include "disk/agfl.h"
#include "libxfs/ag.h"
#include "libxfs/crc.h"
#include "libxfs/v5.h"

#define AGF_OFFSET(field) ((uint32_t)offsetof(struct agf_disk, field))

static const struct ag_header_tree trees[] = {
	{ BT_BNO, AGF_OFFSET(bno_root), AGF_OFFSET(bno_level), F_AGF_BNO_ROOT, F_AGF_BNO_LEVEL },
	{ BT_CNT, AGF_OFFSET(cnt_root), AGF_OFFSET(cnt_level), F_AGF_CNT_ROOT, F_AGF_CNT_LEVEL },
	{ BT_RMAP, AGF_OFFSET(rmap_root), AGF_OFFSET(rmap_level), F_AGF_RMAP_ROOT, F_AGF_RMAP_LEVEL },
	{ BT_REFC, AGF_OFFSET(refcount_root), AGF_OFFSET(refcount_level), F_AGF_REFCOUNT_ROOT, F_AGF_REFCOUNT_LEVEL },
};

static bool has_tree(const struct geometry *g, enum btree_kind kind)
{
	return kind == BT_RMAP ? g->rmapbt : kind == BT_REFC ? g->reflink : true;
}

static void decode_trees(const struct check *c, const struct agf_disk *disk, agno_t agno, struct agf *agf)
{
	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		enum btree_kind kind = trees[i].kind;

		if (has_tree(c->geo, kind))
			agf->root_ok[kind] =
				ag_header_tree(c, disk, agno, &trees[i], &agf->root[kind], &agf->level[kind]);
	}
}

/* The active part is flfirst to fllast, modulo the ring; both are meaningless if flcount is 0. */
static uint32_t active_slots(const struct agf *agf, uint32_t slots)
{
	if (agf->flcount == 0)
		return 0;
	if (agf->fllast >= agf->flfirst)
		return agf->fllast - agf->flfirst + 1;
	return slots - agf->flfirst + agf->fllast + 1;
}

/* Checks the fields of the free list: invariant 2, for the AGF. */
static void decode_freelist(const struct check *c, const struct agf_disk *disk, struct agf *agf)
{
	uint32_t slots = agfl_slots(c->geo->crc, c->geo->sector_size);

	agf->flfirst = be32_get(disk->flfirst);
	agf->fllast = be32_get(disk->fllast);
	agf->flcount = be32_get(disk->flcount);
	agf->freelist_ok = true;
	if (agf->flfirst >= slots)
		agf->freelist_ok = problem(c, F_AGF_FLFIRST, AGF_OFFSET(flfirst), agf->flfirst, slots);
	if (agf->fllast >= slots)
		agf->freelist_ok = problem(c, F_AGF_FLLAST, AGF_OFFSET(fllast), agf->fllast, slots);
	if (agf->freelist_ok)
		agf->freelist_ok =
			check_eq(c, F_AGF_FLCOUNT, AGF_OFFSET(flcount), agf->flcount, active_slots(agf, slots));
}

/* Checks the ranges of counters: invariant 4, within one sector. */
static void decode_counters(const struct check *c, const struct agf_disk *disk, uint32_t data_blocks, struct agf *agf)
{
	const struct geometry *g = c->geo;

	agf->freeblks = be32_get(disk->freeblks);
	agf->longest = be32_get(disk->longest);
	agf->btreeblks = be32_get(disk->btreeblks);
	if (ag_header_at_most(c, F_AGF_FREEBLKS, AGF_OFFSET(freeblks), agf->freeblks, data_blocks) &&
	    (agf->longest > agf->freeblks || (agf->longest == 0) != (agf->freeblks == 0)))
		problem(c, F_AGF_LONGEST, AGF_OFFSET(longest), agf->longest, agf->freeblks);
	/* without lazysbcount the kernel does not maintain this counter */
	if (g->lazysbcount)
		ag_header_at_most(c, F_AGF_BTREEBLKS, AGF_OFFSET(btreeblks), agf->btreeblks, data_blocks);
	if (g->rmapbt) {
		agf->rmap_blocks = be32_get(disk->rmap_blocks);
		ag_header_at_most(c, F_AGF_RMAP_BLOCKS, AGF_OFFSET(rmap_blocks), agf->rmap_blocks, data_blocks);
	}
	if (g->reflink) {
		agf->refcount_blocks = be32_get(disk->refcount_blocks);
		ag_header_at_most(c, F_AGF_REFCOUNT_BLOCKS, AGF_OFFSET(refcount_blocks), agf->refcount_blocks,
				  data_blocks);
	}
}

/* Checks that unused bytes, and fields of btrees that the file system does not have, are zero: invariant 7. */
static void check_unused(const struct check *c, const struct agf_disk *disk)
{
	const struct geometry *g = c->geo;

	if (!g->rmapbt) {
		check_eq(c, F_AGF_UNUSED, AGF_OFFSET(rmap_root), be32_get(disk->rmap_root), 0);
		check_eq(c, F_AGF_UNUSED, AGF_OFFSET(rmap_level), be32_get(disk->rmap_level), 0);
		check_eq(c, F_AGF_UNUSED, AGF_OFFSET(rmap_blocks), be32_get(disk->rmap_blocks), 0);
	}
	if (!g->reflink) {
		check_eq(c, F_AGF_UNUSED, AGF_OFFSET(refcount_root), be32_get(disk->refcount_root), 0);
		check_eq(c, F_AGF_UNUSED, AGF_OFFSET(refcount_level), be32_get(disk->refcount_level), 0);
		check_eq(c, F_AGF_UNUSED, AGF_OFFSET(refcount_blocks), be32_get(disk->refcount_blocks), 0);
	}
	/* the fields of version 4 end before the uuid */
	if (!g->crc)
		ag_header_zero(c, F_AGF_SPARE, disk, AGF_OFFSET(uuid), AGF_OFFSET(rmap_blocks));
	ag_header_zero(c, F_AGF_SPARE, disk, AGF_OFFSET(spare64), g->crc ? AGF_OFFSET(lsn) : AGF_OFFSET(spare2));
	ag_header_zero(c, F_AGF_SPARE, disk, AGF_OFFSET(spare2), g->sector_size);
}

bool agf_decode(const struct check *c, const void *sector, agno_t agno, struct agf *ret_agf)
{
	const struct agf_disk *disk = sector;
	const struct geometry *g = c->geo;
	uint32_t length = ag_length(g, agno);
	struct agf agf = { 0 };

	if (!check_eq(c, F_BLOCK_MAGIC, AGF_OFFSET(magicnum), be32_get(disk->magicnum), AGF_MAGIC))
		return false;
	if (g->crc) {
		crc_check(c, sector, g->sector_size, AGF_OFFSET(crc));
		v5_check_uuid(c, disk->uuid, AGF_OFFSET(uuid));
		v5_check_lsn(c, be64_get(disk->lsn), AGF_OFFSET(lsn));
	}
	check_eq(c, F_AGF_VERSIONNUM, AGF_OFFSET(versionnum), be32_get(disk->versionnum), AGF_VERSION);
	check_eq(c, F_AGF_SEQNO, AGF_OFFSET(seqno), be32_get(disk->seqno), agno.v);
	check_eq(c, F_AGF_LENGTH, AGF_OFFSET(length), be32_get(disk->length), length);
	decode_trees(c, disk, agno, &agf);
	decode_freelist(c, disk, &agf);
	decode_counters(c, disk, length - g->first_data_agbno, &agf);
	check_unused(c, disk);
	*ret_agf = agf;
	return true;
}

void agf_encode(const struct geometry *g, agno_t agno, const struct agf *agf, void *sector)
{
	struct agf_disk *disk = sector;

	memset(sector, 0, g->sector_size);
	disk->magicnum = be32_put(AGF_MAGIC);
	disk->versionnum = be32_put(AGF_VERSION);
	disk->seqno = be32_put(agno.v);
	disk->length = be32_put(ag_length(g, agno));
	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++)
		if (has_tree(g, trees[i].kind))
			ag_header_put_tree(sector, &trees[i], agf->root[trees[i].kind], agf->level[trees[i].kind]);
	disk->flfirst = be32_put(agf->flfirst);
	disk->fllast = be32_put(agf->fllast);
	disk->flcount = be32_put(agf->flcount);
	disk->freeblks = be32_put(agf->freeblks);
	disk->longest = be32_put(agf->longest);
	disk->btreeblks = be32_put(agf->btreeblks);
	if (g->rmapbt)
		disk->rmap_blocks = be32_put(agf->rmap_blocks);
	if (g->reflink)
		disk->refcount_blocks = be32_put(agf->refcount_blocks);
	if (!g->crc)
		return;
	memcpy(disk->uuid, g->meta_uuid, sizeof(disk->uuid));
	crc_store(sector, g->sector_size, AGF_OFFSET(crc));
}

void agf_set_freelist(struct agf *agf, uint32_t count)
{
	/* an empty list looks as if its only block had just been taken, as in mkfs */
	agf->flfirst = count ? 0 : 1;
	agf->fllast = count ? count - 1 : 0;
	agf->flcount = count;
}

/* The number of blocks needed to split every level of a btree twice, with a new root. */
static uint32_t blocks_to_split(const struct geometry *g, const struct agf *agf, enum btree_kind kind)
{
	uint32_t level = agf->level[kind] + 1;

	if (level > g->btree[kind].max_level)
		level = g->btree[kind].max_level;
	return level ? 2 * level - 2 : 0;
}

uint32_t agf_least_freelist(const struct geometry *g, const struct agf *agf)
{
	return blocks_to_split(g, agf, BT_BNO) + blocks_to_split(g, agf, BT_CNT) +
	       (g->rmapbt ? blocks_to_split(g, agf, BT_RMAP) : 0);
}

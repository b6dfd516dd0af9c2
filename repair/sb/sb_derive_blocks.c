/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds sizes and btrees if the headers of the first AG are lost as well (version 5).  The witnesses are blocks of
 * btrees with their AG and address, and inodes with their number (ondisk 03, 04).  The whole device is read for them.
 * The AG size is the one with which they agree; or there is only one AG.  If the first AG's inobt is lost, too, the
 * lowest inode that was found counts as its first one.
 */
#include <stdlib.h>
#include <string.h>

#include "sb_derive.h"

#include "array.h"
#include "disk/alloc.h"
#include "disk/btree.h"
#include "disk/inobt.h"
#include "disk/inode.h"
#include "disk/refcountbt.h"
#include "disk/rmapbt.h"
#include "libxfs/ag.h"
#include "libxfs/btree.h"
#include "libxfs/crc.h"

#define WITNESSES (1u << 20) /* witnesses to keep; more only if most are blocks of btrees, which are all kept */
#define TRIES	  32u	     /* inodes from which an AG size is computed */
#define AGREE_NUM 9u	     /* of 10 witnesses, so many must agree */

struct witness {
	uint64_t at;	 /* its place, in bytes */
	uint64_t number; /* of the inode, or of the block's AG */
	bool inode;
};

struct survey {
	struct sb_derive *d;
	struct witness *v;
	size_t count, room;
	uint64_t inodes, step; /* inodes found; one in `step` is kept */
	uint64_t sized_at;     /* bytes: the block that determined the block size */
	uint8_t root_level;    /* of the root of the first AG's inobt found so far */
	bool again;	       /* the second pass, over everything before that block */
};

/* Returns the size, among powers of two, with which the checksum is right; 0: none. */
static uint32_t size_by_crc(const uint8_t *bytes, uint32_t room, uint32_t from, uint32_t to, size_t crc)
{
	for (uint32_t size = from; size <= to && size <= room; size *= 2)
		if (crc_is_right(bytes, size, crc))
			return size;
	return 0;
}

/* Drops every other inode from the witnesses. */
static void thin_out(struct survey *s)
{
	size_t kept = 0, inodes = 0;

	for (size_t i = 0; i < s->count; i++)
		if (!s->v[i].inode || inodes++ % 2 == 0)
			s->v[kept++] = s->v[i];
	s->count = kept;
	s->step *= 2;
}

static void add_witness(struct survey *s, uint64_t at, uint64_t number, bool inode)
{
	if (inode && s->inodes++ % s->step)
		return;
	if (inode && s->count >= WITNESSES)
		thin_out(s);
	if (array_add(s->v, s->room, s->count, (struct witness){ at, number, inode }))
		s->d->no_memory = true;
}

/* Keeps the log's record, if this leaf of an rmapbt has it. */
static void take_log(struct survey *s, const struct btree_short_disk *head)
{
	const struct rmap_rec_disk *r = (const struct rmap_rec_disk *)(head + 1);
	const uint32_t most = (s->d->block_size - (uint32_t)sizeof(*head)) / (uint32_t)sizeof(*r);

	if (be16_get(head->level) != 0)
		return;
	for (uint32_t i = 0; i < be16_get(head->numrecs) && i < most; i++) {
		if (be64_get(r[i].owner) != OWNER_LOG)
			continue;
		s->d->log_agno = be32_get(head->owner);
		s->d->log_record = r[i];
	}
}

/* Notes whether records of a leaf of an inobt or finobt have the form of sparse chunks, with a count of inodes. */
static void take_chunk(struct sb_derive *d, const struct btree_short_disk *head)
{
	const struct inobt_rec_disk *r = (const struct inobt_rec_disk *)(head + 1);

	if (be16_get(head->level) != 0 || be16_get(head->numrecs) == 0)
		return;
	d->chunks_seen = true;
	d->sparse_seen |= r->sparse.count != 0;
}

/*
 * Notes which btrees exist, and the root of the first AG's inobt: a block without siblings, and of several the one with
 * the highest level, since there may be old roots that the tree has outgrown.
 */
static void take_root(struct survey *s, const struct btree_short_disk *head, uint64_t at)
{
	struct sb_derive *d = s->d;
	const be32_t agbno = be32_put((uint32_t)(at / d->block_size));
	const uint16_t level = be16_get(head->level);

	switch (be32_get(head->magic)) {
	case FINOBT_MAGIC:
		d->agi.free_root = be32_put(1); /* here and below, only its existence matters */
		take_chunk(d, head);
		break;
	case RMAPBT_MAGIC:
		d->agf.rmap_root = be32_put(1);
		take_log(s, head);
		break;
	case REFCOUNTBT_MAGIC:
		d->agf.refcount_root = be32_put(1);
		break;
	case INOBT_MAGIC:
		take_chunk(d, head);
		if (be32_get(head->owner) != 0 || be32_get(head->leftsib) != UINT32_MAX ||
		    be32_get(head->rightsib) != UINT32_MAX || level < s->root_level || be16_get(head->numrecs) == 0)
			break;
		s->root_level = (uint8_t)level;
		d->agi.root = agbno;
		break;
	default:
		break;
	}
}

static bool is_tree(uint32_t magic)
{
	return magic == INOBT_MAGIC || magic == FINOBT_MAGIC || magic == RMAPBT_MAGIC || magic == REFCOUNTBT_MAGIC ||
	       magic == BNOBT_MAGIC || magic == CNTBT_MAGIC;
}

/* Examines a possible block of a btree.  The first sound one determines the block size and the uuid. */
static void see_block(struct survey *s, const uint8_t *bytes, uint32_t room, uint64_t at)
{
	const struct btree_short_disk *head = (const struct btree_short_disk *)bytes;
	const size_t crc = offsetof(struct btree_short_disk, crc);
	struct sb_derive *d = s->d;

	if (!is_tree(be32_get(head->magic)) || be64_get(head->blkno) != at >> SECTOR_LOG)
		return;
	if (!d->block_size) {
		d->block_size = size_by_crc(bytes, room, SB_MIN_BLOCK_V5, SB_MAX_BLOCK, crc);
		memcpy(d->agi.uuid, head->uuid, sizeof(d->agi.uuid));
		s->sized_at = at;
	} else if (at % d->block_size || room < d->block_size || !crc_is_right(bytes, d->block_size, crc)) {
		return;
	}
	if (!d->block_size || memcmp(d->agi.uuid, head->uuid, sizeof(head->uuid)) != 0)
		return;
	add_witness(s, at, be32_get(head->owner), false);
	take_root(s, head, at);
}

/* Examines a possible inode at the start of a block. */
static void see_inode(struct survey *s, const uint8_t *bytes, uint32_t room, uint64_t at)
{
	const struct dinode_disk *inode = (const struct dinode_disk *)bytes;
	const size_t crc = offsetof(struct dinode_disk, crc);
	struct sb_derive *d = s->d;

	/* one inode of each block is enough */
	if (!d->block_size || at % d->block_size || be16_get(inode->magic) != DINODE_MAGIC ||
	    memcmp(d->agi.uuid, inode->uuid, sizeof(inode->uuid)) != 0)
		return;
	if (!d->inode_size)
		d->inode_size = size_by_crc(bytes, room, SB_MIN_INODE_V5, SB_MAX_INODE, crc);
	if (!d->inode_size || room < d->inode_size || !crc_is_right(bytes, d->inode_size, crc))
		return;
	if (!s->again) /* the second pass is only for the lowest inode */
		add_witness(s, at, be64_get(inode->ino), true);
	if (be64_get(inode->ino) < d->lowest_inode)
		d->lowest_inode = be64_get(inode->ino);
}

static bool see(void *ctx, const uint8_t *bytes, uint32_t room, uint64_t at)
{
	struct survey *s = ctx;

	if (!s->again)
		see_block(s, bytes, room, at);
	see_inode(s, bytes, room, at);
	return !s->d->no_memory;
}

/* Reads the whole device, then again the part before the block that determined the block size, for the root inode. */
static void read_all(struct survey *s)
{
	sb_derive_scan(s->d, device_bytes(s->d->device), SB_MIN_BLOCK_V5, see, s);
	s->again = true;
	if (!s->d->no_memory && s->d->block_size)
		sb_derive_scan(s->d, s->sized_at, SB_MIN_BLOCK_V5, see, s);
}

/* ---- the AG size ---- */

/* The parts of an inode number, AG, block and index, and the AG size. */
struct split {
	uint32_t agblocks;
	uint8_t agblock_log, inopb_log;
};

static uint64_t ag_of(const struct split *split, uint64_t ino)
{
	return ino >> (split->agblock_log + split->inopb_log);
}

static uint64_t agbno_of(const struct split *split, uint64_t ino)
{
	return (ino >> split->inopb_log) & ((1ull << split->agblock_log) - 1);
}

/* True if a witness is at the place of its number, with this AG size. */
static bool agrees(const struct split *split, const struct witness *w, uint32_t block_size)
{
	const uint64_t block = w->at / block_size;

	if (!w->inode)
		return block / split->agblocks == w->number;
	return agbno_of(split, w->number) < split->agblocks &&
	       ag_of(split, w->number) * split->agblocks + agbno_of(split, w->number) == block;
}

static size_t count_agreeing(const struct survey *s, const struct split *split)
{
	size_t count = 0;

	for (size_t i = 0; i < s->count; i++)
		count += agrees(split, &s->v[i], s->d->block_size);
	return count;
}

/*
 * Computes the AG size with which an inode behind the first AG is at the place of its number, for the
 * split->agblock_log given.  False: there is no such size.
 */
static bool split_by(const struct survey *s, const struct witness *w, struct split *split)
{
	const uint64_t block = w->at / s->d->block_size, agno = ag_of(split, w->number);
	const uint64_t agbno = agbno_of(split, w->number), size = agno && block >= agbno ? (block - agbno) / agno : 0;

	if (!w->inode || !size || size * agno + agbno != block || size > UINT32_MAX || size < SB_MIN_AG_BLOCKS)
		return false;
	split->agblocks = (uint32_t)size;
	return 32 - __builtin_clz(split->agblocks - 1) == split->agblock_log;
}

/* Finds the size with which most witnesses agree.  False: these are too few. */
static bool find_size(const struct survey *s, struct split *ret)
{
	const uint32_t per_block = s->d->inode_size ? s->d->block_size / s->d->inode_size : 0;
	size_t most = 0, tries = 0;

	/* the last ones are in the last AGs */
	for (size_t i = s->count; i-- > 0 && per_block && tries < TRIES;) {
		struct split split = { .inopb_log = (uint8_t)__builtin_ctz(per_block) };
		bool any = false;

		for (split.agblock_log = 6; split.agblock_log < 32; split.agblock_log++) {
			size_t agreeing;

			if (!split_by(s, &s->v[i], &split))
				continue;
			any = true;
			agreeing = count_agreeing(s, &split);
			if (agreeing > most) {
				most = agreeing;
				*ret = split;
			}
		}
		tries += any;
		if (most * 10 >= s->count * AGREE_NUM)
			break;
	}
	return most && most * 10 >= s->count * AGREE_NUM;
}

/*
 * True if there is only one AG, which ends with the device: then all btrees belong to AG 0, and inodes are at the
 * places of their numbers, without a gap.
 */
static bool is_one(const struct survey *s, struct split *ret)
{
	const uint32_t per_block = s->d->inode_size ? s->d->block_size / s->d->inode_size : 0;
	const uint64_t blocks = s->d->block_size ? device_bytes(s->d->device) / s->d->block_size : 0;
	bool trees = false;

	if (!per_block || blocks < SB_MIN_AG_BLOCKS || blocks * s->d->block_size > SB_MAX_AG_BYTES)
		return false;
	for (size_t i = 0; i < s->count; i++) {
		trees |= !s->v[i].inode;
		if (!s->v[i].inode && s->v[i].number)
			return false;
	}
	ret->agblocks = (uint32_t)blocks;
	ret->agblock_log = (uint8_t)(32 - __builtin_clz(ret->agblocks - 1));
	ret->inopb_log = (uint8_t)__builtin_ctz(per_block);
	return trees && count_agreeing(s, ret) * 10 >= s->count * AGREE_NUM;
}

/*
 * Returns the sector size.  With small sectors the headers fill fewer blocks, and the blocks behind them are in use in
 * some AG.  So sectors are large if no witness is in the blocks of the headers of large sectors.
 */
static uint32_t sector_size(const struct survey *s, const struct split *split)
{
	const uint32_t large = 4096;
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < s->count; i++) {
		uint64_t in_ag = s->v[i].at / s->d->block_size % split->agblocks;

		first = in_ag < first ? in_ag : first;
	}
	return s->d->block_size >= large && first > 3 * large / s->d->block_size ? large : SB_MIN_SECTOR;
}

/* Returns the last AG with blocks of btrees, which each AG has. */
static uint32_t last_ag(const struct survey *s, const struct split *split)
{
	uint64_t last = 0;

	for (size_t i = 0; i < s->count; i++)
		if (!s->v[i].inode && s->v[i].number > last && agrees(split, &s->v[i], s->d->block_size))
			last = s->v[i].number;
	return (uint32_t)last;
}

bool sb_derive_blocks(struct sb_derive *d)
{
	struct survey s = { .d = d, .step = 1 };
	struct split split = { 0 };
	bool done;

	d->block_size = 0;
	d->inode_size = 0;
	d->lowest_inode = UINT64_MAX;
	memset(&d->agi, 0, sizeof(d->agi));
	memset(&d->agf, 0, sizeof(d->agf));
	read_all(&s);
	done = !d->no_memory && (is_one(&s, &split) || find_size(&s, &split));
	if (done) {
		d->crc = true;
		d->witnesses = (unsigned)s.count;
		d->last_ag = last_ag(&s, &split);
		d->sector_size = sector_size(&s, &split);
		d->agi.length = be32_put(split.agblocks);
		d->agf.magicnum = be32_put(AGF_MAGIC);
	}
	free(s.v);
	return done;
}

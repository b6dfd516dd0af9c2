/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Derives a superblock from the rest of the device if none is left.  AG headers have the sizes and the existing btrees
 * (ondisk 02), the place of the inobt's root determines the block size, and inodes and the rmapbt have the rest.  If
 * the headers are lost, too, blocks of btrees are used instead (sb_derive_blocks.c).  Only data that mkfs and kernels
 * always write is used, and the result is judged like any other superblock.
 */
#include "sb_derive.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/btree.h"
#include "disk/inobt.h"
#include "disk/rmapbt.h"
#include "libxfs/ag.h"
#include "libxfs/btree.h"

/* Reads the data for the superblock. */

#define MAX_LEVELS 16 /* more than any btree has */
#define BUFFER	   (1u << 20)

bool sb_derive_read(struct sb_derive *d, void *buf, uint64_t offset, uint32_t len)
{
	return device_read(d->device, buf, offset, len) == 0;
}

bool sb_derive_agi(struct sb_derive *d, uint64_t ag_start, uint32_t agno, struct agi_disk *ret)
{
	return sb_derive_read(d, ret, ag_start + 2 * (uint64_t)d->sector_size, sizeof(*ret)) &&
	       be32_get(ret->magicnum) == AGI_MAGIC && be32_get(ret->seqno) == agno;
}

const uint8_t *sb_derive_first_leaf(struct sb_derive *d, uint64_t ag_start, uint32_t root, uint32_t magic,
				    uint32_t key_bytes, uint32_t *ret_numrecs)
{
	uint32_t head = d->crc ? sizeof(struct btree_short_disk) : BTREE_SHORT_SIZE_V4;
	uint32_t pointers = head + (d->block_size - head) / (key_bytes + 4) * key_bytes;
	uint32_t agbno = root;

	for (unsigned i = 0; i < MAX_LEVELS; i++) {
		const struct btree_short_disk *block = (const struct btree_short_disk *)d->block;
		be32_t pointer;

		if (!sb_derive_read(d, d->block, ag_start + (uint64_t)agbno * d->block_size, d->block_size) ||
		    be32_get(block->magic) != magic || be16_get(block->numrecs) == 0)
			return NULL;
		if (be16_get(block->level) == 0) {
			*ret_numrecs = be16_get(block->numrecs);
			return d->block + head;
		}
		memcpy(&pointer, d->block + pointers, sizeof(pointer));
		agbno = be32_get(pointer);
	}
	return NULL;
}

void sb_derive_scan(struct sb_derive *d, uint64_t end, uint32_t step, sb_derive_visit *visit, void *ctx)
{
	uint8_t *buffer = malloc(BUFFER);
	bool go_on = true;

	for (uint64_t start = 0; buffer && go_on && (start = device_next_data(d->device, start, BUFFER)) < end;
	     start += BUFFER) {
		const uint32_t len = end - start < BUFFER ? (uint32_t)(end - start) & ~(SECTOR_SIZE - 1) : BUFFER;

		if (!sb_derive_read(d, buffer, start, len))
			continue;
		for (uint32_t at = 0; at + step <= len && go_on; at += step)
			go_on = visit(ctx, buffer + at, len - at, start + at);
	}
	d->no_memory |= !buffer;
	free(buffer);
}

/* Puts the log into the superblock, from its rmapbt record in this AG. */

static void put_log(struct sb_derive *d, uint32_t agno, const struct rmap_rec_disk *r)
{
	d->sb->logstart = be64_put((uint64_t)agno << d->sb->agblklog | be32_get(r->startblock));
	d->sb->logblocks = r->blockcount;
}

/* Finds the log in the first leaf of an AG's rmapbt: mkfs puts it right behind the headers, or at the next stripe. */
static bool log_in_ag(struct sb_derive *d, uint32_t agno, uint64_t start)
{
	struct agf_disk agf;
	uint32_t numrecs;
	const uint8_t *records;

	if (!sb_derive_read(d, &agf, start + d->sector_size, sizeof(agf)) || be32_get(agf.magicnum) != AGF_MAGIC)
		return false;
	records = sb_derive_first_leaf(d, start, be32_get(agf.rmap_root), RMAPBT_MAGIC, sizeof(struct rmap_range_disk),
				       &numrecs);
	if (!records)
		return false;
	for (uint32_t i = 0; i < numrecs; i++) {
		const struct rmap_rec_disk *r = (const struct rmap_rec_disk *)records + i;

		if ((const uint8_t *)(r + 1) > d->block + d->block_size)
			return false;
		if (be64_get(r->owner) != OWNER_LOG)
			continue;
		put_log(d, agno, r);
		return true;
	}
	return false;
}

/* Sets the place of the log, by the rmapbt.  d->log_known: false if it is unknown. */
static void sb_derive_log(struct sb_derive *d)
{
	uint64_t ag_bytes = (uint64_t)be32_get(d->sb->agblocks) * d->block_size;
	uint32_t agcount = be32_get(d->sb->agcount);

	if (!(be32_get(d->sb->features_ro_compat) & SB_RO_COMPAT_RMAPBT))
		return;
	d->log_known = be32_get(d->log_record.blockcount) != 0;
	if (d->log_known)
		put_log(d, d->log_agno, &d->log_record);
	/* mkfs puts the log into an AG in the middle, so start there */
	for (uint32_t i = 0; i < agcount && !d->log_known; i++) {
		uint32_t agno = (agcount / 2 + i) % agcount;

		d->log_known = log_in_ag(d, agno, agno * ag_bytes);
	}
}

/* features without a trace outside of the superblock that all file systems of the version have */
#define VERSIONNUM_V4                                                                                                  \
	(SB_VERSION_4 | SB_VERSION_NLINK | SB_VERSION_ALIGN | SB_VERSION_LOGV2 | SB_VERSION_EXTFLG |                   \
	 SB_VERSION_DIRV2 | SB_VERSION_MOREBITS | SB_VERSION_ATTR)
#define VERSIONNUM_V5 (VERSIONNUM_V4 - SB_VERSION_4 + SB_VERSION_5)
#define FEATURES2     (SB_FEATURES2_LAZYSBCOUNT | SB_FEATURES2_ATTR2 | SB_FEATURES2_PROJID32)

static uint8_t log2_of(uint32_t power)
{
	return (uint8_t)__builtin_ctz(power);
}

/* Finds the first AGI, which is in the third sector of its AG, and so the sector size. */
static bool find_first_agi(struct sb_derive *d)
{
	for (uint32_t size = SB_MIN_SECTOR; size <= SB_MAX_SECTOR; size *= 2) {
		if (!sb_derive_read(d, &d->agi, 2 * (uint64_t)size, sizeof(d->agi)))
			continue;
		if (be32_get(d->agi.magicnum) == AGI_MAGIC && be32_get(d->agi.seqno) == 0 &&
		    be32_get(d->agi.length) >= SB_MIN_AG_BLOCKS) {
			d->sector_size = size;
			return true;
		}
	}
	return false;
}

/*
 * Finds the block size and the version: only with the right block size does the inobt's root have its magic number and,
 * in version 5, its own address.
 */
static bool find_block_size(struct sb_derive *d)
{
	uint32_t root = be32_get(d->agi.root);

	for (uint32_t size = SB_MIN_SECTOR; size <= SB_MAX_BLOCK; size *= 2) {
		struct btree_short_disk head;
		uint64_t at = (uint64_t)root * size;

		if (size < d->sector_size || (uint64_t)size * be32_get(d->agi.length) < SB_MIN_AG_BYTES ||
		    !sb_derive_read(d, &head, at, sizeof(head)))
			continue;
		d->crc = be32_get(head.magic) == INOBT_MAGIC;
		if (!d->crc && be32_get(head.magic) != INOBT_MAGIC_V4)
			continue;
		if (d->crc && be64_get(head.blkno) != at >> SECTOR_LOG)
			continue;
		d->block_size = size;
		return true;
	}
	return false;
}

/* Counts a header's uuid: d->uuid becomes the one that more than half of the headers have, if there is one. */
static void vote_uuid(struct sb_derive *d, const uint8_t uuid[16])
{
	if (!d->uuid_votes)
		memcpy(d->uuid, uuid, sizeof(d->uuid));
	if (memcmp(d->uuid, uuid, sizeof(d->uuid)) == 0)
		d->uuid_votes++;
	else
		d->uuid_votes--;
}

/* Returns the length of an AG in blocks by its AGF or AGI; 0 if both are lost.  Keeps the first AGF that is found. */
static uint32_t length_of_ag(struct sb_derive *d, uint64_t start, uint32_t agno)
{
	struct agf_disk agf;
	struct agi_disk agi;

	if (sb_derive_read(d, &agf, start + d->sector_size, sizeof(agf)) && be32_get(agf.magicnum) == AGF_MAGIC &&
	    be32_get(agf.seqno) == agno) {
		if (be32_get(d->agf.magicnum) != AGF_MAGIC)
			d->agf = agf;
		vote_uuid(d, agf.uuid);
		return be32_get(agf.length);
	}
	if (sb_derive_agi(d, start, agno, &agi)) {
		vote_uuid(d, agi.uuid);
		return be32_get(agi.length);
	}
	return 0;
}

/* Sets the sizes of AGs and of the file system: all AGs are as long as the first, except the last. */
static void find_groups(struct sb_derive *d)
{
	uint32_t agblocks = be32_get(d->agi.length), agcount = 1, last = agblocks;
	uint64_t ag_bytes = (uint64_t)agblocks * d->block_size, end = device_bytes(d->device);

	vote_uuid(d, d->agi.uuid);
	length_of_ag(d, 0, 0);
	for (uint32_t agno = 1; agno < end / ag_bytes + (end % ag_bytes != 0); agno++) {
		uint32_t length = length_of_ag(d, agno * ag_bytes, agno);

		/* an AG without headers has the usual length, or ends with the device */
		if (length == 0 && agno <= d->last_ag)
			length = (uint32_t)((end < (agno + 1) * ag_bytes ? end - agno * ag_bytes : ag_bytes) /
					    d->block_size);
		if (length < SB_MIN_AG_BLOCKS || length > agblocks)
			continue;
		agcount = agno + 1;
		last = length;
	}
	d->sb->agblocks = be32_put(agblocks);
	d->sb->agcount = be32_put(agcount);
	d->sb->dblocks = be64_put((uint64_t)(agcount - 1) * agblocks + last);
	d->sb->agblklog = (uint8_t)(32 - __builtin_clz(agblocks - 1));
}

/* Sets features by fields of AGF and AGI: existing btrees have roots, and with inobtcnt the AGI counts inobt blocks. */
static void set_tree_features(struct sb_derive *d)
{
	uint32_t bits = 0;

	if (!d->crc)
		return;
	if (be32_get(d->agi.free_root) != 0)
		bits |= SB_RO_COMPAT_FINOBT;
	if (be32_get(d->agi.iblocks) != 0)
		bits |= SB_RO_COMPAT_INOBTCNT;
	if (be32_get(d->agf.magicnum) == AGF_MAGIC && be32_get(d->agf.rmap_root) != 0)
		bits |= SB_RO_COMPAT_RMAPBT;
	if (be32_get(d->agf.magicnum) == AGF_MAGIC && be32_get(d->agf.refcount_root) != 0)
		bits |= SB_RO_COMPAT_REFLINK;
	d->sb->features_ro_compat = be32_put(bits);
}

static void set_sizes(struct sb_derive *d)
{
	struct sb_disk *sb = d->sb;
	uint32_t sectors = d->sector_size > SB_MIN_SECTOR ? SB_VERSION_SECTOR : 0;

	sb->magicnum = be32_put(SB_MAGIC);
	sb->blocksize = be32_put(d->block_size);
	sb->blocklog = log2_of(d->block_size);
	sb->sectsize = be16_put((uint16_t)d->sector_size);
	sb->sectlog = log2_of(d->sector_size);
	sb->versionnum = be16_put((uint16_t)((d->crc ? VERSIONNUM_V5 : VERSIONNUM_V4) | sectors));
	sb->features2 = be32_put(FEATURES2 | (d->crc ? SB_FEATURES2_CRC : 0));
	sb->bad_features2 = sb->features2;
	if (sectors) {
		sb->logsectsize = be16_put((uint16_t)d->sector_size);
		sb->logsectlog = log2_of(d->sector_size);
	}
	sb->logsunit = be32_put(1);
	sb->rextsize = be32_put(d->block_size < SB_MIN_REXT_BYTES ? SB_MIN_REXT_BYTES / d->block_size : 1);
	if (d->crc) {
		memcpy(sb->uuid, d->uuid_votes ? d->uuid : d->agi.uuid, sizeof(sb->uuid));
		sb->features_incompat = be32_put(SB_INCOMPAT_FTYPE);
	}
}

/* Finds the existing btrees and the log from other blocks, if all AGFs are lost. */
static void do_without_agf(struct sb_derive *d)
{
	struct sb_derive by_blocks = *d;

	const bool done = sb_derive_blocks(&by_blocks);

	d->no_memory |= by_blocks.no_memory;
	if (!done || by_blocks.block_size != d->block_size)
		return;
	d->agf = by_blocks.agf;
	d->log_agno = by_blocks.log_agno;
	d->log_record = by_blocks.log_record;
}

static bool derive(struct sb_derive *d, const char **ret_missing)
{
	const bool agi = find_first_agi(d);

	*ret_missing = agi ? "a sound root of the first AG's inobt" : NULL;
	if (!(agi && find_block_size(d)) && !sb_derive_blocks(d))
		return false;
	find_groups(d);
	if (d->crc && be32_get(d->agf.magicnum) != AGF_MAGIC)
		do_without_agf(d);
	set_sizes(d);
	set_tree_features(d);
	*ret_missing = "the first inodes";
	if (!sb_derive_inodes(d))
		return false;
	sb_derive_log(d);
	return true;
}

bool sb_derive(struct device *device, struct sb_derived *derived, int *ret_error)
{
	struct sb_derive d = { .device = device, .block = malloc(SB_DERIVE_BLOCK) };
	bool done;

	*ret_error = d.block ? 0 : -ENOMEM;
	if (!d.block)
		return false;
	memset(derived->sector, 0, SB_READ_BYTES);
	d.sb = (struct sb_disk *)derived->sector;
	done = derive(&d, &derived->missing) && !d.no_memory;
	if (d.no_memory) {
		*ret_error = -ENOMEM;
		derived->missing = NULL;
	}
	if (done) {
		sb_promote(derived->sector, (xino_t){ d.first_inode });
		sb_seal(derived->sector, d.sector_size);
	}
	derived->log_known = d.log_known;
	derived->witnesses = d.witnesses;
	free(d.block);
	return done;
}

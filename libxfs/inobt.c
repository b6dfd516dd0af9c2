/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes and builds records of the inobt and finobt: a chunk of 64 inode numbers, which of them don't exist (sparse
 * chunks), and which are free (ondisk 03).  The two counts, and the free bits of missing inodes, follow from the other
 * fields: a wrong one is reported and replaced by the right one.
 */
#include "disk/inobt.h"
#include "btree_type.h"

#define HOLEMASK_BITS (INODES_PER_CHUNK / INODES_PER_HOLEMASKBIT)

uint64_t inobt_existing(uint16_t holemask)
{
	uint64_t exist = 0;

	if (holemask == 0)
		return UINT64_MAX;
	for (unsigned bit = 0; bit < HOLEMASK_BITS; bit++)
		if (!(holemask >> bit & 1))
			exist |= 0xfull << bit * INODES_PER_HOLEMASKBIT;
	return exist;
}

/* True if the hole mask is valid: each sparse allocation unit exists as a whole or not at all, and one exists. */
static bool holemask_possible(const struct geometry *g, uint16_t holemask)
{
	uint64_t unit_inodes = (uint64_t)g->sparse_align << g->inopb_log;
	unsigned bits = HOLEMASK_BITS;
	uint16_t unit;

	if (holemask == 0)
		return true;
	if (holemask == UINT16_MAX)
		return false;
	if (unit_inodes < INODES_PER_CHUNK)
		bits = (unsigned)unit_inodes / INODES_PER_HOLEMASKBIT;
	if (bits <= 1)
		return true;
	unit = (uint16_t)((1u << bits) - 1);
	for (unsigned bit = 0; bit < HOLEMASK_BITS; bit += bits)
		if ((holemask >> bit & unit) != 0 && (holemask >> bit & unit) != unit)
			return false;
	return true;
}

/* Checks the place of a chunk: ondisk 00, section 1 (range) and 03 (alignment). */
static bool check_startino(const struct btree_slot *slot, agino_t start)
{
	const struct geometry *g = slot->c->geo;
	const size_t field = offsetof(struct inobt_rec_disk, startino);
	uint64_t align_blocks = g->cluster_align;
	uint64_t align = align_blocks << g->inopb_log;
	uint64_t first_block = (g->first_data_agbno + align_blocks - 1) / align_blocks * align_blocks;
	uint64_t end_block = slot->end_block / align_blocks * align_blocks;
	uint64_t first = first_block << g->inopb_log;
	uint64_t end = end_block << g->inopb_log;

	if (start.v < first)
		return btree_slot_problem(slot, F_INOBT_STARTINO, field, start.v, first);
	if (start.v + (uint64_t)INODES_PER_CHUNK > end)
		return btree_slot_problem(slot, F_INOBT_STARTINO, field, start.v, end - INODES_PER_CHUNK);
	/* if a block holds several chunks, only the first one is aligned to the block */
	if (align > INODES_PER_CHUNK)
		align = INODES_PER_CHUNK;
	if (start.v % align != 0)
		return btree_slot_problem(slot, F_INOBT_ALIGN, field, start.v, align);
	return true;
}

/* Checks the counts and the hole mask.  freecount: as stored; its field is wider without sparse chunks. */
static bool check_counts(const struct btree_slot *slot, struct inobt_record *inobt, uint32_t freecount)
{
	bool sparse = slot->c->geo->sparse;
	uint64_t exist = inobt_existing(inobt->holemask);
	unsigned count = (unsigned)__builtin_popcountll(exist);
	unsigned free = (unsigned)__builtin_popcountll(inobt->free & exist);
	bool count_ok = inobt->count == count;
	bool holes_ok = (inobt->free | exist) == UINT64_MAX;
	bool free_ok = freecount == free;

	/* if only the count is wrong, mask and free bits still agree; a wrong mask contradicts both */
	if (!holemask_possible(slot->c->geo, inobt->holemask) || (!count_ok && !(holes_ok && free_ok)))
		return btree_slot_problem(slot, F_INOBT_HOLEMASK, offsetof(struct inobt_rec_disk, sparse.holemask),
					  inobt->holemask, 0);
	if (!count_ok)
		btree_slot_problem(slot, F_INOBT_COUNT, offsetof(struct inobt_rec_disk, sparse.count), inobt->count,
				   count);
	if (!holes_ok)
		btree_slot_problem(slot, F_INOBT_HOLE_IN_USE, offsetof(struct inobt_rec_disk, free), inobt->free,
				   inobt->free | ~exist);
	if (!free_ok)
		btree_slot_problem(slot, F_INOBT_FREECOUNT,
				   sparse ? offsetof(struct inobt_rec_disk, sparse.freecount)
					  : offsetof(struct inobt_rec_disk, freecount),
				   freecount, free);
	inobt->count = (uint8_t)count;
	inobt->free |= ~exist;
	inobt->freecount = (uint8_t)free;
	return true;
}

bool inobt_record(const struct btree_slot *slot, struct btree_item *ret_item)
{
	const struct inobt_rec_disk *disk = (const struct inobt_rec_disk *)slot->bytes;
	struct inobt_record *inobt = &ret_item->record.inobt;
	uint32_t freecount;

	inobt->start.v = be32_get(disk->startino);
	inobt->free = be64_get(disk->free);
	if (slot->c->geo->sparse) {
		inobt->holemask = be16_get(disk->sparse.holemask);
		inobt->count = disk->sparse.count;
		freecount = disk->sparse.freecount;
	} else {
		inobt->holemask = 0;
		inobt->count = INODES_PER_CHUNK;
		freecount = be32_get(disk->freecount);
	}
	if (!check_startino(slot, inobt->start) || !check_counts(slot, inobt, freecount))
		return false;

	ret_item->key = (struct btkey){ { inobt->start.v } };
	ret_item->end = inobt->start.v + (uint64_t)INODES_PER_CHUNK;
	ret_item->shareable = false;
	return true;
}

bool finobt_record(const struct btree_slot *slot, struct btree_item *ret_item)
{
	if (!inobt_record(slot, ret_item))
		return false;
	/* the finobt has no records of chunks without free inodes */
	if (ret_item->record.inobt.freecount == 0)
		return btree_slot_problem(slot, F_FINOBT_FULL, offsetof(struct inobt_rec_disk, free), 0, 1);
	return true;
}

void inobt_key(const uint8_t *bytes, struct btkey *ret_low, struct btkey *ret_high)
{
	const struct inobt_key_disk *disk = (const struct inobt_key_disk *)bytes;

	(void)ret_high;
	*ret_low = (struct btkey){ { be32_get(disk->startino) } };
}

void inobt_encode(const struct geometry *g, struct btree_item *item, uint8_t *bytes)
{
	const struct inobt_record *inobt = &item->record.inobt;
	struct inobt_rec_disk disk = { .startino = be32_put(inobt->start.v), .free = be64_put(inobt->free) };

	if (g->sparse) {
		disk.sparse.holemask = be16_put(inobt->holemask);
		disk.sparse.count = inobt->count;
		disk.sparse.freecount = inobt->freecount;
	} else {
		disk.freecount = be32_put(inobt->freecount);
	}
	memcpy(bytes, &disk, sizeof(disk));
	item->key = (struct btkey){ { inobt->start.v } };
}

void inobt_encode_key(const struct btkey *low, const struct btkey *high, uint8_t *bytes)
{
	const struct inobt_key_disk disk = { be32_put((uint32_t)low->k[0]) };

	(void)high;
	memcpy(bytes, &disk, sizeof(disk));
}

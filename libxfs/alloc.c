/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes and builds records of the free-space btrees: the same free extents, sorted by block in the bnobt and by size
 * in the cntbt (ondisk 03).  Only the order of the bnobt shows whether extents overlap or touch.  The ledger compares
 * the records of both btrees.
 */
#include "disk/alloc.h"
#include "btree_type.h"

static bool record(const struct btree_slot *slot, struct alloc_record *ret_alloc)
{
	const struct alloc_rec_disk *disk = (const struct alloc_rec_disk *)slot->bytes;

	ret_alloc->start.v = be32_get(disk->startblock);
	ret_alloc->len = be32_get(disk->blockcount);
	return btree_slot_check_extent(slot, ret_alloc->start, ret_alloc->len, F_ALLOC_START, F_ALLOC_LENGTH);
}

bool bnobt_record(const struct btree_slot *slot, struct btree_item *ret_item)
{
	struct alloc_record *alloc = &ret_item->record.alloc;

	if (!record(slot, alloc))
		return false;
	ret_item->key = (struct btkey){ { alloc->start.v, alloc->len } };
	/* adjacent extents are always merged, so at least one block lies between two records */
	ret_item->end = (uint64_t)alloc->start.v + alloc->len + 1;
	ret_item->shareable = false;
	return true;
}

void bnobt_key(const uint8_t *bytes, struct btkey *ret_low, struct btkey *ret_high)
{
	const struct alloc_rec_disk *disk = (const struct alloc_rec_disk *)bytes;

	(void)ret_high;
	*ret_low = (struct btkey){ { be32_get(disk->startblock), be32_get(disk->blockcount) } };
}

bool cntbt_record(const struct btree_slot *slot, struct btree_item *ret_item)
{
	struct alloc_record *alloc = &ret_item->record.alloc;

	if (!record(slot, alloc))
		return false;
	ret_item->key = (struct btkey){ { alloc->len, alloc->start.v } };
	ret_item->end = 0;
	ret_item->shareable = false;
	return true;
}

void cntbt_key(const uint8_t *bytes, struct btkey *ret_low, struct btkey *ret_high)
{
	const struct alloc_rec_disk *disk = (const struct alloc_rec_disk *)bytes;

	(void)ret_high;
	*ret_low = (struct btkey){ { be32_get(disk->blockcount), be32_get(disk->startblock) } };
}

static void put(const struct alloc_record *alloc, uint8_t *bytes)
{
	const struct alloc_rec_disk disk = { be32_put(alloc->start.v), be32_put(alloc->len) };

	memcpy(bytes, &disk, sizeof(disk));
}

void bnobt_encode(const struct geometry *g, struct btree_item *item, uint8_t *bytes)
{
	const struct alloc_record *alloc = &item->record.alloc;

	(void)g;
	put(alloc, bytes);
	item->key = (struct btkey){ { alloc->start.v, alloc->len } };
}

void bnobt_encode_key(const struct btkey *low, const struct btkey *high, uint8_t *bytes)
{
	(void)high;
	put(&(struct alloc_record){ { (uint32_t)low->k[0] }, (uint32_t)low->k[1] }, bytes);
}

void cntbt_encode(const struct geometry *g, struct btree_item *item, uint8_t *bytes)
{
	const struct alloc_record *alloc = &item->record.alloc;

	(void)g;
	put(alloc, bytes);
	item->key = (struct btkey){ { alloc->len, alloc->start.v } };
}

void cntbt_encode_key(const struct btkey *low, const struct btkey *high, uint8_t *bytes)
{
	(void)high;
	put(&(struct alloc_record){ { (uint32_t)low->k[1] }, (uint32_t)low->k[0] }, bytes);
}

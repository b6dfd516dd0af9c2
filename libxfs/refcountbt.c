/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes and builds records of the refcountbt: extents that two or more files share, and after them, marked by the
 * top bit of their start, extents staged for copy on write (ondisk 03).  Unmerged adjacent records are no fault:
 * kernels before 6.2 did not always merge them.
 */
#include "disk/refcountbt.h"
#include "btree_type.h"

bool refcountbt_record(const struct btree_slot *slot, struct btree_item *ret_item)
{
	const struct refcount_rec_disk *disk = (const struct refcount_rec_disk *)slot->bytes;
	struct refcount_record *refcount = &ret_item->record.refcount;
	uint32_t start = be32_get(disk->startblock);
	size_t field = offsetof(struct refcount_rec_disk, refcount);

	refcount->start.v = start & ~REFCOUNT_COW;
	refcount->cow = start & REFCOUNT_COW;
	refcount->len = be32_get(disk->blockcount);
	refcount->refcount = be32_get(disk->refcount);
	if (!btree_slot_check_extent(slot, refcount->start, refcount->len, F_REFCOUNT_START, F_REFCOUNT_LENGTH))
		return false;
	if (refcount->cow && refcount->refcount != 1)
		return btree_slot_problem(slot, F_REFCOUNT_COW, field, refcount->refcount, 1);
	if (!refcount->cow && refcount->refcount < 2)
		return btree_slot_problem(slot, F_REFCOUNT_SHARED, field, refcount->refcount, 2);

	ret_item->key = (struct btkey){ { start } };
	ret_item->end = (uint64_t)start + refcount->len;
	ret_item->shareable = false;
	return true;
}

void refcountbt_key(const uint8_t *bytes, struct btkey *ret_low, struct btkey *ret_high)
{
	const struct refcount_key_disk *disk = (const struct refcount_key_disk *)bytes;

	(void)ret_high;
	*ret_low = (struct btkey){ { be32_get(disk->startblock) } };
}

void refcountbt_encode(const struct geometry *g, struct btree_item *item, uint8_t *bytes)
{
	const struct refcount_record *refcount = &item->record.refcount;
	uint32_t start = refcount->start.v | (refcount->cow ? REFCOUNT_COW : 0);
	const struct refcount_rec_disk disk = { be32_put(start), be32_put(refcount->len),
						be32_put(refcount->refcount) };

	(void)g;
	memcpy(bytes, &disk, sizeof(disk));
	item->key = (struct btkey){ { start } };
}

void refcountbt_encode_key(const struct btkey *low, const struct btkey *high, uint8_t *bytes)
{
	const struct refcount_key_disk disk = { be32_put((uint32_t)low->k[0]) };

	(void)high;
	memcpy(bytes, &disk, sizeof(disk));
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes and builds records of the rmapbt: the owner of a range of blocks, and the offset in its file (ondisk 03).
 * Records overlap if files share blocks, so a node has the highest key of each child besides the lowest.
 */
#include "disk/bmbt.h"
#include "disk/rmapbt.h"
#include "btree_type.h"

/* The last file block that any extent can map: one of maximum length at the maximum offset (ondisk 05). */
#define LAST_FILEOFF (((1ull << BMBT_OFF_BITS) - 1) + ((1ull << BMBT_LEN_BITS) - 1))

static bool is_special(uint64_t owner)
{
	return owner >= OWNER_COW && owner <= OWNER_FS;
}

/*
 * True if the owner is valid in this btree.  Of the special owners, a realtime group's has only OWNER_FS, for its
 * superblock, and OWNER_COW.
 */
static bool owner_possible(const struct btree_slot *slot, uint64_t owner, bool special)
{
	if (!special)
		return ino_valid(slot->c->geo, (xino_t){ owner });
	return slot->expect->kind == BT_RMAP || owner == OWNER_FS || owner == OWNER_COW;
}

/* The offset for comparisons of keys: without the unwritten bit, which only old kernels put into keys (ondisk 03). */
static uint64_t offset_in_key(uint64_t offset)
{
	return offset & ~RMAP_OFFSET_UNWRITTEN;
}

static bool check_extent(const struct btree_slot *slot, const struct rmap_record *rmap)
{
	uint32_t headers = slot->first_block; /* or the realtime superblock, if there is one */

	if (rmap->owner != OWNER_FS)
		return btree_slot_check_extent(slot, rmap->start, rmap->len, F_RMAP_START, F_RMAP_LENGTH);
	if (rmap->start.v != 0)
		return btree_slot_problem(slot, F_RMAP_START, offsetof(struct rmap_rec_disk, startblock), rmap->start.v,
					  0);
	if (rmap->len != headers)
		return btree_slot_problem(slot, F_RMAP_LENGTH, offsetof(struct rmap_rec_disk, blockcount), rmap->len,
					  headers);
	return true;
}

/* Checks the offset and the flags; flags: all bits of the word that are not part of the offset. */
static bool check_offset(const struct btree_slot *slot, const struct rmap_record *rmap, uint64_t flags, bool special)
{
	const size_t field = offsetof(struct rmap_rec_disk, offset);
	uint64_t allowed = RMAP_OFFSET_UNWRITTEN;

	if (special)
		allowed = 0;
	/* attribute forks and bmbt blocks are on the data device only */
	else if (flags & (RMAP_OFFSET_ATTR | RMAP_OFFSET_BMBT) && slot->expect->kind == BT_RMAP)
		allowed = RMAP_OFFSET_ATTR | RMAP_OFFSET_BMBT;
	if (flags & ~allowed)
		return btree_slot_problem(slot, F_RMAP_FLAGS, field, flags, flags & allowed);

	if (special || flags & RMAP_OFFSET_BMBT) {
		if (rmap->offset != 0)
			return btree_slot_problem(slot, F_RMAP_OFFSET, field, rmap->offset, 0);
	} else if (rmap->offset + rmap->len - 1 > LAST_FILEOFF) {
		return btree_slot_problem(slot, F_RMAP_OFFSET, field, rmap->offset, LAST_FILEOFF - (rmap->len - 1));
	}
	return true;
}

/* Sets the lowest and the highest key of a record; offset: with its flags. */
static void set_keys(struct btree_item *item, uint64_t offset)
{
	const struct rmap_record rmap = item->record.rmap;
	uint64_t low = offset_in_key(offset), last = rmap.len - 1;
	bool has_offset = !is_special(rmap.owner) && !(rmap.flags & RMAP_BMBT);

	item->key = (struct btkey){ { rmap.start.v, rmap.owner, low } };
	/* the offset advances with the blocks only in forks of files */
	item->high = (struct btkey){ { rmap.start.v + last, rmap.owner, low + (has_offset ? last : 0) } };
}

static uint8_t flags_of(uint64_t bits)
{
	return (uint8_t)((bits & RMAP_OFFSET_ATTR ? RMAP_ATTR : 0) | (bits & RMAP_OFFSET_BMBT ? RMAP_BMBT : 0) |
			 (bits & RMAP_OFFSET_UNWRITTEN ? RMAP_UNWRITTEN : 0));
}

bool rmapbt_record(const struct btree_slot *slot, struct btree_item *ret_item)
{
	const struct rmap_rec_disk *disk = (const struct rmap_rec_disk *)slot->bytes;
	uint64_t offset = be64_get(disk->offset);
	uint64_t flags = offset & ~RMAP_OFFSET_MASK;
	const struct rmap_record rmap = {
		.start = { be32_get(disk->startblock) },
		.len = be32_get(disk->blockcount),
		.owner = be64_get(disk->owner),
		.offset = offset & RMAP_OFFSET_MASK,
		.flags = flags ? flags_of(flags) : 0,
	};
	bool special = is_special(rmap.owner);

	if (!owner_possible(slot, rmap.owner, special))
		return btree_slot_problem(slot, F_RMAP_OWNER, offsetof(struct rmap_rec_disk, owner), rmap.owner, 0);
	if (!check_extent(slot, &rmap) || !check_offset(slot, &rmap, flags, special))
		return false;

	ret_item->record.rmap = rmap;
	set_keys(ret_item, offset);
	ret_item->end = (uint64_t)rmap.start.v + rmap.len;
	/* only written extents of data forks can be shared */
	ret_item->shareable = slot->c->geo->reflink && !special && rmap.flags == 0;
	return true;
}

bool rmapbt_continues(const union btree_record *before, const union btree_record *record)
{
	const struct rmap_record *a = &before->rmap, *b = &record->rmap;
	const bool has_offset = !is_special(b->owner) && !(b->flags & RMAP_BMBT);

	return (uint64_t)a->start.v + a->len == b->start.v && a->owner == b->owner && a->flags == b->flags &&
	       (!has_offset || a->offset + a->len == b->offset) && a->len <= UINT32_MAX - b->len;
}

static struct btkey key_get(const struct rmap_key_disk *disk)
{
	return (struct btkey){ { be32_get(disk->startblock), be64_get(disk->owner),
				 offset_in_key(be64_get(disk->offset)) } };
}

void rmapbt_key(const uint8_t *bytes, struct btkey *ret_low, struct btkey *ret_high)
{
	const struct rmap_range_disk *disk = (const struct rmap_range_disk *)bytes;

	*ret_low = key_get(&disk->low);
	*ret_high = key_get(&disk->high);
}

void rmapbt_encode(const struct geometry *g, struct btree_item *item, uint8_t *bytes)
{
	const struct rmap_record *rmap = &item->record.rmap;
	uint64_t offset = rmap->offset | (rmap->flags & RMAP_ATTR ? RMAP_OFFSET_ATTR : 0) |
			  (rmap->flags & RMAP_BMBT ? RMAP_OFFSET_BMBT : 0) |
			  (rmap->flags & RMAP_UNWRITTEN ? RMAP_OFFSET_UNWRITTEN : 0);
	const struct rmap_rec_disk disk = { be32_put(rmap->start.v), be32_put(rmap->len), be64_put(rmap->owner),
					    be64_put(offset) };

	(void)g;
	memcpy(bytes, &disk, sizeof(disk));
	set_keys(item, offset);
}

static struct rmap_key_disk key_put(const struct btkey *key)
{
	return (struct rmap_key_disk){ be32_put((uint32_t)key->k[0]), be64_put(key->k[1]), be64_put(key->k[2]) };
}

void rmapbt_encode_key(const struct btkey *low, const struct btkey *high, uint8_t *bytes)
{
	const struct rmap_range_disk disk = { key_put(low), key_put(high) };

	memcpy(bytes, &disk, sizeof(disk));
}

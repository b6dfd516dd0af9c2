/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Properties of each kind of btree for the decoder in btree.c, and the results of its record decoders.  For the btree
 * files of this folder only.
 */
#ifndef XFSCK_BTREE_TYPE_H
#define XFSCK_BTREE_TYPE_H

#include "be.h"
#include "disk/alloc.h"
#include "libxfs/btree.h"
#include "libxfs/v5.h"

/* layout of a block's header: short or long pointers */
struct btree_layout {
	uint8_t size;		   /* bytes of the header */
	uint8_t ptr_size;	   /* bytes of siblings, pointers and the owner */
	uint8_t leftsib, rightsib; /* byte offsets */
	struct v5_header v5;	   /* crc 0: none, in version 4 */
	uint8_t pad;		   /* 0: none */
};

#define BTREE_ITEM_MAX 40u /* bytes of a record, or of all keys of a child; the rmapbt has the largest */

/* a record in its block */
struct btree_slot {
	const struct check *c;
	const struct btree_expect *expect; /* of the block */
	uint32_t first_block;		   /* first block of its AG or realtime group that can be allocated */
	uint32_t end_block;		   /* length of that group in blocks */
	const uint8_t *bytes;
	uint32_t offset; /* of bytes in the block */
	uint32_t index;
};

/* a decoded record, with the keys to check its order */
struct btree_item {
	union btree_record record;
	struct btkey key;
	struct btkey high; /* only in btrees whose nodes have high keys */
	uint64_t end;	   /* no later record may have a smaller key.k[0]; 0: no such rule */
	bool shareable;	   /* it may overlap other shareable records */
};

struct btree_type {
	const struct btree_layout *layout;
	uint32_t magic;
	uint8_t rec_size;
	uint8_t key_size; /* of all of a node's keys for a child */
	bool high_keys;
	/* Decodes and checks one record.  False: it has been reported, and must not be used. */
	bool (*record)(const struct btree_slot *slot, struct btree_item *ret_item);
	/* Reads a node's keys for a child; sets *ret_high only if high_keys. */
	void (*key)(const uint8_t *bytes, struct btkey *ret_low, struct btkey *ret_high);
	/* Write item->record and set its keys; write a node's keys.  NULL: other files build such btrees. */
	void (*encode)(const struct geometry *g, struct btree_item *item, uint8_t *bytes);
	void (*encode_key)(const struct btkey *low, const struct btkey *high, uint8_t *bytes);
	/* NULL, or true if a record continues the one before it, so that both should be one. */
	bool (*continues)(const union btree_record *before, const union btree_record *record);
};

/* The row of a kind of btree; its layout is NULL if this version of the format has no such btree. */
const struct btree_type *btree_type_get(const struct geometry *g, enum btree_kind kind);

/* Reports a field of a record, `field` bytes into it.  Returns false. */
static inline bool btree_slot_problem(const struct btree_slot *slot, enum finding finding, size_t field, uint64_t got,
				      uint64_t want)
{
	return problem_at(slot->c, finding, slot->offset + (uint32_t)field, slot->index, got, want);
}

/*
 * Checks the common rule of bnobt, cntbt, rmapbt and refcountbt records: at least one block, all of them after the
 * headers of the AG or realtime group and before its end.  All these records begin with start and length.
 */
static inline bool btree_slot_check_extent(const struct btree_slot *slot, agbno_t start, uint32_t len,
					   enum finding bad_start, enum finding bad_length)
{
	uint32_t first = slot->first_block;

	if (start.v < first)
		return btree_slot_problem(slot, bad_start, offsetof(struct alloc_rec_disk, startblock), start.v, first);
	if (start.v >= slot->end_block)
		return btree_slot_problem(slot, bad_start, offsetof(struct alloc_rec_disk, startblock), start.v,
					  slot->end_block - 1);
	if (len == 0 || len > slot->end_block - start.v)
		return btree_slot_problem(slot, bad_length, offsetof(struct alloc_rec_disk, blockcount), len,
					  slot->end_block - start.v);
	return true;
}

/*
 * Capacity of a root in a fork, in children or records.  Realtime btrees have room for two keys per child, the lowest
 * and the highest, in front of the pointers, even if the btree has only the lowest.
 */
uint32_t bmdr_max_entries(const struct btree_type *type, enum btree_kind kind, size_t fork_size, uint32_t level);

/* Decoders and encoders, one file per kind of record */
bool bnobt_record(const struct btree_slot *slot, struct btree_item *ret_item);
void bnobt_key(const uint8_t *bytes, struct btkey *ret_low, struct btkey *ret_high);
void bnobt_encode(const struct geometry *g, struct btree_item *item, uint8_t *bytes);
void bnobt_encode_key(const struct btkey *low, const struct btkey *high, uint8_t *bytes);
bool cntbt_record(const struct btree_slot *slot, struct btree_item *ret_item);
void cntbt_key(const uint8_t *bytes, struct btkey *ret_low, struct btkey *ret_high);
void cntbt_encode(const struct geometry *g, struct btree_item *item, uint8_t *bytes);
void cntbt_encode_key(const struct btkey *low, const struct btkey *high, uint8_t *bytes);
bool inobt_record(const struct btree_slot *slot, struct btree_item *ret_item);
bool finobt_record(const struct btree_slot *slot, struct btree_item *ret_item);
void inobt_key(const uint8_t *bytes, struct btkey *ret_low, struct btkey *ret_high);
void inobt_encode(const struct geometry *g, struct btree_item *item, uint8_t *bytes);
void inobt_encode_key(const struct btkey *low, const struct btkey *high, uint8_t *bytes);
bool rmapbt_record(const struct btree_slot *slot, struct btree_item *ret_item);
void rmapbt_key(const uint8_t *bytes, struct btkey *ret_low, struct btkey *ret_high);
bool rmapbt_continues(const union btree_record *before, const union btree_record *record);
void rmapbt_encode(const struct geometry *g, struct btree_item *item, uint8_t *bytes);
void rmapbt_encode_key(const struct btkey *low, const struct btkey *high, uint8_t *bytes);
bool refcountbt_record(const struct btree_slot *slot, struct btree_item *ret_item);
void refcountbt_key(const uint8_t *bytes, struct btkey *ret_low, struct btkey *ret_high);
void refcountbt_encode(const struct geometry *g, struct btree_item *item, uint8_t *bytes);
void refcountbt_encode_key(const struct btkey *low, const struct btkey *high, uint8_t *bytes);
bool bmbt_record(const struct btree_slot *slot, struct btree_item *ret_item);
void bmbt_key(const uint8_t *bytes, struct btkey *ret_low, struct btkey *ret_high);

#endif

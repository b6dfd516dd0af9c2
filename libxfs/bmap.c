/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes extents of files: the packed record, the rules for one of them, and the list in a fork (ondisk 05).  The
 * leaves of a bmbt have the same records, whose decoder is here too; the walker checks their order.
 */
#include "disk/bmbt.h"
#include "btree_type.h"

#define BITS(n) ((1ull << (n)) - 1)

struct bmap_record bmap_record_get(const uint8_t packed[16])
{
	const struct bmbt_rec_disk *disk = (const struct bmbt_rec_disk *)packed;
	uint64_t l0 = be64_get(disk->l0);
	uint64_t l1 = be64_get(disk->l1);

	return (struct bmap_record){
		.off = { l0 >> BMBT_START_BITS_IN_L0 & BITS(BMBT_OFF_BITS) },
		.start = { (l0 & BITS(BMBT_START_BITS_IN_L0)) << (BMBT_START_BITS - BMBT_START_BITS_IN_L0) |
			   l1 >> BMBT_LEN_BITS },
		.len = (uint32_t)(l1 & BITS(BMBT_LEN_BITS)),
		.unwritten = l0 >> 63,
	};
}

/* Number of blocks from start, which must be valid, to the end of its group. */
static uint64_t longest_from(const struct geometry *g, fsbno_t start, bool realtime)
{
	uint64_t rgno = rgno_of_rtbno(g, start);

	if (realtime)
		return group_length(g, group_of_rg(g, (uint32_t)rgno)) - rgbno_of_rtbno(g, start).v;
	return ag_length(g, agno_of_fsbno(g, start)) - agbno_of_fsbno(g, start).v;
}

static bool range_valid(const struct geometry *g, fsbno_t start, uint64_t len, bool realtime)
{
	return realtime ? rtb_range_valid(g, start, len) : fsb_range_valid(g, start, len);
}

/*
 * Checks one record (ondisk 05, invariants 1 and 4; 09): a valid range of its device, length, offset, state.  False: it
 * must not be used.  A wrong unwritten state is reported, but the record can be used.
 */
static bool check_record(const struct check *c, const struct bmap_record *record, const struct bmap_rules *rules,
			 uint32_t offset, uint32_t index)
{
	const struct geometry *g = c->geo;

	if (!range_valid(g, record->start, record->len, rules->realtime)) {
		/* also catches the markers of delayed allocations, which exist only in memory */
		if (!range_valid(g, record->start, 1, rules->realtime))
			return problem_at(c, F_BMAP_START, offset, index, record->start.v, 0);
		return problem_at(c, F_BMAP_LENGTH, offset, index, record->len,
				  longest_from(g, record->start, rules->realtime));
	}
	if (record->off.v >= rules->max_off || record->len > rules->max_off - record->off.v)
		return problem_at(c, F_BMAP_OFFSET, offset, index, record->off.v, rules->max_off);
	/* space is allocated, and moved within files, in whole realtime extents; the record is usable nevertheless */
	if (rules->realtime && rgbno_of_rtbno(g, record->start).v % g->rextsize != record->off.v % g->rextsize)
		problem_at(c, F_BMAP_RT_ALIGN, offset, index, record->off.v,
			   rgbno_of_rtbno(g, record->start).v % g->rextsize);
	if (record->unwritten && !rules->unwritten_ok)
		problem_at(c, F_BMAP_UNWRITTEN, offset, index, 1, 0);
	return true;
}

void bmap_inline_decode(const struct check *c, const uint8_t *fork, size_t fork_size, uint64_t nextents,
			const struct bmap_rules *rules, void (*visit)(void *ctx, const struct bmap_record *record),
			void *ctx)
{
	const size_t size = sizeof(struct bmbt_rec_disk);
	uint64_t end = 0;

	if (nextents > fork_size / size)
		nextents = fork_size / size;
	for (uint32_t i = 0; i < nextents; i++) {
		struct bmap_record record = bmap_record_get(fork + i * size);

		if (!check_record(c, &record, rules, (uint32_t)(i * size), i))
			continue;
		if (record.off.v < end)
			problem_at(c, F_BMAP_ORDER, (uint32_t)(i * size), i, record.off.v, end);
		end = record.off.v + record.len;
		visit(ctx, &record);
	}
}

bool bmbt_record(const struct btree_slot *slot, struct btree_item *ret_item)
{
	struct bmap_record *bmap = &ret_item->record.bmap;

	*bmap = bmap_record_get(slot->bytes);
	if (!check_record(slot->c, bmap, slot->expect->rules, slot->offset, slot->index))
		return false;
	ret_item->key = (struct btkey){ { bmap->off.v } };
	ret_item->end = bmap->off.v + bmap->len;
	ret_item->shareable = false;
	return true;
}

void bmbt_key(const uint8_t *bytes, struct btkey *ret_low, struct btkey *ret_high)
{
	const struct bmbt_key_disk *disk = (const struct bmbt_key_disk *)bytes;

	(void)ret_high;
	*ret_low = (struct btkey){ { be64_get(disk->startoff) } };
}

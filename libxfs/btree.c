/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walker for btree blocks of every kind (ondisk 03 and 05).  It checks the
 * header, the order of keys and what the parent expects, and hands out records
 * or children; how records and keys read, and what a record may say, is a row
 * in btree_type.c.  Order is judged pair by pair among records that are
 * good in themselves, so that one wrong field gives one report.  What needs a
 * second block, siblings that point to each other or blocks that occur twice,
 * is for the caller to find out.
 */
#include "libxfs/crc.h"
#include "libxfs/v5.h"
#include "disk/btree.h"
#include "btree_type.h"

#define KEY_WORDS 3

int btkey_cmp(const struct btkey *a, const struct btkey *b)
{
	for (unsigned w = 0; w < KEY_WORDS; w++)
		if (a->k[w] != b->k[w])
			return a->k[w] < b->k[w] ? -1 : 1;
	return 0;
}

/* Reports the first word in which the keys differ, the last one if they are equal. */
static void key_problem(const struct check *c, enum finding finding, uint32_t offset, uint32_t index,
			const struct btkey *got, const struct btkey *want)
{
	unsigned w = 0;

	while (w < KEY_WORDS - 1 && got->k[w] == want->k[w])
		w++;
	problem_at(c, finding, offset, index, got->k[w], want->k[w]);
}

/* A block number or owner, as wide as the pointers of the tree.  Narrow ones for "none" are widened to NULL_FSBNO. */
static uint64_t number_get(const uint8_t *p, unsigned size)
{
	be32_t narrow;
	be64_t wide;

	if (size == sizeof(wide)) {
		memcpy(&wide, p, sizeof(wide));
		return be64_get(wide);
	}
	memcpy(&narrow, p, sizeof(narrow));
	return be32_get(narrow) == NULL_AGBNO ? NULL_FSBNO : be32_get(narrow);
}

/* Where a pointer of the block that `from` describes leads.  False: to no block of a tree, or back to itself. */
static bool follow(const struct geometry *g, const struct btree_expect *from, uint64_t pointer, agno_t *ret_agno,
		   agbno_t *ret_agbno)
{
	agno_t agno = from->agno;
	agbno_t agbno;

	if (from->kind < BT_AG_NR) {
		if (pointer > UINT32_MAX)
			return false;
		agbno.v = (uint32_t)pointer;
		if (!agbno_valid(g, agno, agbno))
			return false;
	} else {
		if (!fsb_range_valid(g, (fsbno_t){ pointer }, 1))
			return false;
		agno = agno_of_fsbno(g, (fsbno_t){ pointer });
		agbno = agbno_of_fsbno(g, (fsbno_t){ pointer });
	}
	if (agno.v == from->agno.v && agbno.v == from->agbno.v)
		return false;
	*ret_agno = agno;
	*ret_agbno = agbno;
	return true;
}

/* what the place in the tree says about a sibling */
enum presence {
	ABSENT,
	PRESENT,
	UNKNOWN,
};

static uint64_t check_sibling(const struct check *c, const uint8_t *block, uint32_t offset,
			      const struct btree_expect *expect, enum presence presence, enum finding finding)
{
	uint64_t sibling = number_get(block + offset, btree_type_get(expect->kind)->layout->ptr_size);
	agno_t agno;
	agbno_t agbno;
	bool ok;

	if (sibling == NULL_FSBNO)
		ok = presence != PRESENT;
	else
		ok = presence != ABSENT && follow(c->geo, expect, sibling, &agno, &agbno);
	if (!ok)
		problem(c, finding, offset, sibling, NULL_FSBNO);
	return sibling;
}

/* What every V5 block says of itself: ondisk 00, invariant 4. */
static void check_identity(const struct check *c, const uint8_t *block, const struct btree_layout *layout,
			   const struct btree_expect *expect)
{
	be64_t blkno, lsn;
	be32_t pad;

	memcpy(&blkno, block + layout->blkno, sizeof(blkno));
	memcpy(&lsn, block + layout->lsn, sizeof(lsn));
	crc_check(c, block, c->geo->block_size, layout->crc);
	check_eq(c, F_BLOCK_BLKNO, layout->blkno, be64_get(blkno), daddr_of(c->geo, expect->agno, expect->agbno).v);
	v5_check_lsn(c, be64_get(lsn), layout->lsn);
	v5_check_uuid(c, block + layout->uuid, layout->uuid);
	check_eq(c, F_BLOCK_OWNER, layout->owner, number_get(block + layout->owner, layout->ptr_size), expect->owner);
	if (layout->pad) {
		memcpy(&pad, block + layout->pad, sizeof(pad));
		check_eq(c, F_BTREE_PAD, layout->pad, be32_get(pad), 0);
	}
}

/* Reports what is wrong with the header; false if records can't be told from it. */
static bool check_header(const struct check *c, const uint8_t *block, const struct btree_expect *expect,
			 struct btree_block *ret_block)
{
	const struct btree_type *type = btree_type_get(expect->kind);
	const struct btree_layout *layout = type->layout;
	const struct btree_short_disk *common = (const struct btree_short_disk *)block;
	uint32_t numrecs = be16_get(common->numrecs);
	uint32_t max = expect->level ? c->geo->btree[expect->kind].node_max : c->geo->btree[expect->kind].leaf_max;
	uint32_t min = expect->root ? expect->level != 0 : max / 2;
	uint32_t at = offsetof(struct btree_short_disk, numrecs);

	if (!check_eq(c, F_BLOCK_MAGIC, offsetof(struct btree_short_disk, magic), be32_get(common->magic), type->magic))
		return false;
	check_identity(c, block, layout, expect);
	if (!check_eq(c, F_BTREE_LEVEL, offsetof(struct btree_short_disk, level), be16_get(common->level),
		      expect->level))
		return false;
	if (numrecs > max)
		return problem(c, F_BTREE_NUMRECS, at, numrecs, max);
	if (numrecs < min)
		problem(c, F_BTREE_UNDERFULL, at, numrecs, min);

	ret_block->numrecs = numrecs;
	ret_block->left =
		check_sibling(c, block, layout->leftsib, expect, expect->root ? ABSENT : UNKNOWN, F_BTREE_LEFTSIB);
	ret_block->right = check_sibling(c, block, layout->rightsib, expect, expect->has_bound ? PRESENT : ABSENT,
					 F_BTREE_RIGHTSIB);
	ret_block->keys_ok = true;
	return true;
}

/* what the records of a leaf so far demand of the next one */
struct leaf_order {
	bool any;		/* there was a good record */
	bool all;		/* and no bad one */
	struct btkey prev;	/* key of the latest */
	struct btkey high;	/* highest of all */
	uint64_t end;		/* of all records: here starts what may not overlap any */
	uint64_t exclusive_end; /* of those that nothing may overlap */
};

/* Check a record against those before it, or the first one against the parent's key.  False if it is out of order. */
static bool check_order(const struct btree_slot *slot, const struct btree_item *item, struct leaf_order *order)
{
	const struct btree_expect *expect = slot->expect;
	uint64_t end = item->shareable ? order->exclusive_end : order->end;

	if (slot->index == 0) {
		if (!expect->has_low || btkey_cmp(&item->key, &expect->low) == 0)
			return true;
		key_problem(slot->c, F_BTREE_FIRST_KEY, slot->offset, 0, &item->key, &expect->low);
		return false;
	}
	if (order->any && btkey_cmp(&order->prev, &item->key) >= 0) {
		key_problem(slot->c, F_BTREE_ORDER, slot->offset, slot->index, &item->key, &order->prev);
		order->end = order->exclusive_end = 0;
		return false;
	}
	if (item->key.k[0] < end) {
		problem_at(slot->c, F_BTREE_OVERLAP, slot->offset, slot->index, item->key.k[0], end);
		order->end = order->exclusive_end = 0;
	}
	return true;
}

/* Compare what the leaf's records add up to with what the parent expects. */
static bool check_bounds(const struct check *c, const struct btree_expect *expect, uint32_t offset, uint32_t last,
			 const struct leaf_order *order)
{
	bool in_order = true;

	if (expect->has_bound && btkey_cmp(&order->prev, &expect->bound) >= 0) {
		key_problem(c, F_BTREE_BOUND, offset, last, &order->prev, &expect->bound);
		in_order = false;
	} else if (expect->has_bound && order->exclusive_end > expect->bound.k[0]) {
		problem_at(c, F_BTREE_OVERLAP_NEXT, offset, last, order->exclusive_end, expect->bound.k[0]);
	}
	/* a record that was left out may have been the highest */
	if (expect->has_high && order->all && btkey_cmp(&order->high, &expect->high) != 0)
		key_problem(c, F_BTREE_HIGH_KEY, 0, NO_INDEX, &order->high, &expect->high);
	return in_order;
}

static inline void take_in(struct leaf_order *order, const struct btree_item *item, bool high_keys)
{
	order->any = true;
	order->prev = item->key;
	if (item->end > order->end)
		order->end = item->end;
	if (!item->shareable && item->end > order->exclusive_end)
		order->exclusive_end = item->end;
	if (high_keys && item->high.k[0] >= order->high.k[0] && btkey_cmp(&item->high, &order->high) > 0)
		order->high = item->high;
}

static void leaf_visit(const struct check *c, const uint8_t *block, const struct btree_expect *expect,
		       const struct btree_visitor *visitor, struct btree_block *ret_block)
{
	const struct btree_type *type = btree_type_get(expect->kind);
	struct btree_slot slot = { .c = c, .expect = expect, .ag_blocks = ag_length(c->geo, expect->agno) };
	struct leaf_order order = { .all = true };
	struct btree_item item;

	for (slot.index = 0; slot.index < ret_block->numrecs; slot.index++) {
		slot.offset = type->layout->size + slot.index * type->rec_size;
		slot.bytes = block + slot.offset;
		if (!type->record(&slot, &item)) {
			order.all = false;
			continue;
		}
		/* most records start behind all before them, and then there is nothing to look into */
		if (slot.index == 0 || item.key.k[0] <= order.prev.k[0] || item.key.k[0] < order.end)
			ret_block->keys_ok &= check_order(&slot, &item, &order);
		take_in(&order, &item, type->high_keys);
		visitor->record(visitor->ctx, &item.record, slot.index);
	}
	if (order.any)
		ret_block->keys_ok &= check_bounds(c, expect, slot.offset, slot.index - 1, &order);
}

/* what a node says of one child */
struct node_entry {
	struct btkey low;
	struct btkey high;
	bool rises; /* low is above that of the entry before */
};

/* The first key must be the one the parent has. */
static bool check_first_key(const struct check *c, const struct btree_expect *expect, const struct node_entry *first,
			    uint32_t offset)
{
	if (!expect->has_low || btkey_cmp(&first->low, &expect->low) == 0)
		return true;
	key_problem(c, F_BTREE_FIRST_KEY, offset, 0, &first->low, &expect->low);
	return false;
}

/* Each key must be above the one before it. */
static bool check_rise(const struct check *c, const struct node_entry *entry, const struct node_entry *next,
		       uint32_t next_offset, uint32_t next_index)
{
	if (btkey_cmp(&entry->low, &next->low) < 0)
		return true;
	key_problem(c, F_BTREE_ORDER, next_offset, next_index, &next->low, &entry->low);
	return false;
}

/* The last key must be below what the parent has for the next block. */
static bool check_last_key(const struct check *c, const struct btree_expect *expect, const struct node_entry *last,
			   uint32_t offset, uint32_t index)
{
	if (!expect->has_bound || btkey_cmp(&last->low, &expect->bound) < 0)
		return true;
	key_problem(c, F_BTREE_BOUND, offset, index, &last->low, &expect->bound);
	return false;
}

/*
 * What to expect of the child of an entry; next is the entry behind it, or NULL.  A key that is out of order
 * has been reported and says nothing: it is not to be held against the child as well.
 */
static void expect_child(const struct btree_expect *parent, const struct btree_node *node,
			 const struct node_entry *entry, const struct node_entry *next, bool low_ok,
			 struct btree_expect *ret_child)
{
	*ret_child = *parent;
	ret_child->level = node->level - 1;
	/* the only block of its level is bound by no more rules than a root */
	ret_child->root = parent->root && node->numrecs == 1;
	ret_child->has_low = low_ok;
	ret_child->low = entry->low;
	ret_child->has_high = btree_type_get(parent->kind)->high_keys;
	ret_child->high = entry->high;
	if (!next)
		return; /* bound as the node itself is */
	if (next->rises)
		ret_child->bound = next->low;
	else if (!parent->has_bound)
		ret_child->bound = (struct btkey){ { UINT64_MAX, UINT64_MAX, UINT64_MAX } };
	ret_child->has_bound = true;
}

void btree_node_visit(const struct check *c, const struct btree_node *node, const struct btree_expect *expect,
		      const struct btree_visitor *visitor, struct btree_block *ret_block)
{
	const struct btree_type *type = btree_type_get(expect->kind);
	unsigned ptr_size = type->layout->ptr_size;
	struct node_entry entry = { 0 }, next = { 0 };
	struct btree_expect child;
	struct btkey high = { 0 };
	bool in_place = false; /* the node is the one its parent meant */
	bool low_ok;

	for (uint32_t i = 0; i < node->numrecs; i++, entry = next) {
		uint32_t key_offset = node->keys + i * type->key_size;
		uint32_t ptr_offset = node->ptrs + i * ptr_size;
		uint64_t pointer = number_get(node->bytes + ptr_offset, ptr_size);
		bool last = i + 1 == node->numrecs;

		if (i == 0) {
			type->key(node->bytes + key_offset, &entry.low, &entry.high);
			entry.rises = check_first_key(c, expect, &entry, key_offset);
			in_place = expect->has_low ? entry.rises : expect->root || expect->keys_ok;
		}
		if (last) {
			low_ok = check_last_key(c, expect, &entry, key_offset, i) && entry.rises;
		} else {
			type->key(node->bytes + key_offset + type->key_size, &next.low, &next.high);
			next.rises = check_rise(c, &entry, &next, key_offset + type->key_size, i + 1);
			low_ok = entry.rises && next.rises;
		}
		ret_block->keys_ok &= low_ok;
		if (btkey_cmp(&entry.high, &high) > 0)
			high = entry.high;

		expect_child(expect, node, &entry, last ? NULL : &next, low_ok, &child);
		child.keys_ok = low_ok && in_place;
		if (follow(c->geo, expect, pointer, &child.agno, &child.agbno))
			visitor->child(visitor->ctx, &child);
		else
			problem_at(c, F_BTREE_POINTER, ptr_offset, i, pointer, 0);
	}
	if (expect->has_high && node->numrecs > 0 && btkey_cmp(&high, &expect->high) != 0)
		key_problem(c, F_BTREE_HIGH_KEY, 0, NO_INDEX, &high, &expect->high);
}

bool btree_decode(const struct check *c, const void *block, const struct btree_expect *expect,
		  const struct btree_visitor *visitor, struct btree_block *ret_block)
{
	const struct btree_type *type = btree_type_get(expect->kind);
	struct btree_node node = { .bytes = block, .keys = type->layout->size, .level = expect->level };
	struct btree_block found;

	if (!check_header(c, block, expect, &found))
		return false;
	if (expect->level == 0) {
		leaf_visit(c, block, expect, visitor, &found);
	} else {
		node.ptrs = node.keys + c->geo->btree[expect->kind].node_max * type->key_size;
		node.numrecs = found.numrecs;
		btree_node_visit(c, &node, expect, visitor, &found);
	}
	*ret_block = found;
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Visits the entries of a btree node, in a block or in a root in an inode: checks the order of keys and the pointers,
 * and computes what to expect of each child (ondisk 03, invariant 2).
 */
#include "btree_block.h"

/* a node's keys for one child */
struct node_entry {
	struct btkey low;
	struct btkey high;
	bool rises; /* low is above that of the entry before */
};

/* Checks that the first key is the parent's. */
static bool check_first_key(const struct check *c, const struct btree_expect *expect, const struct node_entry *first,
			    uint32_t offset)
{
	if (!expect->has_low || btkey_cmp(&first->low, &expect->low) == 0)
		return true;
	btree_key_problem(c, F_BTREE_FIRST_KEY, offset, 0, &first->low, &expect->low);
	return false;
}

/* Checks that a key is above the one before it. */
static bool check_rise(const struct check *c, const struct node_entry *entry, const struct node_entry *next,
		       uint32_t next_offset, uint32_t next_index)
{
	if (btkey_cmp(&entry->low, &next->low) < 0)
		return true;
	btree_key_problem(c, F_BTREE_ORDER, next_offset, next_index, &next->low, &entry->low);
	return false;
}

/* Checks that the last key is below the parent's key for the next block. */
static bool check_last_key(const struct check *c, const struct btree_expect *expect, const struct node_entry *last,
			   uint32_t offset)
{
	if (!expect->has_bound || btkey_cmp(&last->low, &expect->bound) < 0)
		return true;
	btree_key_problem(c, F_BTREE_BOUND, offset, NO_INDEX, &last->low, &expect->bound);
	return false;
}

/*
 * Sets the expectations for the child of an entry; next: the entry after it, or NULL.  A key that is out of order has
 * been reported, and is not expected of the child.
 */
static void expect_child(const struct btree_expect *parent, const struct btree_node *node,
			 const struct node_entry *entry, const struct node_entry *next, bool low_ok,
			 struct btree_expect *ret_child)
{
	*ret_child = *parent;
	ret_child->unsure = node->unsure;
	ret_child->level = node->level - 1;
	/* the only block of its level may have as few records as a root */
	ret_child->root = parent->root && node->numrecs == 1;
	ret_child->has_low = low_ok;
	ret_child->low = entry->low;
	ret_child->high = entry->high;
	if (!next)
		return; /* the bound of the node itself */
	if (next->rises)
		ret_child->bound = next->low;
	else if (!parent->has_bound)
		ret_child->bound = (struct btkey){ { UINT64_MAX, UINT64_MAX, UINT64_MAX } };
	ret_child->has_bound = true;
}

static void child_lost(const struct check *c, const struct btree_visitor *visitor, const struct btree_expect *child,
		       uint32_t offset, uint32_t index, uint64_t pointer)
{
	problem_at(c, F_BTREE_POINTER, offset, index, pointer, 0);
	if (visitor->lost)
		visitor->lost(visitor->ctx, child);
}

void btree_node_visit(const struct check *c, const struct btree_node *node, const struct btree_expect *expect,
		      const struct btree_visitor *visitor, bool *keys_ok)
{
	const struct btree_type *type = btree_type_get(c->geo, expect->kind);
	unsigned ptr_size = type->layout->ptr_size;
	struct node_entry entry = { 0 }, next = { 0 };
	struct btree_expect child;
	struct btkey high = { 0 };
	bool in_place = false; /* the node is the block that its parent expects */
	bool low_ok;

	for (uint32_t i = 0; i < node->numrecs; i++, entry = next) {
		uint32_t key_offset = node->keys + i * type->key_size;
		uint32_t ptr_offset = node->ptrs + i * ptr_size;
		uint64_t pointer = btree_number_get(node->bytes + ptr_offset, ptr_size);
		bool last = i + 1 == node->numrecs;

		if (i == 0) {
			type->key(node->bytes + key_offset, &entry.low, &entry.high);
			entry.rises = check_first_key(c, expect, &entry, key_offset);
			in_place = expect->has_low ? entry.rises : expect->root || expect->keys_ok;
		}
		if (last) {
			low_ok = check_last_key(c, expect, &entry, key_offset) && entry.rises;
		} else {
			type->key(node->bytes + key_offset + type->key_size, &next.low, &next.high);
			next.rises = check_rise(c, &entry, &next, key_offset + type->key_size, i + 1);
			low_ok = entry.rises && next.rises;
		}
		*keys_ok &= low_ok;
		if (btkey_cmp(&entry.high, &high) > 0)
			high = entry.high;

		expect_child(expect, node, &entry, last ? NULL : &next, low_ok, &child);
		child.has_high = type->high_keys;
		child.keys_ok = low_ok && in_place;
		if (btree_follow(c->geo, expect, pointer, &child.agno, &child.agbno))
			visitor->child(visitor->ctx, &child);
		else
			child_lost(c, visitor, &child, ptr_offset, i, pointer);
	}
	if (expect->has_high && node->numrecs > 0 && btkey_cmp(&high, &expect->high) != 0)
		btree_key_problem(c, F_BTREE_HIGH_KEY, 0, NO_INDEX, &high, &expect->high);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Visits the records of a btree leaf and checks their order, and the bounds set by the parent (ondisk 03, invariant 2).
 * Only records that are valid by themselves are compared, so that one wrong field gives one report.
 */
#include "btree_block.h"

/* the state of the records so far, to check the order of the next one */
struct leaf_order {
	bool any;		 /* there was a valid record */
	bool all;		 /* there was no invalid record */
	struct btkey prev;	 /* key of the last record */
	struct btkey high;	 /* highest key so far */
	uint64_t end;		 /* highest end so far: a record that is not shareable must not start before it */
	uint64_t exclusive_end;	 /* highest end of the records that may not be overlapped */
	union btree_record last; /* the last record, in btrees whose adjacent records must be merged */
};

/* Checks a record against those before it, or the first one against the parent's key.  False: it is out of order. */
static bool check_order(const struct btree_slot *slot, const struct btree_item *item, struct leaf_order *order)
{
	const struct btree_expect *expect = slot->expect;
	uint64_t end = item->shareable ? order->exclusive_end : order->end;

	if (slot->index == 0) {
		if (!expect->has_low || btkey_cmp(&item->key, &expect->low) == 0)
			return true;
		btree_key_problem(slot->c, F_BTREE_FIRST_KEY, slot->offset, 0, &item->key, &expect->low);
		return false;
	}
	if (order->any && btkey_cmp(&order->prev, &item->key) >= 0) {
		btree_key_problem(slot->c, F_BTREE_ORDER, slot->offset, slot->index, &item->key, &order->prev);
		order->end = order->exclusive_end = 0;
		return false;
	}
	if (item->key.k[0] < end) {
		problem_at(slot->c, F_BTREE_OVERLAP, slot->offset, slot->index, item->key.k[0], end);
		order->end = order->exclusive_end = 0;
	}
	return true;
}

/* Compares the range of all records, the last of which is in slot, with the parent's keys. */
static bool check_bounds(const struct btree_slot *slot, const struct leaf_order *order)
{
	const struct btree_expect *expect = slot->expect;
	bool in_order = true;

	if (expect->has_bound && btkey_cmp(&order->prev, &expect->bound) >= 0) {
		btree_key_problem(slot->c, F_BTREE_BOUND, slot->offset, NO_INDEX, &order->prev, &expect->bound);
		in_order = false;
	} else if (expect->has_bound && order->exclusive_end > expect->bound.k[0]) {
		problem(slot->c, F_BTREE_OVERLAP_NEXT, slot->offset, order->exclusive_end, expect->bound.k[0]);
	}
	/* a skipped record may have had the highest key */
	if (expect->has_high && order->all && btkey_cmp(&order->high, &expect->high) != 0)
		btree_key_problem(slot->c, F_BTREE_HIGH_KEY, 0, NO_INDEX, &order->high, &expect->high);
	return in_order;
}

/* Checks that a record does not continue the one before it (ondisk 03, invariant 6). */
static void check_merged(const struct btree_slot *slot, const struct btree_type *type, const struct btree_item *item,
			 const struct leaf_order *order)
{
	if (order->any && type->continues(&order->last, &item->record))
		problem_at(slot->c, F_RMAP_UNMERGED, slot->offset, slot->index, item->key.k[0], 0);
}

static inline void take_in(struct leaf_order *order, const struct btree_item *item, bool high_keys)
{
	order->any = true;
	order->prev = item->key;
	if (item->end > order->end)
		order->end = item->end;
	if (!item->shareable && item->end > order->exclusive_end)
		order->exclusive_end = item->end;
	if (!high_keys || item->high.k[0] < order->high.k[0])
		return;
	if (item->high.k[0] > order->high.k[0] || btkey_cmp(&item->high, &order->high) > 0)
		order->high = item->high;
}

void btree_leaf_visit(const struct check *c, const struct btree_leaf *leaf, const struct btree_expect *expect,
		      const struct btree_visitor *visitor, bool *keys_ok)
{
	const struct btree_type *type = btree_type_get(c->geo, expect->kind);
	bool rt = btree_is_rt(expect->kind);
	struct btree_slot slot = {
		.c = c,
		.expect = expect,
		.first_block = rt ? rg_first_block(c->geo, expect->rgno) : c->geo->first_data_agbno,
		.end_block = rt ? (uint32_t)group_length(c->geo, group_of_rg(c->geo, expect->rgno))
				: ag_length(c->geo, expect->agno),
	};
	struct leaf_order order = { .all = leaf->complete };
	struct btree_item item;

	for (slot.index = 0; slot.index < leaf->numrecs; slot.index++) {
		slot.offset = leaf->records + slot.index * type->rec_size;
		slot.bytes = leaf->bytes + slot.offset;
		if (!type->record(&slot, &item)) {
			order.all = false;
			continue;
		}
		/* most records start after all before them, so they are in order */
		if (slot.index == 0 || item.key.k[0] <= order.prev.k[0] || item.key.k[0] < order.end)
			*keys_ok &= check_order(&slot, &item, &order);
		if (type->continues) {
			check_merged(&slot, type, &item, &order);
			order.last = item.record;
		}
		take_in(&order, &item, type->high_keys);
		visitor->record(visitor->ctx, &item.record, slot.index);
	}
	if (order.any)
		*keys_ok &= check_bounds(&slot, &order);
}

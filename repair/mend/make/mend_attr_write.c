/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes an attribute fork (ondisk 07): first the hash tree, then remote values. */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "mend/base/mend.h"
#include "mend/blocks/mend_space.h"
#include "mend_attr.h"
#include "mend_da.h"
#include "repair.h"
#include "mend/collect/mend_inode.h"

/* bytes for a bmbt root with two children: the kernel's minimum for an attribute fork (ondisk 04) */
#define MAP_ROOM 36u

/* The items of each leaf: leaf i has items [starts[i], starts[i + 1]). */
struct plan {
	const struct attr_items *items;
	size_t *starts;
	uint32_t *last_hash;
	uint32_t leaves;
};

/* Divides the items, which are sorted by hash, among leaves. 0 or -ENOMEM. */
static int plan_leaves(const struct geometry *geo, const struct attr_items *items, struct plan *plan)
{
	size_t starts_room = 0, hash_room = 0;

	*plan = (struct plan){ .items = items };
	for (size_t done = 0; done < items->count;) {
		if (array_grow(&plan->starts, &starts_room, plan->leaves + 1u, sizeof(*plan->starts)) ||
		    array_grow(&plan->last_hash, &hash_room, plan->leaves, sizeof(*plan->last_hash)))
			return -ENOMEM;
		plan->starts[plan->leaves] = done;
		done += attr_build_leaf_fit(geo, items->items + done, items->count - done);
		plan->last_hash[plan->leaves++] = items->items[done - 1].hash;
		plan->starts[plan->leaves] = done;
	}
	return 0;
}

static void put_leaf(void *ctx, struct mend_da *w, const struct da_expect *place, uint32_t i,
		     struct da_siblings siblings)
{
	const struct plan *plan = ctx;
	size_t from = plan->starts[i];

	attr_build_leaf(w->geo, w->block, place, plan->items->items + from, plan->starts[i + 1] - from, siblings);
}

/* Sets the places of remote values: from file block `first` on, in the order of items. */
static void place_values(const struct geometry *geo, struct attr_items *items, uint32_t first)
{
	for (size_t i = 0; i < items->count; i++) {
		if (!attr_build_is_remote(geo, &items->items[i]))
			continue;
		items->items[i].valueblk.v = first;
		first += attr_build_value_blocks(geo, &items->items[i]);
	}
}

static void put_values(struct mend_da *w, const struct attr_items *items)
{
	uint32_t capacity = attr_remote_capacity(w->geo);

	for (size_t i = 0; i < items->count; i++) {
		const struct attr_item *item = &items->items[i];

		if (!attr_build_is_remote(w->geo, item))
			continue;
		for (uint32_t k = 0; k < attr_build_value_blocks(w->geo, item) && !w->error; k++) {
			const struct da_expect place = mend_da_place(w, item->valueblk.v + k);

			if (!w->error)
				attr_build_value(w->geo, w->block, &place, item, k * capacity);
			mend_da_put(w);
		}
	}
}

static int write_blocks(struct mend *m, struct mend_inode *inode, struct attr_items *items)
{
	const struct geometry *geo = &m->now->geo;
	struct plan plan;
	struct mend_da w;
	int ret = plan_leaves(geo, items, &plan);

	if (!ret) {
		mend_da_begin(&w, m, inode->ino, ATTR_FORK);
		place_values(geo, items, mend_da_tree_blocks(geo, ATTR_FORK, plan.leaves));
		mend_da_put_tree(&w, plan.last_hash, plan.leaves, put_leaf, &plan);
		put_values(&w, items);
		ret = w.error;
		if (!ret)
			ret = mend_fork_store(m, inode, ATTR_FORK, w.extents, w.nextents);
		mend_da_end(&w);
	}
	free(plan.starts);
	free(plan.last_hash);
	return ret;
}

/* Makes the fork empty, without blocks. 0 or negative errno. */
static int clear(struct mend *m, struct mend_inode *inode)
{
	struct mend_fork *fork = &inode->fork[ATTR_FORK];
	int ret = mend_fork_store(m, inode, ATTR_FORK, NULL, 0);

	fork->count = fork->nodes = 0; /* so that nblocks does not include them any more */
	return ret;
}

static void put_shortform(struct mend_inode *inode, const struct attr_items *items)
{
	const struct dinode_fork *fork = &inode->inode.fork[ATTR_FORK];

	attr_build_sf(inode->bytes + (fork->bytes - inode->bytes), items->items, items->count);
	mend_inode_disk(inode)->aformat = DINODE_FMT_LOCAL;
}

int attr_write(struct mend *m, struct mend_inode *inode, struct attr_items *items)
{
	const struct geometry *geo = &m->now->geo;
	uint32_t shortform = attr_build_sf_size(items->items, items->count);
	const bool began = mend_own_begin(m, inode, ATTR_FORK);
	int ret = 0;

	if (items->count)
		qsort(items->items, items->count, sizeof(*items->items), attr_item_order);
	if (inode->inode.fork[ATTR_FORK].present)
		ret = clear(m, inode);
	if (ret || !items->count)
		/* the fork stays empty */;
	else if (shortform && attr_room_make(inode, geo, shortform))
		put_shortform(inode, items);
	else
		ret = attr_room_make(inode, geo, MAP_ROOM) ? write_blocks(m, inode, items) : -ENOSPC;
	return mend_own_end(m, began, ret ? ret : mend_inode_store(m, inode));
}

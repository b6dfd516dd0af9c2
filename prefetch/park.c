/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stops a sweep early: items that were not begun are parked, so that the others complete soon, and a list of items
 * describes the rest.
 */
#include "sweep.h"

#include <stdlib.h>

#include "array.h"

void sweep_hold(struct sweep *sweep)
{
	__atomic_store_n(&sweep->hold, true, __ATOMIC_RELAXED);
}

bool sweep_held(const struct sweep *sweep)
{
	return park_is_due(sweep);
}

void sweep_let_go(struct sweep *sweep)
{
	__atomic_store_n(&sweep->hold, false, __ATOMIC_RELAXED);
}

struct sweep_item *sweep_take_parked(struct sweep *sweep, unsigned group)
{
	struct group *g = &sweep->groups[group];

	if (g->nparked)
		return g->parked[--g->nparked];
	free(g->parked);
	g->parked = NULL;
	g->parked_room = 0;
	return NULL;
}

struct sweep_item *sweep_take_posted(struct sweep *sweep, unsigned group)
{
	struct group *g = &sweep->groups[group];
	struct cds_wfcq_node *node = __cds_wfcq_dequeue_blocking(&g->inbox_head, &g->inbox_tail);

	return node ? caa_container_of(node, struct sweep_item, node) : NULL;
}

int park_item(struct group *group, struct sweep_item *item)
{
	return array_add(group->parked, group->parked_room, group->nparked, item);
}

/* Parks an item that has been counted. */
static int park_counted(struct group *group, struct sweep_item *item, struct sweep_counts *counts)
{
	counts->items--;
	__atomic_store_n(&counts->bytes_wanted, counts->bytes_wanted - item->length, __ATOMIC_RELAXED);
	group->early_pending -= item->early;
	return park_item(group, item);
}

static int park_heap(struct group *group, struct order_heap *heap, struct sweep_counts *counts)
{
	struct order_heap old = *heap;
	int ret = 0;

	*heap = (struct order_heap){ 0 };
	for (size_t i = 0; i < old.count && !ret; i++) {
		struct sweep_item *item = old.entries[i].item;

		if (item->parks && !item->begun)
			ret = park_counted(group, item, counts);
		else
			ret = order_push(heap, item) ? 0 : -ENOMEM;
	}
	order_free(&old);
	return ret;
}

int park_queues(struct group *group, struct sweep_counts *counts)
{
	struct order_heap *heaps[] = { &group->early, &group->ahead, &group->sources, &group->behind };
	int ret = 0;

	for (size_t i = 0; i < sizeof(heaps) / sizeof(heaps[0]) && !ret; i++)
		ret = park_heap(group, heaps[i], counts);
	return ret;
}

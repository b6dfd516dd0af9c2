/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sweeps a group, pass by pass. The worker that holds the group builds requests from the items ahead of the head, keeps
 * a number of them in flight, delivers items whose bytes have arrived, and places newly posted ones: in a request that
 * covers them already, ahead of the head, or behind it for the next pass.
 */
#include "sweep.h"

#include <errno.h>

/* see take_what_is_near() */
#define BEGINNING_BYTES (64u << 10)
#define BEFORE_BYTES	(32u << 10)

static void hand_over(struct sweep *sweep, struct group *group, unsigned worker, const uint8_t *bytes,
		      const struct piece *piece)
{
	bool early = piece->item->early; /* the item may be freed by the call */

	sweep->ops.arrived(sweep->ops.ctx, worker, piece->item, bytes, piece->offset, piece->len, piece->last);
	if (piece->last)
		group->early_pending -= early;
}

/* Delivers a piece of a completed request, and offers its bytes to the cache. */
static void hand_over_read(struct sweep *sweep, struct group *group, unsigned worker, const struct request *request,
			   const struct piece *piece)
{
	const uint8_t *bytes = (const uint8_t *)request->io.buf + (piece->offset - request->io.offset);

	device_offer(sweep->device, bytes, piece->offset, piece->len, piece->item->source);
	hand_over(sweep, group, worker, bytes, piece);
}

/*
 * Neither the bytes of the next requests nor their items are in the processor's cache: prefetches them step by step,
 * first the item, then its referents, finally the bytes.
 */
static void look_ahead(const struct sweep *sweep, const struct requests *requests)
{
	const struct request *request = requests_after_oldest(requests, 4);

	if (request)
		item_fetch(request->pieces[0].item);
	if (!sweep->ops.ahead)
		return;
	request = requests_after_oldest(requests, 3);
	if (request)
		sweep->ops.ahead(request->pieces[0].item, false);
	request = requests_after_oldest(requests, 2);
	if (request)
		sweep->ops.ahead(request->pieces[0].item, true);
	request = requests_after_oldest(requests, 1);
	if (request && request->done)
		piece_fetch(&request->pieces[0], request->io.buf, request->io.offset);
}

/* Returns the bytes of a whole item if the cache has them from an earlier sweep; NULL: they must be read. */
static const uint8_t *find_kept(const struct sweep *sweep, const struct requests *requests,
				const struct sweep_item *item)
{
	if (item->begun || item->length > SWEEP_MAX_UNIT)
		return NULL;
	return device_borrow(sweep->device, item->offset, item->length, requests->kept);
}

/* Delivers the cached item that hand_over_kept() postponed. False: there is none. */
static bool hand_over_fetched(struct sweep *sweep, struct group *group, struct requests *requests, unsigned worker)
{
	const struct piece piece = requests->fetched;
	const uint8_t *bytes = requests->fetched_bytes;

	if (!bytes)
		return false;
	requests->fetched_bytes = NULL;
	hand_over(sweep, group, worker, bytes, &piece);
	return true;
}

/* Delivers a cached item after the next one, so that it gets into the processor's cache meanwhile. */
static void hand_over_kept(struct sweep *sweep, struct group *group, struct requests *requests, unsigned worker,
			   struct sweep_item *item, const uint8_t *bytes)
{
	const struct piece piece = { item, item->offset, (uint32_t)item->length, true, true };
	const struct piece before = requests->fetched;
	const uint8_t *before_bytes = requests->fetched_bytes;

	sweep->lanes[worker].counts.kept++;
	piece_fetch(&piece, bytes, piece.offset);
	requests->fetched = piece;
	requests->fetched_bytes = bytes;
	if (before_bytes)
		hand_over(sweep, group, worker, before_bytes, &before);
	if (bytes == requests->kept) /* the next item may be copied to the same buffer */
		hand_over_fetched(sweep, group, requests, worker);
}

/* Places a newly posted item. */
static int place(struct sweep *sweep, struct group *group, struct requests *requests, unsigned worker,
		 struct sweep_item *item)
{
	struct request *request = requests_find(requests, item->offset, item->length);
	struct sweep_counts *counts = &sweep->lanes[worker].counts;
	struct order_heap *heap;
	const uint8_t *kept;

	if (item->parks && park_is_due(sweep))
		return park_item(group, item);
	counts->items++;
	__atomic_store_n(&counts->bytes_wanted, counts->bytes_wanted + item->length, __ATOMIC_RELAXED);
	if (item->offset < group->lowest)
		group->lowest = item->offset;
	group->early_pending += item->early;
	if (request) {
		struct piece piece = { item, item->offset, (uint32_t)item->length, true, true };

		counts->reused++;
		if (!request->done || request->npieces) /* the request is not delivered yet: the item waits for that */
			return request_add(request, item, (uint32_t)item->length) ? 0 : -ENOMEM;
		hand_over_read(sweep, group, worker, request, &piece);
		return 0;
	}
	kept = item->source ? NULL : find_kept(sweep, requests, item);
	if (kept) {
		hand_over_kept(sweep, group, requests, worker, item, kept);
		return 0;
	}
	if (item->early)
		heap = &group->early;
	else if (item->offset < group->head)
		heap = &group->behind;
	else
		heap = item->source ? &group->sources : &group->ahead;
	return order_push(heap, item) ? 0 : -ENOMEM;
}

/* Places all items that were posted to the group. 0 or negative errno. */
static int empty_inbox(struct sweep *sweep, struct group *group, struct requests *requests, unsigned worker)
{
	int ret = 0;

	/* one at a time, since delivery may post more */
	while (!ret) {
		struct cds_wfcq_node *node = group->own;
		struct sweep_item *item;

		if (node)
			group->own = node->next;
		else
			node = __cds_wfcq_dequeue_blocking(&group->inbox_head, &group->inbox_tail);
		if (!node)
			break;
		item = caa_container_of(node, struct sweep_item, node);
		(void)__atomic_load_n(&item->posted, __ATOMIC_ACQUIRE); /* see sweep_post() */
		ret = place(sweep, group, requests, worker, item);
	}
	return ret;
}

/* True if requests are expensive and bytes are cheap, as on a disk, by the rules for gaps. */
static bool is_disk(const struct order_rules *rules)
{
	return !rules->gap_share && rules->merge_gap >= BEGINNING_BYTES;
}

/* Chooses the sizes of requests and window by the rules for gaps. */
static void fit_to_gap(const struct sweep *sweep, struct order_rules *rules, struct requests *requests)
{
	uint32_t most = sweep->options.max_request;

	rules->max_request = most < NEAR_REQUEST || is_disk(rules) ? most : NEAR_REQUEST;
	if (is_disk(rules))
		requests_widen(requests);
}

static void begin_pass(struct sweep *sweep, struct group *group, struct requests *requests)
{
	const struct sweep_options *o = &sweep->options;

	group->head = 0;
	group->extent = (struct order_request){ 0 };
	group->rules = (struct order_rules){ .merge_gap = o->merge_gap,
					     .gap_share = o->gap_share,
					     .align = device_align(sweep->device) };
	fit_to_gap(sweep, &group->rules, requests);
}

/* Adapts the rules if requests are measured to be expensive, or not any more. */
static void see_if_slow(struct sweep *sweep, struct order_rules *rules, struct requests *requests)
{
	const struct sweep_options *o = &sweep->options;
	unsigned sweeping = o->workers < sweep->ngroups ? o->workers : sweep->ngroups;
	uint64_t gap = latency_gap(&sweep->latency, sweeping);
	bool slow;

	if (gap > o->slow_merge_gap)
		gap = o->slow_merge_gap;
	slow = gap > o->merge_gap;
	if (!slow)
		gap = o->merge_gap;
	if (rules->merge_gap == gap)
		return;
	rules->merge_gap = (uint32_t)gap;
	rules->gap_share = slow ? 0 : o->gap_share;
	fit_to_gap(sweep, rules, requests);
}

/* Begins a pass, with the items posted behind the head. */
static int next_pass(struct sweep *sweep, struct group *group, struct requests *requests, struct sweep_counts *counts)
{
	struct sweep_item *item;

	counts->passes++;
	begin_pass(sweep, group, requests);
	while ((item = order_pop(&group->behind)))
		if (!order_push(item->source ? &group->sources : &group->ahead, item))
			return -ENOMEM;
	return 0;
}

/* True if so many items are queued that no sources may be read, which would add more. */
static bool is_full(const struct sweep *sweep, const struct group *group)
{
	const struct sweep_options *o = &sweep->options;

	return group->ahead.count + group->behind.count > o->max_queued / o->workers;
}

/* Returns the heap for the next item, or NULL if none may be taken now. */
static struct order_heap *choose(struct sweep *sweep, struct group *group)
{
	if (group->early.count)
		return &group->early;
	if (group->early_pending)
		return NULL; /* the pass continues after early items and their referents are known */
	if (group->sources.count && !is_full(sweep, group) &&
	    (!group->ahead.count || order_top_offset(&group->sources) < order_top_offset(&group->ahead)))
		return &group->sources;
	return group->ahead.count ? &group->ahead : NULL; /* NULL: pass_is_over() */
}

/* Prefetches the items at the top of a heap, one of which is next. */
static void fetch_items(const struct order_heap *heap)
{
	for (size_t i = 0; i <= ORDER_CHILDREN && i < heap->count; i++)
		__builtin_prefetch(heap->entries[i].item);
}

/*
 * Delivers the next item if it is a cached source. Even cached sources take turns, so that they don't add too many
 * items. False: it is not.
 */
static bool take_kept_source(struct sweep *sweep, struct group *group, struct requests *requests, unsigned worker)
{
	struct order_heap *heap = choose(sweep, group);
	struct sweep_item *item = heap == &group->sources ? order_top(heap) : NULL;
	const uint8_t *kept = item ? find_kept(sweep, requests, item) : NULL;

	if (!kept)
		return false;
	order_pop(heap);
	if (heap->count)
		device_borrow_soon(sweep->device, order_top_offset(heap));
	hand_over_kept(sweep, group, requests, worker, item, kept);
	return true;
}

/* Returns the most bytes of a request that begins with this item. */
static size_t most_bytes(const struct order_rules *rules, const struct sweep_item *item)
{
	size_t most = item->unit > rules->max_request ? item->unit : rules->max_request;

	return most + 2 * (size_t)rules->align + (is_disk(rules) ? BEGINNING_BYTES : 0);
}

/*
 * Extends a request for early items on a disk, where more bytes are almost free, but seeking back is expensive. Btrees
 * begin at the start of their group, and the blocks below their roots are there, or right before them.
 */
static void take_what_is_near(const struct sweep *sweep, const struct group *group, struct order_request *extent)
{
	const struct order_rules *rules = &group->rules;
	const uint64_t aligned = ~(uint64_t)(rules->align - 1);
	uint64_t lowest = group->lowest & aligned, beginning = lowest + BEGINNING_BYTES;

	if (!is_disk(rules))
		return;
	if (extent->end < beginning && beginning <= device_bytes(sweep->device))
		extent->end = beginning;
	extent->start = extent->start < beginning ? lowest : (extent->start - BEFORE_BYTES) & aligned;
}

/* Adds waiting items that are within a request for early items. False: out of memory. */
static bool take_what_comes_too(struct group *group, struct request *request, struct sweep_counts *counts)
{
	const struct order_request *extent = &group->extent;
	struct sweep_item *item;

	while ((item = order_top(&group->ahead)) && item->offset >= extent->start &&
	       item->offset + item->length <= extent->end) {
		order_pop(&group->ahead);
		counts->merged++;
		if (!request_add(request, item, (uint32_t)item->length))
			return false;
	}
	return true;
}

/* Builds a request from the queues and submits it. 0: submitted; 1: there was none; or negative errno. */
static int send_next(struct sweep *sweep, struct group *group, struct requests *requests, struct sweep_counts *counts)
{
	struct order_heap *heap = choose(sweep, group);
	struct order_request *extent = &group->extent;
	struct request *request = NULL;
	bool early;

	if (heap) {
		see_if_slow(sweep, &group->rules, requests);
		request = requests_new(requests, most_bytes(&group->rules, order_top(heap)));
	}
	if (!request)
		return 1;
	early = heap == &group->early;
	for (; heap; heap = choose(sweep, group)) {
		struct sweep_item *item = order_top(heap);
		uint32_t len;

		if (early != (heap == &group->early))
			break;
		len = request->npieces ? order_extend(&group->rules, extent, item->offset, item->length, item->unit)
				       : order_begin(&group->rules, extent, item->offset, item->length, item->unit);
		if (!len)
			break;
		if (early && !request->npieces)
			take_what_is_near(sweep, group, extent);
		counts->merged += request->npieces > 0;
		order_pop(heap);
		fetch_items(heap);
		if (!request_add(request, item, len))
			return -ENOMEM;
		if (item->length && !order_push(heap, item)) /* the rest of the item, which now begins further on */
			return -ENOMEM;
	}
	if (early && !take_what_comes_too(group, request, counts))
		return -ENOMEM;
	if (!early)
		group->head = extent->end;
	return requests_submit(requests, extent);
}

/* True if nothing is left ahead of the head, or only sources while the queues are full. */
static bool pass_is_over(const struct sweep *sweep, const struct group *group)
{
	return !group->ahead.count && !group->early.count && (!group->sources.count || is_full(sweep, group));
}

static bool all_queues_empty(const struct group *group)
{
	return !group->early.count && !group->ahead.count && !group->sources.count && !group->behind.count;
}

/* Frees the memory of the queues, since of many groups only a few are swept at a time. */
static void give_back(struct group *group)
{
	order_free(&group->early);
	order_free(&group->ahead);
	order_free(&group->sources);
	order_free(&group->behind);
}

static void deliver(struct sweep *sweep, struct group *group, unsigned worker, struct request *request)
{
	/* pieces may be added during delivery */
	for (size_t i = 0; i < request->npieces; i++) {
		struct piece piece = request->pieces[i];

		if (i + 1 < request->npieces)
			piece_fetch(&request->pieces[i + 1], request->io.buf, request->io.offset);
		hand_over_read(sweep, group, worker, request, &piece);
	}
}

int group_sweep(struct sweep *sweep, struct group *group, struct requests *requests, unsigned worker)
{
	struct sweep_counts *counts = &sweep->lanes[worker].counts;
	bool parked = false;
	int ret = 0;

	begin_pass(sweep, group, requests);
	while (!ret) {
		struct request *request;

		ret = empty_inbox(sweep, group, requests, worker);
		if (!ret && !parked && park_is_due(sweep)) {
			ret = park_queues(group, counts);
			parked = true;
		}
		if (ret)
			break;
		if (take_kept_source(sweep, group, requests, worker) ||
		    hand_over_fetched(sweep, group, requests, worker))
			continue;
		if (pass_is_over(sweep, group) && !requests_active(requests)) {
			if (share_wait(sweep, group, worker)) /* other workers may have posted items */
				continue;
			if (all_queues_empty(group)) {
				give_back(group);
				break;
			}
			ret = next_pass(sweep, group, requests, counts);
			continue;
		}
		while (!ret)
			ret = send_next(sweep, group, requests, counts);
		if (ret < 0)
			break;
		ret = 0;
		request = requests_wait_oldest(requests);
		if (!request) {
			share_wait(sweep, group, worker); /* until there is room in the window */
			continue;
		}
		look_ahead(sweep, requests);
		if (!share_give(sweep, group, request))
			deliver(sweep, group, worker, request);
		requests_delivered(requests);
	}
	while (share_wait(sweep, group, worker))
		;
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attribute forks of version 4.  Their value blocks have no header, only bytes that a user chose, so a block's contents
 * don't show whether it belongs to the hash tree (ondisk 07).  Therefore the fork's extent map is kept, and the hash
 * tree is read from its root down, one level at a time: the next level is posted when no block of the fork is in
 * flight.  The value blocks are read last, only to see whether they are readable.  Every mapped block must either be in
 * the tree or be part of an entry's value; a sum of range hashes like the ledger's checks that.
 */
#include <stdlib.h>

#include "walk.h"
#include "sets/ordered.h"

/* Returns the hash of range [start, start + len) of the fork: hashes of adjacent ranges add up to that of the union. */
static uint64_t range_hash(const struct walker *w, uint64_t start, uint64_t len)
{
	const struct hash_key *key = w->t->sink.key;

	return hash2(key, 0, start) - hash2(key, 0, start + len);
}

uint64_t attr_tree_value(const struct walker *w, uint64_t dablk, uint32_t valuelen)
{
	return range_hash(w, dablk, ((uint64_t)valuelen + w->t->geo->block_size - 1) >> w->t->geo->block_log);
}

void attr_tree_map(struct walker *w, struct inflight *inflight, const struct bmap_record *record)
{
	struct attr_state *attr = inflight->attr;
	bool locked;

	if (!attr)
		return;
	locked = inflight_lock(inflight);
	walk_add(w, attr->map, attr->map_room, attr->nmap, *record);
	attr->remote -= range_hash(w, record->off.v, record->len);
	inflight_unlock(inflight, locked);
}

static void want(struct walker *w, struct attr_state *attr, uint32_t dablk)
{
	walk_add(w, attr->wanted, attr->wanted_room, attr->nwanted, dablk);
}

struct children {
	struct walker *w;
	struct attr_state *attr;
};

static void attr_child_found(void *ctx, dablk_t before, uint32_t hash)
{
	const struct children *children = ctx;

	(void)hash;
	want(children->w, children->attr, before.v);
}

void attr_tree_children(struct walker *w, struct inflight *inflight, const uint8_t *bytes,
			const struct da_expect *expect)
{
	const struct check quiet = check_silent(w->t->geo);
	struct children children = { w, inflight->attr };
	struct da_node node;
	bool locked;

	locked = inflight_lock(inflight);
	da_node_decode(&quiet, bytes, w->t->geo->block_size, expect, attr_child_found, &children, &node);
	inflight_unlock(inflight, locked);
}

static int place_in_extent(const void *key, const void *element)
{
	const struct bmap_record *r = element;
	uint32_t dablk = *(const uint32_t *)key;

	return dablk < r->off.v ? -1 : dablk >= r->off.v + r->len;
}

/* Posts a block of the tree.  If it is unmapped, it will be missing from the sum over the node's children. */
static void post(struct walker *w, struct inflight *inflight, uint32_t dablk)
{
	struct attr_state *attr = inflight->attr;
	const struct bmap_record *r = NULL;
	bool locked;

	if (attr->nmap)
		r = bsearch(&dablk, attr->map, attr->nmap, sizeof(*r), place_in_extent);
	if (!r)
		return;
	locked = inflight_lock(inflight);
	attr->remote += range_hash(w, dablk, 1);
	inflight_unlock(inflight, locked);
	walk_extent_post(w, inflight, ATTR_FORK, r, dablk - r->off.v, 1);
}

/*
 * Reduces attr->wanted to one of each block that was not read before, and adds these to attr->tree.  Returns their
 * number, and sets attr->nwanted to 0.
 */
static size_t take_wanted(struct walker *w, struct attr_state *attr)
{
	size_t before = attr->ntree, n = 0;

	ordered_sort(attr->wanted, attr->nwanted, MEMBERS(ELEMENT(attr->wanted)));
	for (size_t i = 0; i < attr->nwanted; i++) {
		const uint32_t *dablk = &attr->wanted[i];

		if ((i && dablk[0] == dablk[-1]) ||
		    ordered_find(attr->tree, before, ELEMENT(attr->tree), *dablk) < before)
			continue;
		if (walk_grow(w, &attr->tree, &attr->tree_room, attr->ntree, sizeof(*attr->tree)))
			break;
		attr->tree[attr->ntree++] = *dablk;
		attr->wanted[n++] = *dablk;
	}
	attr->nwanted = 0;
	if (n)
		ordered_sort(attr->tree, attr->ntree, MEMBERS(ELEMENT(attr->tree)));
	return n;
}

static bool in_tree(const struct attr_state *attr, uint64_t dablk)
{
	return ordered_find(attr->tree, attr->ntree, ELEMENT(attr->tree), (uint32_t)dablk) < attr->ntree;
}

/* Posts all mapped blocks that are not in the tree, and takes a reference for the caller.  False: there are none. */
static bool post_values(struct walker *w, struct inflight *inflight)
{
	struct attr_state *attr = inflight->attr;
	bool any = false;

	attr->values = true;
	for (size_t i = 0; i < attr->nmap; i++) {
		const struct bmap_record *r = &attr->map[i];

		for (uint64_t from = 0, to; from < r->len; from = to + 1) {
			for (to = from; to < r->len && !in_tree(attr, r->off.v + to);)
				to++;
			if (to == from)
				continue;
			if (!any)
				__atomic_store_n(&inflight->refs, 1, __ATOMIC_RELEASE);
			any = true;
			walk_extent_post(w, inflight, ATTR_FORK, r, from, to - from);
		}
	}
	return any;
}

bool attr_tree_continue(struct walker *w, struct inflight *inflight)
{
	struct attr_state *attr = inflight->attr;
	uint32_t *wanted;
	size_t n;

	if (w->t->geo->crc || attr->values)
		return false;
	if (attr->rounds == DA_LEVELS)
		return post_values(w, inflight);
	if (attr->rounds++ == 0) {
		ordered_sort(attr->map, attr->nmap, MEMBERS(MEMBER(attr->map, off)));
		want(w, attr, 0);
	}
	n = take_wanted(w, attr);
	if (n == 0)
		return post_values(w, inflight);
	/* take the array away: another worker may add to attr->wanted as soon as the first block is posted */
	wanted = attr->wanted;
	attr->wanted = NULL;
	attr->wanted_room = 0;
	__atomic_store_n(&inflight->refs, 1, __ATOMIC_RELEASE);
	for (size_t i = 0; i < n; i++)
		post(w, inflight, wanted[i]);
	free(wanted);
	return true;
}

void attr_tree_free(struct attr_state *attr)
{
	free(attr->map);
	free(attr->wanted);
	free(attr->tree);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects attributes from an inode or its attribute fork.  Each leaf, and each entry in it, is taken by itself,
 * whatever nodes, siblings or headers say.  A lost value costs the attribute that it belongs to, and no other.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "disk/attr.h"
#include "mend/base/mend.h"
#include "mend/collect/mend_inode.h"
#include "mend_attr_blocks.h"
#include "mend_attr_value.h"
#include "repair.h"
#include "sets/ordered.h"

struct attr_collector {
	const struct geometry *geo;
	struct attr_blocks blocks; /* of a fork that is not in the inode */
	struct attr_items *items;
	struct attr_values values;
	struct attr_entry *waiting; /* entries whose value is not where they say; their names are copies */
	size_t nwaiting, room;
	uint64_t problems; /* of the leaf at hand */
	uint64_t dropped;  /* its entries that are no loss: incomplete ones, and duplicates */
	int error;
};

static void count_problem(void *ctx, const struct problem *problem)
{
	struct attr_collector *c = ctx;

	c->problems++;
	c->dropped += problem->finding == F_ATTR_INCOMPLETE || problem->finding == F_ATTR_DUPLICATE;
}

/* ---- entries ---- */

/* Note an attribute whose value is lost, and its name. 0 or -ENOMEM. */
static int add_lost(struct attr_items *items, const struct attr_entry *e)
{
	struct attr_item *to = &items->lost_names[items->nlost_names];

	items->lost++;
	if (items->nlost_names == ATTR_LOST_NAMES)
		return 0;
	*to = (struct attr_item){ .flags = e->flags, .namelen = e->namelen, .name = malloc(e->namelen) };
	if (!to->name)
		return -ENOMEM;
	memcpy((void *)to->name, e->name, e->namelen);
	items->nlost_names++;
	return 0;
}

static int add_item(struct attr_collector *c, const struct attr_entry *e)
{
	const struct attr_item item = {
		.flags = e->flags & (ATTR_ROOT | ATTR_SECURE | ATTR_PARENT),
		.namelen = e->namelen,
		.name = e->name,
		.value = e->remote ? c->values.bytes : e->value,
		.valuelen = e->valuelen,
		.hash = attr_hash(c->geo, e),
	};

	return attr_items_add(c->items, &item);
}

static int add_waiting(struct attr_collector *c, const struct attr_entry *e)
{
	uint8_t *name = malloc(e->namelen);

	if (!name || array_grow(&c->waiting, &c->room, c->nwaiting, sizeof(*c->waiting))) {
		free(name);
		return -ENOMEM;
	}
	memcpy(name, e->name, e->namelen);
	c->waiting[c->nwaiting] = *e;
	c->waiting[c->nwaiting++].name = name;
	return 0;
}

static void add_attr_entry(void *ctx, const struct attr_entry *e)
{
	struct attr_collector *c = ctx;

	if (c->error)
		return;
	if (!e->remote || attr_value_read(&c->values, e))
		c->error = add_item(c, e);
	else
		c->error = add_waiting(c, e);
}

/* When all other values have been taken: find the values of the entries that wait, or note these as lost. */
static void settle_waiting(struct attr_collector *c)
{
	for (size_t i = 0; i < c->nwaiting; i++) {
		struct attr_entry e = c->waiting[i];

		if (!c->error && attr_value_search(&c->values, &e))
			c->error = add_item(c, &e);
		else if (!c->error)
			c->error = add_lost(c->items, &c->waiting[i]);
		free((void *)c->waiting[i].name);
	}
	free(c->waiting);
}

/* How many entries of a leaf that the decoder has left out are a loss. */
static uint64_t left_out(const struct attr_collector *c, const struct attr_leaf *leaf)
{
	return leaf->left_out > c->dropped ? leaf->left_out - c->dropped : 0;
}

/* True if a leaf decodes without any problem. */
static bool is_sound_leaf(struct attr_collector *c, const struct check *check, const uint8_t *block,
			  const struct da_expect *expect)
{
	struct attr_leaf leaf;

	c->problems = 0;
	return attr_leaf_decode(check, block, expect, attr_ignore, NULL, &leaf) && !c->problems;
}

/* Collect from all leaves; from sound ones first, so that their attributes are kept if others have the same names. */
static void collect_leaves(struct attr_collector *c)
{
	const struct check check = { c->blocks.geo, count_problem, c };
	uint8_t *block = malloc(c->blocks.geo->block_size);
	struct da_expect expect;
	struct attr_leaf leaf;

	if (!block)
		c->error = -ENOMEM;
	for (unsigned sound = 2; sound-- > 0 && !c->error;) {
		for (size_t i = 0; i < c->blocks.nleaves && !c->error; i++) {
			if (!attr_blocks_leaf(&c->blocks, i, block, &expect) ||
			    is_sound_leaf(c, &check, block, &expect) != sound)
				continue;
			c->dropped = 0;
			if (!sound)
				attr_leaf_mend(c->geo, block, expect.owner);
			if (attr_leaf_decode(&check, block, &expect, add_attr_entry, c, &leaf))
				c->items->lost += left_out(c, &leaf);
		}
	}
	c->items->lost_blocks = c->blocks.lost;
	free(block);
}

/* ---- no attribute twice ---- */

/* The directory that a parent pointer names; NULL_INO: it is none, or has a wrong length. */
static uint64_t parent_of(const struct attr_item *item)
{
	struct attr_parent_disk value;

	if (!(item->flags & ATTR_PARENT) || item->valuelen != sizeof(value))
		return NULL_INO;
	memcpy(&value, item->value, sizeof(value));
	return be64_get(value.ino);
}

static bool is_same_attribute(const struct attr_item *a, const struct attr_item *b)
{
	return a->flags == b->flags && a->namelen == b->namelen && !memcmp(a->name, b->name, a->namelen) &&
	       parent_of(a) == parent_of(b);
}

void attr_items_remove(struct attr_items *items, size_t index)
{
	items->items[index].namelen = 0;
}

void attr_items_settle(struct attr_items *items)
{
	size_t kept = 0;

	for (size_t i = 0; i < items->count; i++) {
		if (items->items[i].namelen)
			items->items[kept++] = items->items[i];
		else
			free((void *)items->items[i].name);
	}
	items->count = kept;
	name_chains_forget(&items->chains);
}

/* Drop attributes that an earlier one is the same as. 0 or -ENOMEM. */
static int drop_repeated(struct attr_items *items)
{
	struct attr_item **sorted = calloc(items->count + 1, sizeof(struct attr_item *));

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < items->count; i++)
		sorted[i] = &items->items[i];
	/* of those with the same hash, the one that was found first comes first */
	ordered_sort(sorted, items->count, MEMBERS(THROUGH(sorted, hash), ELEMENT(sorted)));
	for (size_t i = 0, first = 0; i < items->count; i++) {
		if (sorted[i]->hash != sorted[first]->hash)
			first = i;
		for (size_t k = first; k < i; k++) {
			if (sorted[k]->namelen && is_same_attribute(sorted[k], sorted[i])) {
				attr_items_remove(items, (size_t)(sorted[i] - items->items));
				break;
			}
		}
	}
	free(sorted);
	attr_items_settle(items);
	return 0;
}

int attr_items_collect(struct mend *m, const struct mend_inode *inode, struct attr_items *ret)
{
	const struct dinode_fork *fork = &inode->inode.fork[ATTR_FORK];
	struct attr_collector c = { .geo = &m->now->geo, .items = ret };
	const struct check check = { c.geo, count_problem, &c };

	*ret = (struct attr_items){ 0 };
	if (fork->format == FMT_LOCAL) {
		attr_sf_decode(&check, fork->bytes, fork->size, inode->ino, add_attr_entry, &c);
		ret->lost = attr_sf_damaged(c.geo, fork->bytes, fork->size, inode->ino);
	} else {
		c.error = attr_blocks_find_leaves(m, inode, &c.blocks);
		if (!c.error)
			c.error = attr_values_init(&c.values, &c.blocks);
		if (!c.error)
			collect_leaves(&c);
		settle_waiting(&c);
		attr_values_free(&c.values);
		attr_blocks_free(&c.blocks);
	}
	return c.error ? c.error : drop_repeated(ret);
}

void attr_items_free(struct attr_items *items)
{
	for (size_t i = 0; i < items->count; i++)
		free((void *)items->items[i].name);
	for (size_t i = 0; i < items->nlost_names; i++)
		free((void *)items->lost_names[i].name);
	free(items->items);
	name_chains_free(&items->chains);
}

int attr_items_add(struct attr_items *items, const struct attr_item *item)
{
	struct attr_item *to;
	uint8_t *bytes;

	if (array_grow(&items->items, &items->room, items->count, sizeof(*items->items)))
		return -ENOMEM;
	bytes = malloc((size_t)item->namelen + item->valuelen);
	if (!bytes)
		return -ENOMEM;
	memcpy(bytes, item->name, item->namelen);
	if (item->valuelen)
		memcpy(bytes + item->namelen, item->value, item->valuelen);
	to = &items->items[items->count++];
	*to = *item;
	to->name = bytes;
	to->value = bytes + item->namelen;
	return 0;
}

static uint32_t hash_of(const void *items, size_t index)
{
	return ((const struct attr_item *)items)[index].hash;
}

int attr_items_find_pptr(const struct geometry *geo, struct attr_items *items, xino_t parent,
			 const struct name_view *name, size_t *ret)
{
	const uint32_t hash = da_hash_pptr(name->bytes, name->len, geo->ascii_ci, parent);
	int error = name_chains_grow(&items->chains, items->items, items->count, hash_of);
	uint32_t at = error ? 0 : name_chains_last(&items->chains, hash);

	for (; at; at = name_chains_before(&items->chains, at)) {
		const struct attr_item *item = &items->items[at - 1];

		if (item->namelen && item->namelen == name->len && parent_of(item) == parent.v &&
		    !memcmp(item->name, name->bytes, name->len))
			break;
	}
	*ret = at ? at - 1 : items->count;
	return error;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attributes out of an inode or its attribute fork.  Every leaf stands for itself, and every entry in it; what nodes,
 * siblings or headers say does not matter.  A value that is lost costs the attribute that it belongs to, and no other.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "disk/attr.h"
#include "libxfs/crc.h"
#include "mend_attr_blocks.h"

struct collect {
	const struct geometry *geo;
	struct attr_blocks blocks; /* of a fork that has any */
	struct attr_items *items;
	uint8_t *value; /* room for the longest */
	uint8_t *taken; /* of each mapped block: it has the value of another attribute */
	uint64_t problems;
	uint64_t dropped; /* entries that nobody misses: never completed, or there twice */
	int error;
};

static void count_problem(void *ctx, const struct problem *problem)
{
	struct collect *c = ctx;

	c->problems++;
	c->dropped += problem->finding == F_ATTR_INCOMPLETE || problem->finding == F_ATTR_DUPLICATE;
}

/* ---- values in blocks of their own ---- */

/* What a block is for: these bytes of a value. */
struct part {
	xino_t owner;
	xdaddr_t daddr;
	uint32_t offset, bytes;
};

/* Whether a block of a file can be there. */
static bool is_place(const struct geometry *geo, xdaddr_t daddr)
{
	uint64_t bytes = daddr.v << SECTOR_LOG, block = bytes >> geo->block_log;

	if (daddr.v > UINT64_MAX >> SECTOR_LOG || bytes % geo->block_size || block / geo->agblocks >= geo->agcount)
		return false;
	return agbno_valid(geo, (agno_t){ (uint32_t)(block / geo->agblocks) },
			   (agbno_t){ (uint32_t)(block % geo->agblocks) });
}

/*
 * Whether it is the value's block although something in it is wrong.  With a right checksum the header is as it was
 * written: for another place or another file, then, unless there can't be such a place.  Else one field of it may be
 * damaged.
 */
static bool is_part(const struct geometry *geo, const uint8_t *block, const struct part *part)
{
	const struct attr_remote_disk *hdr = (const void *)block;
	bool magic = be32_get(hdr->magic) == DA_MAGIC_ATTR_VALUE;
	unsigned misplaced = (be64_get(hdr->owner) != part->owner.v) + (be64_get(hdr->blkno) != part->daddr.v);
	unsigned other = !magic + (be32_get(hdr->offset) != part->offset) + (be32_get(hdr->bytes) != part->bytes) +
			 (memcmp(hdr->uuid, geo->meta_uuid, sizeof(hdr->uuid)) != 0);

	if (crc_is_right(block, geo->block_size, offsetof(struct attr_remote_disk, crc)))
		return magic && (misplaced == 0 || (misplaced + other == 1 && be64_get(hdr->owner) == part->owner.v &&
						    !is_place(geo, (xdaddr_t){ be64_get(hdr->blkno) })));
	return misplaced + other <= 1;
}

static void take_value(struct collect *c, const struct attr_entry *e, uint32_t count)
{
	uint64_t number;
	xdaddr_t daddr;

	for (uint32_t i = 0; i < count; i++)
		if (attr_blocks_find(&c->blocks, (uint64_t)e->valueblk.v + i, &number, &daddr))
			c->taken[number] = 1;
}

/* The entry's value to c->value. False: it is lost. */
static bool read_value(struct collect *c, const struct attr_entry *e)
{
	const struct geometry *geo = c->blocks.geo;
	uint32_t capacity = attr_remote_capacity(geo), header = geo->block_size - capacity, done = 0;
	uint8_t *block = c->blocks.block;

	for (uint64_t dablk = e->valueblk.v; done < e->valuelen; dablk++) {
		struct part part = { c->blocks.inode->ino, { 0 }, done, e->valuelen - done };
		uint64_t number;

		if (part.bytes > capacity)
			part.bytes = capacity;
		if (!attr_blocks_find(&c->blocks, dablk, &number, &part.daddr) || c->taken[number] ||
		    !attr_blocks_read(&c->blocks, part.daddr, block) || (geo->crc && !is_part(geo, block, &part)))
			return false;
		memcpy(c->value + done, block + header, part.bytes);
		done += part.bytes;
	}
	take_value(c, e, (e->valuelen + capacity - 1) / capacity);
	return true;
}

/* ---- entries ---- */

/* One that had a name, but no value any more. */
static int add_lost(struct attr_items *items, const struct attr_item *item)
{
	struct attr_item *to = &items->lost_names[items->nlost_names];

	items->lost++;
	if (items->nlost_names == ATTR_LOST_NAMES)
		return 0;
	*to = (struct attr_item){ .flags = item->flags, .namelen = item->namelen, .name = malloc(item->namelen) };
	if (!to->name)
		return -ENOMEM;
	memcpy((void *)to->name, item->name, item->namelen);
	items->nlost_names++;
	return 0;
}

static void add_entry(void *ctx, const struct attr_entry *e)
{
	struct collect *c = ctx;
	const struct attr_item item = {
		.flags = e->flags & (ATTR_ROOT | ATTR_SECURE | ATTR_PARENT),
		.namelen = e->namelen,
		.name = e->name,
		.value = e->remote ? c->value : e->value,
		.valuelen = e->valuelen,
		.hash = attr_hash(c->geo, e),
	};

	if (c->error)
		return;
	if (!e->remote || read_value(c, e))
		c->error = attr_items_add(c->items, &item);
	else
		c->error = add_lost(c->items, &item);
}

static uint64_t left_out(const struct collect *c, const struct attr_leaf *leaf)
{
	return leaf->left_out > c->dropped ? leaf->left_out - c->dropped : 0;
}

/* Of a leaf: whether the decoder has nothing to say about it. */
static bool is_sound(struct collect *c, const struct check *check, const uint8_t *block, const struct da_expect *expect)
{
	struct attr_leaf leaf;

	c->problems = 0;
	return attr_leaf_decode(check, block, expect, attr_ignore, NULL, &leaf) && !c->problems;
}

/* All leaves; those without a fault come first, so that of two of a kind theirs is the one that is kept. */
static void collect_leaves(struct collect *c)
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
			    is_sound(c, &check, block, &expect) != sound)
				continue;
			c->dropped = 0;
			if (!sound)
				attr_leaf_mend(c->geo, block, expect.owner);
			if (attr_leaf_decode(&check, block, &expect, add_entry, c, &leaf))
				c->items->lost += left_out(c, &leaf);
		}
	}
	c->items->lost_blocks = c->blocks.lost;
	free(block);
}

/* ---- no attribute twice ---- */

static int found_order(const void *a, const void *b)
{
	const struct attr_item *x = *(struct attr_item *const *)a, *y = *(struct attr_item *const *)b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x > y) - (x < y); /* the one that came first */
}

static uint64_t parent_of(const struct attr_item *item)
{
	struct attr_parent_disk value;

	if (!(item->flags & ATTR_PARENT) || item->valuelen != sizeof(value))
		return NULL_INO;
	memcpy(&value, item->value, sizeof(value));
	return be64_get(value.ino);
}

static bool same(const struct attr_item *a, const struct attr_item *b)
{
	return a->flags == b->flags && a->namelen == b->namelen && !memcmp(a->name, b->name, a->namelen) &&
	       parent_of(a) == parent_of(b);
}

static int drop_repeated(struct attr_items *items)
{
	struct attr_item **sorted = calloc(items->count + 1, sizeof(struct attr_item *));
	size_t kept = 0;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < items->count; i++)
		sorted[i] = &items->items[i];
	qsort(sorted, items->count, sizeof(struct attr_item *), found_order);
	for (size_t i = 0, first = 0; i < items->count; i++) {
		if (sorted[i]->hash != sorted[first]->hash)
			first = i;
		for (size_t k = first; k < i; k++) {
			if (sorted[k]->namelen && same(sorted[k], sorted[i])) {
				sorted[i]->namelen = 0; /* goes, below */
				break;
			}
		}
	}
	free(sorted);
	for (size_t i = 0; i < items->count; i++) {
		if (items->items[i].namelen)
			items->items[kept++] = items->items[i];
		else
			free((void *)items->items[i].name);
	}
	items->count = kept;
	return 0;
}

int attr_items_collect(struct mend *m, const struct mend_inode *inode, struct attr_items *ret)
{
	const struct dinode_fork *fork = &inode->inode.fork[ATTR_FORK];
	struct collect c = { .geo = &m->now->geo, .items = ret };
	const struct check check = { c.geo, count_problem, &c };

	*ret = (struct attr_items){ 0 };
	if (fork->format == FMT_LOCAL) {
		attr_sf_decode(&check, fork->bytes, fork->size, inode->ino, add_entry, &c);
	} else {
		c.error = attr_blocks_find_leaves(m, inode, &c.blocks);
		c.value = malloc(ATTR_MAX_VALUE);
		c.taken = calloc(c.blocks.count + 1, 1);
		if (!c.error && (!c.value || !c.taken))
			c.error = -ENOMEM;
		if (!c.error)
			collect_leaves(&c);
		free(c.value);
		free(c.taken);
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

size_t attr_items_find_pptr(const struct attr_items *items, xino_t parent, const struct name_view *name)
{
	for (size_t i = 0; i < items->count; i++) {
		const struct attr_item *item = &items->items[i];

		if (item->namelen == name->len && parent_of(item) == parent.v &&
		    !memcmp(item->name, name->bytes, name->len))
			return i;
	}
	return items->count;
}

void attr_items_remove(struct attr_items *items, size_t index)
{
	free((void *)items->items[index].name);
	items->count--;
	memmove(&items->items[index], &items->items[index + 1], (items->count - index) * sizeof(*items->items));
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects attributes from an inode or its attribute fork.  Leaves and entries are taken one by one, regardless of
 * nodes, siblings and headers.  If a value is lost, only its own attribute is lost.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "disk/attr.h"
#include "disk/da.h"
#include "libxfs/crc.h"
#include "mend/base/mend.h"
#include "mend/base/mend_map.h"
#include "mend/collect/mend_inode.h"
#include "mend_attr.h"
#include "repair.h"
#include "sets/ordered.h"

struct attr_blocks {
	struct mend *m;
	const struct geometry *geo;
	const struct mend_inode *inode;
	uint64_t *before;	/* per extent: number of its first block */
	uint64_t count;		/* number of mapped blocks */
	uint8_t *block;		/* buffer for a block */
	struct attr_near *near; /* the blocks read last */
	uint32_t *leaves;	/* file blocks of the leaves */
	size_t nleaves, room;
	uint64_t lost; /* unreadable blocks, and those that are neither in the tree nor part of a value */
};

/* Finds the leaves among the blocks of an attribute fork (ondisk 07). */

#define BLOCKS_MAX (1u << 18)
#define NEAR_BYTES (64u << 10) /* adjacent blocks that are read together; at least one block */

/* Blocks [first, first + count), which were read together. Nothing is written while they are in use. */
struct attr_near {
	uint64_t first;
	uint32_t count, room;
	uint8_t bytes[];
};

static int near_new(struct attr_blocks *b)
{
	const uint32_t size = b->geo->block_size, room = size < NEAR_BYTES ? NEAR_BYTES / size : 1;

	b->near = malloc(sizeof(*b->near) + (size_t)room * size);
	if (!b->near)
		return -ENOMEM;
	b->near->first = b->near->count = 0;
	b->near->room = room;
	return 0;
}

/* Returns the index of the extent with this block number. */
static size_t extent_of(const struct attr_blocks *b, uint64_t number)
{
	return ordered_behind(b->before, b->inode->fork[ATTR_FORK].count, ELEMENT(b->before), number) - 1;
}

/* Gets the number and disk address of a file block. False: not mapped. */
static bool attr_blocks_find(const struct attr_blocks *b, uint64_t dablk, uint64_t *ret_number, xdaddr_t *ret_daddr)
{
	const struct mend_fork *fork = &b->inode->fork[ATTR_FORK];
	size_t i = mend_map_behind(fork->extents, fork->count, dablk);
	uint64_t into;

	if (i == fork->count || fork->extents[i].off.v > dablk)
		return false;
	into = dablk - fork->extents[i].off.v;
	*ret_number = b->before[i] + into;
	*ret_daddr = daddr_of_fsbno(b->geo, (fsbno_t){ fork->extents[i].start.v + into });
	return true;
}

/* Reads a block by its number. False: unreadable. */
static bool attr_blocks_read(const struct attr_blocks *b, uint64_t number, uint8_t *block)
{
	const size_t size = b->geo->block_size, i = extent_of(b, number);
	const struct bmap_record *extent = &b->inode->fork[ATTR_FORK].extents[i];
	const uint64_t into = number - b->before[i], rest = extent->len - into;
	const uint64_t from = bytes_of_daddr(daddr_of_fsbno(b->geo, (fsbno_t){ extent->start.v + into }));
	struct attr_near *near = b->near;

	if (number < near->first || number >= near->first + near->count) {
		near->first = number;
		near->count = rest < near->room ? (uint32_t)rest : near->room;
		if (mend_read(b->m, near->bytes, from, near->count * size)) {
			near->count = 0;
			/* another one of the blocks may be unreadable */
			return !mend_read(b->m, block, from, size);
		}
	}
	memcpy(block, near->bytes + (number - near->first) * size, size);
	return true;
}

/* Reads leaves[i]; *ret_expect: what its header must say. False: unreadable. */
static bool attr_blocks_leaf(const struct attr_blocks *b, size_t i, uint8_t *block, struct da_expect *ret_expect)
{
	uint64_t number;

	*ret_expect = (struct da_expect){ b->inode->ino, { 0 }, { b->leaves[i] }, ATTR_FORK };
	return attr_blocks_find(b, b->leaves[i], &number, &ret_expect->daddr) && attr_blocks_read(b, number, block);
}

static int add_leaf(struct attr_blocks *b, uint32_t dablk)
{
	return array_add(b->leaves, b->room, b->nleaves, dablk);
}

/* ---- version 5 ---- */

/* Returns the kind of a block; DA_UNKNOWN also if its header has both another owner and another address. */
static enum da_magic identify(const struct attr_blocks *b, const struct check *check, uint64_t number, xdaddr_t daddr)
{
	const struct da_blkinfo_disk *info = (const void *)b->block;
	enum da_magic kind;

	if (!attr_blocks_read(b, number, b->block))
		return DA_UNKNOWN;
	kind = da_identify(check, b->block, b->geo->block_size);
	if ((kind == DA_ATTR_LEAF || kind == DA_NODE) && be64_get(info->owner) != b->inode->ino.v &&
	    be64_get(info->blkno) != daddr.v)
		return DA_UNKNOWN;
	return kind;
}

static int leaves_by_magic(struct attr_blocks *b)
{
	const struct mend_fork *fork = &b->inode->fork[ATTR_FORK];
	const struct check check = check_silent(b->geo);
	int ret = 0;

	for (size_t i = 0; i < fork->count && !ret; i++) {
		for (uint64_t k = 0; k < fork->extents[i].len && !ret; k++) {
			xdaddr_t daddr = daddr_of_fsbno(b->geo, (fsbno_t){ fork->extents[i].start.v + k });

			switch (identify(b, &check, b->before[i] + k, daddr)) {
			case DA_ATTR_LEAF:
				ret = add_leaf(b, (uint32_t)(fork->extents[i].off.v + k));
				break;
			case DA_NODE:
			case DA_ATTR_REMOTE: /* checked later, when the attribute of the value is read */
				break;
			default:
				b->lost++;
			}
		}
	}
	return ret;
}

/* ---- version 4 ---- */

enum state {
	UNKNOWN,
	NODE,
	LEAF,
	MAYBE, /* decodes as a leaf, but the tree does not point to it */
	VALUE,
};

struct search {
	struct attr_blocks *b;
	uint8_t *states;   /* enum state of each mapped block */
	enum state marked; /* blocks in this state, or UNKNOWN, become VALUE if they are part of an attribute's value */
	uint32_t *todo;	   /* file blocks that the tree points to */
	size_t ntodo, room;
	unsigned problems;
	int error;
};

static void add_child(void *ctx, dablk_t before, uint32_t hash)
{
	struct search *s = ctx;

	(void)hash;
	if (!s->error)
		s->error = array_add(s->todo, s->room, s->ntodo, before.v);
}

static void claim_value(void *ctx, const struct attr_entry *e)
{
	struct search *s = ctx;
	uint32_t size = s->b->geo->block_size, count = (e->valuelen + size - 1) / size;

	for (uint32_t i = 0; e->remote && i < count; i++) {
		uint64_t number;
		xdaddr_t daddr;

		if (attr_blocks_find(s->b, (uint64_t)e->valueblk.v + i, &number, &daddr) &&
		    (s->states[number] == UNKNOWN || s->states[number] == s->marked))
			s->states[number] = VALUE;
	}
}

/* Finds the nodes and leaves of the tree, from the root down. Each block is decoded once. */
static void walk_tree(struct search *s, const struct check *check)
{
	static const dablk_t root = { 0 };

	add_child(s, root, 0);
	for (size_t i = 0; i < s->ntodo && !s->error; i++) {
		struct da_expect expect = { s->b->inode->ino, { 0 }, { s->todo[i] }, ATTR_FORK };
		struct da_node node;
		uint64_t number;

		if (!attr_blocks_find(s->b, s->todo[i], &number, &expect.daddr) || s->states[number] != UNKNOWN ||
		    !attr_blocks_read(s->b, number, s->b->block))
			continue;
		switch (da_identify(check, s->b->block, s->b->geo->block_size)) {
		case DA_ATTR_LEAF:
			s->states[number] = LEAF;
			break;
		case DA_NODE:
			s->states[number] = NODE;
			da_node_decode(check, s->b->block, s->b->geo->block_size, &expect, add_child, s, &node);
			break;
		default:
			break;
		}
	}
}

/* Decodes all blocks of one state as leaves, for visit(). UNKNOWN ones that are intact leaves become MAYBE. */
static void each_block(struct search *s, const struct check *check, enum state state, attr_visit *visit)
{
	const struct mend_fork *fork = &s->b->inode->fork[ATTR_FORK];

	for (size_t i = 0; i < fork->count; i++) {
		for (uint64_t k = 0; k < fork->extents[i].len; k++) {
			uint64_t number = s->b->before[i] + k;
			struct da_expect expect = {
				s->b->inode->ino,
				daddr_of_fsbno(s->b->geo, (fsbno_t){ fork->extents[i].start.v + k }),
				{ (uint32_t)(fork->extents[i].off.v + k) },
				ATTR_FORK,
			};
			struct attr_leaf leaf;

			if (s->states[number] != state || !attr_blocks_read(s->b, number, s->b->block))
				continue;
			if (da_identify(check, s->b->block, s->b->geo->block_size) == DA_NODE) {
				s->states[number] = NODE; /* the tree does not point to it */
				continue;
			}
			s->problems = 0;
			if (attr_leaf_decode(check, s->b->block, &expect, visit, s, &leaf) && !s->problems &&
			    state == UNKNOWN)
				s->states[number] = MAYBE;
		}
	}
}

static int leaves_by_tree(struct attr_blocks *b)
{
	const struct mend_fork *fork = &b->inode->fork[ATTR_FORK];
	struct search s = { .b = b, .states = calloc(b->count + 1, 1), .marked = UNKNOWN };
	const struct check check = check_counting(b->geo, &s.problems);

	if (!s.states)
		return -ENOMEM;
	walk_tree(&s, &check);
	each_block(&s, &check, LEAF, claim_value);
	each_block(&s, &check, UNKNOWN, attr_ignore);
	s.marked = MAYBE;
	each_block(&s, &check, MAYBE, claim_value);
	for (size_t i = 0; i < fork->count && !s.error; i++) {
		for (uint64_t k = 0; k < fork->extents[i].len && !s.error; k++) {
			enum state state = s.states[b->before[i] + k];

			if (state == LEAF || state == MAYBE)
				s.error = add_leaf(b, (uint32_t)(fork->extents[i].off.v + k));
			b->lost += state == UNKNOWN;
		}
	}
	free(s.states);
	free(s.todo);
	return s.error;
}

/*
 * Finds the leaves.  In version 5, headers identify them.  In version 4, a value may look like a leaf, so leaves are
 * the blocks that the tree points to, and any others that are intact leaves and not part of a value.  0; -E2BIG: too
 * many blocks; or another negative errno.  Free *ret_blocks in any case.
 */
static int attr_blocks_find_leaves(struct mend *m, const struct mend_inode *inode, struct attr_blocks *ret_blocks)
{
	const struct mend_fork *fork = &inode->fork[ATTR_FORK];
	struct attr_blocks *b = ret_blocks;

	*b = (struct attr_blocks){ .m = m, .geo = &m->now->geo, .inode = inode };
	b->before = calloc(fork->count + 1, sizeof(*b->before));
	b->block = malloc(b->geo->block_size);
	if (!b->before || !b->block || near_new(b))
		return -ENOMEM;
	for (size_t i = 0; i < fork->count; i++) {
		b->before[i] = b->count;
		b->count += fork->extents[i].len;
	}
	/* such a map is damaged, or takes too long to read */
	if (b->count > b->geo->dblocks || b->count > BLOCKS_MAX)
		return -E2BIG;
	return b->geo->crc ? leaves_by_magic(b) : leaves_by_tree(b);
}

static void attr_blocks_free(struct attr_blocks *b)
{
	free(b->before);
	free(b->block);
	free(b->near);
	free(b->leaves);
}

/*
 * Remote values of attributes (ondisk 07, "Remote values").  In version 5, value blocks contain their offset in the
 * value, so a wrong place or length in an entry can be corrected.
 */

struct attr_values {
	struct attr_blocks *blocks;
	uint8_t *bytes; /* the value read last */
	uint8_t *taken; /* per mapped block: 1: part of a value that was read */
};

/* The part of a value that a block should hold, and the block's address. */
struct value_block {
	xino_t owner;
	xdaddr_t daddr;
	uint32_t offset, bytes;
};

/* True if a file block can have this address. */
static bool is_place(const struct geometry *geo, xdaddr_t daddr)
{
	uint64_t bytes = daddr.v << SECTOR_LOG, block = bytes >> geo->block_log;

	if (daddr.v > UINT64_MAX >> SECTOR_LOG || bytes % geo->block_size || block / geo->agblocks >= geo->agcount)
		return false;
	return agbno_valid(geo, (agno_t){ (uint32_t)(block / geo->agblocks) },
			   (agbno_t){ (uint32_t)(block % geo->agblocks) });
}

/*
 * True if a block is part of the value, even if something in it is wrong.  With a right checksum, the header is as it
 * was written, so it must have this owner and address; except that an invalid address is tolerated if nothing else is
 * wrong.  With a wrong checksum, one header field may be wrong, too.  strictly: a block with a right checksum must also
 * match the part of the value that the entry implies.
 */
static bool is_value(const struct geometry *geo, const uint8_t *block, const struct value_block *want, bool strictly)
{
	const struct attr_remote_disk *hdr = (const void *)block;
	bool magic = be32_get(hdr->magic) == DA_MAGIC_ATTR_VALUE;
	unsigned misplaced = (be64_get(hdr->owner) != want->owner.v) + (be64_get(hdr->blkno) != want->daddr.v);
	unsigned value = (be32_get(hdr->offset) != want->offset) + (be32_get(hdr->bytes) != want->bytes);
	unsigned other = !magic + value + (memcmp(hdr->uuid, geo->meta_uuid, sizeof(hdr->uuid)) != 0);

	if (crc_is_right(block, geo->block_size, offsetof(struct attr_remote_disk, crc)))
		return magic && !(strictly && value) &&
		       (misplaced == 0 || (misplaced + other == 1 && be64_get(hdr->owner) == want->owner.v &&
					   !is_place(geo, (xdaddr_t){ be64_get(hdr->blkno) })));
	return misplaced + other <= 1;
}

/* Reads a value from blocks that are not part of another one. strictly: see is_value(). */
static bool read_value(struct attr_values *v, const struct attr_entry *e, bool strictly)
{
	const struct geometry *geo = v->blocks->geo;
	uint32_t capacity = attr_remote_capacity(geo), header = geo->block_size - capacity, done = 0;
	uint8_t *block = v->blocks->block;

	for (uint64_t dablk = e->valueblk.v; done < e->valuelen; dablk++) {
		struct value_block want = { v->blocks->inode->ino, { 0 }, done, e->valuelen - done };
		uint64_t number;

		if (want.bytes > capacity)
			want.bytes = capacity;
		if (!attr_blocks_find(v->blocks, dablk, &number, &want.daddr) || v->taken[number] ||
		    !attr_blocks_read(v->blocks, number, block) || (geo->crc && !is_value(geo, block, &want, strictly)))
			return false;
		memcpy(v->bytes + done, block + header, want.bytes);
		done += want.bytes;
	}
	return true;
}

/* Marks the blocks of a value as taken. */
static void take_value(struct attr_values *v, const struct attr_entry *e)
{
	uint32_t capacity = attr_remote_capacity(v->blocks->geo), count = (e->valuelen + capacity - 1) / capacity;
	uint64_t number;
	xdaddr_t daddr;

	for (uint32_t i = 0; i < count; i++)
		if (attr_blocks_find(v->blocks, (uint64_t)e->valueblk.v + i, &number, &daddr))
			v->taken[number] = 1;
}

/* Reads the value of an entry into values->bytes. False: it is missing, or its blocks contradict the entry. */
static bool attr_value_read(struct attr_values *v, const struct attr_entry *e)
{
	bool found = read_value(v, e, true);

	if (found)
		take_value(v, e);
	return found;
}

/* Reads a block. True if it is an intact part of a value that is not taken. *ret_mapped: the block exists. */
static bool read_part(struct attr_values *v, uint64_t dablk, bool *ret_mapped, struct attr_remote *ret_part)
{
	unsigned problems = 0;
	uint64_t number;
	const struct check check = check_counting(v->blocks->geo, &problems);
	struct da_expect expect = { v->blocks->inode->ino, { 0 }, { (uint32_t)dablk }, ATTR_FORK };

	*ret_mapped = dablk <= UINT32_MAX && attr_blocks_find(v->blocks, dablk, &number, &expect.daddr);
	return *ret_mapped && attr_blocks_read(v->blocks, number, v->blocks->block) &&
	       attr_remote_decode(&check, v->blocks->block, &expect, ret_part) && !problems && !v->taken[number];
}

/* Returns the length of the value that starts at this file block, by its blocks. 0: none, or its end is unknown. */
static uint32_t length_at(struct attr_values *v, uint64_t dablk)
{
	uint32_t capacity = attr_remote_capacity(v->blocks->geo), done = 0;
	struct attr_remote part;
	bool mapped;

	for (; read_part(v, dablk, &mapped, &part) && part.offset == done; dablk++) {
		done += part.bytes;
		if (part.bytes < capacity) {
			dablk++;
			break;
		}
	}
	/* the next block must not continue the value; a full last block must be followed by another value or nothing */
	if (read_part(v, dablk, &mapped, &part))
		return part.offset == 0 ? done : 0;
	return !mapped || done % capacity ? done : 0;
}

/*
 * Corrects an entry's length by the blocks of its value: if they have more than the entry says, and not only zeroes, or
 * less, and the rest is missing.  True if it was corrected.
 */
static bool correct_length(struct attr_values *v, struct attr_entry *e)
{
	struct attr_entry longer = *e;
	uint32_t len = length_at(v, e->valueblk.v), zeros = e->valuelen;

	if (len == 0 || len == e->valuelen || (len < e->valuelen && read_value(v, e, false)))
		return false;
	longer.valuelen = len;
	if (!read_value(v, &longer, true))
		return false;
	while (zeros < len && v->bytes[zeros] == 0)
		zeros++;
	if (len > e->valuelen && zeros == len)
		return false;
	*e = longer;
	return true;
}

/* Corrects the place of an entry's value, if exactly one value of its length is not taken. True if it was corrected. */
static bool correct_place(struct attr_values *v, struct attr_entry *e)
{
	const struct mend_fork *fork = &v->blocks->inode->fork[ATTR_FORK];
	struct attr_entry other = *e;
	unsigned times = 0;

	for (size_t i = 0; i < fork->count; i++) {
		for (uint64_t k = 0; k < fork->extents[i].len; k++) {
			uint64_t dablk = fork->extents[i].off.v + k;

			if (length_at(v, dablk) != e->valuelen)
				continue;
			other.valueblk.v = (uint32_t)dablk;
			times++;
		}
	}
	if (times != 1 || !read_value(v, &other, true))
		return false;
	*e = other;
	return true;
}

/*
 * Likewise, for an entry that may have the wrong length or place of its value, which are corrected from blocks that are
 * not taken.  So such entries come last.
 */
static bool attr_value_search(struct attr_values *v, struct attr_entry *e)
{
	bool helped = v->blocks->geo->crc && (correct_length(v, e) || correct_place(v, e));

	if (!helped && !read_value(v, e, false))
		return false;
	take_value(v, e);
	return true;
}

/* 0 or -ENOMEM; free it in any case. */
static int attr_values_init(struct attr_values *v, struct attr_blocks *blocks)
{
	*v = (struct attr_values){ .blocks = blocks };
	v->bytes = malloc(ATTR_MAX_VALUE);
	v->taken = calloc(blocks->count + 1, 1);
	return v->bytes && v->taken ? 0 : -ENOMEM;
}

static void attr_values_free(struct attr_values *v)
{
	free(v->bytes);
	free(v->taken);
}

struct attr_collector {
	const struct geometry *geo;
	struct attr_blocks blocks; /* of a fork outside of the inode */
	struct attr_items *items;
	struct attr_values values;
	struct attr_entry *waiting; /* entries whose value is not in its place; their names are copies */
	size_t nwaiting, room;
	uint64_t problems; /* of the current leaf */
	uint64_t dropped;  /* its entries that are no loss: incomplete ones, duplicates, invalid parents */
	int error;
};

static void count_problem(void *ctx, const struct problem *problem)
{
	struct attr_collector *c = ctx;

	c->problems++;
	switch (problem->finding) {
	case F_ATTR_INCOMPLETE:
	case F_ATTR_DUPLICATE:
	case F_ATTR_PARENT_INO:
	case F_ATTR_PARENT_SIZE:
	case F_ATTR_PARENT_REMOTE:
		c->dropped++;
		break;
	default:
		break;
	}
}

/* ---- entries ---- */

/* Notes an attribute whose value is lost, and its name. 0 or -ENOMEM. */
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

/* After all other values have been taken: finds the values of the waiting entries, or notes these as lost. */
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

/* Returns how many entries of a leaf that the decoder skipped are losses. */
static uint64_t left_out(const struct attr_collector *c, const struct attr_leaf *leaf)
{
	return leaf->left_out > c->dropped ? leaf->left_out - c->dropped : 0;
}

/* True if a leaf decodes without errors. */
static bool is_sound_leaf(struct attr_collector *c, const struct check *check, const uint8_t *block,
			  const struct da_expect *expect)
{
	struct attr_leaf leaf;

	c->problems = 0;
	return attr_leaf_decode(check, block, expect, attr_ignore, NULL, &leaf) && !c->problems;
}

/* Collects from all leaves, intact ones first, so that their attributes win over others with the same name. */
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
			/* a part of it may be of another time, and have a name that the entries do not */
			c->items->strays |=
				!sound && c->geo->crc &&
				!crc_is_right(block, c->geo->block_size, offsetof(struct da_blkinfo_disk, crc)) &&
				attr_leaf_has_strays(c->geo, block, expect.owner);
			if (!sound)
				attr_leaf_mend(c->geo, block, expect.owner);
			if (attr_leaf_decode(&check, block, &expect, add_attr_entry, c, &leaf))
				c->items->lost += left_out(c, &leaf);
		}
	}
	c->items->lost_blocks = c->blocks.lost;
	free(block);
}

/* ---- duplicates ---- */

/* Returns the directory in a parent pointer; NULL_INO: not a parent pointer, or one with a wrong length. */
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

/* Drops duplicates of earlier attributes. 0 or -ENOMEM. */
static int drop_repeated(struct attr_items *items)
{
	struct attr_item **sorted = calloc(items->count + 1, sizeof(struct attr_item *));

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < items->count; i++)
		sorted[i] = &items->items[i];
	/* in order of hash, then of discovery */
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

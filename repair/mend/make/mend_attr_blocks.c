/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the leaves among the blocks of an attribute fork (ondisk 07). */
#include "mend_attr_blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "disk/da.h"
#include "mend/base/mend.h"
#include "mend/base/mend_map.h"
#include "mend/collect/mend_inode.h"
#include "repair.h"
#include "sets/ordered.h"

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

bool attr_blocks_find(const struct attr_blocks *b, uint64_t dablk, uint64_t *ret_number, xdaddr_t *ret_daddr)
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

bool attr_blocks_read(const struct attr_blocks *b, uint64_t number, uint8_t *block)
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

bool attr_blocks_leaf(const struct attr_blocks *b, size_t i, uint8_t *block, struct da_expect *ret_expect)
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

int attr_blocks_find_leaves(struct mend *m, const struct mend_inode *inode, struct attr_blocks *ret_blocks)
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

void attr_blocks_free(struct attr_blocks *b)
{
	free(b->before);
	free(b->block);
	free(b->near);
	free(b->leaves);
}

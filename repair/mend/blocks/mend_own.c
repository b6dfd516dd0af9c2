/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rewrites directories and attributes in their own blocks, if the file system has no free ones.  A block may be used if
 * nothing else owns it, by a survey of all claims: its only claim is the object's own, if the object's map is whole or
 * the block's header names the object; else it has no claim.  All writes are delayed until the object is complete.  If
 * there are too few blocks, the object stays as it is.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "libxfs/log_stamp.h"
#include "mend/collect/mend_inode.h"
#include "mend_space.h"
#include "repair.h"
#include "sets/ordered.h"

/* Bytes that are staged when the object is complete. */
struct waiting {
	uint64_t offset;
	size_t len;
	uint8_t *bytes;
};

struct mend_own {
	const struct mend_inode *inode;
	enum fork fork;
	size_t nextents, ntree;	    /* of the fork, as it was */
	bool found;		    /* blocks have been searched for */
	struct taken_range *ranges; /* of available blocks, in order; next: first one with any left */
	size_t count, room, next;
	bool begun; /* some were taken */
	struct waiting *waiting;
	size_t nwaiting, waiting_room;
};

bool mend_own_begin(struct mend *m, const struct mend_inode *inode, enum fork fork)
{
	const struct mend_fork *of = &inode->fork[fork];

	if (m->own || inode->inode.fork[fork].rules.realtime)
		return false;
	m->own = calloc(1, sizeof(*m->own));
	if (!m->own)
		return false;
	*m->own = (struct mend_own){ .inode = inode, .fork = fork, .nextents = of->count, .ntree = of->ntree };
	return true;
}

bool mend_own_says(struct mend *m, xino_t ino, fsbno_t fsbno)
{
	const struct geometry *geo = &m->now->geo;
	const uint32_t sizes[] = { geo->block_size, geo->dir_block_size };
	const xdaddr_t here = daddr_of_fsbno(geo, fsbno);
	uint8_t *block = malloc(geo->dir_block_size);
	xdaddr_t daddr;
	xino_t owner;
	const unsigned distinct = 1 + (sizes[1] != sizes[0]);
	bool own = false;

	for (unsigned i = 0; i < distinct && block && !own; i++)
		own = !mend_read_once(m, block, bytes_of_daddr(here), sizes[i]) &&
		      log_stamp_place(geo, block, sizes[i], &daddr, &owner) && daddr.v == here.v && owner.v == ino.v;
	free(block);
	return own;
}

/* Blocks of the fork that may be taken. */
struct alone {
	fsbno_t *blocks;
	size_t count, room;
};

/* Adds the blocks of a run that have no other owner. 0 or negative errno. */
static int add_blocks(struct mend *m, fsbno_t start, uint64_t len, struct alone *add)
{
	struct mend_own *own = m->own;
	const struct mend_fork *fork = &own->inode->fork[own->fork];
	int ret = 0;

	for (uint64_t i = 0; i < len && !ret; i++) {
		const fsbno_t block = { start.v + i };
		bool alone;

		if (!fsb_range_valid(&m->now->geo, block, 1))
			continue;
		ret = mend_space_alone(m, block, fork->whole || mend_own_says(m, own->inode->ino, block), &alone);
		if (!ret && alone)
			ret = array_add(add->blocks, add->room, add->count, block);
	}
	return ret;
}

static int add_to_runs(struct mend_own *own, fsbno_t block)
{
	struct taken_range *last = own->count ? &own->ranges[own->count - 1] : NULL;

	if (!last || last->start.v + last->len != block.v)
		return array_add(own->ranges, own->room, own->count, (struct taken_range){ block, 1 });
	last->len++;
	return 0;
}

/* Finds all blocks of the fork that may be taken, each once, in order. 0 or negative errno. */
static int find_blocks(struct mend *m)
{
	struct mend_own *own = m->own;
	const struct mend_fork *fork = &own->inode->fork[own->fork];
	struct alone alone = { 0 };
	int ret = 0;

	for (size_t i = 0; i < own->nextents && !ret; i++)
		ret = add_blocks(m, fork->extents[i].start, fork->extents[i].len, &alone);
	for (size_t i = 0; i < own->ntree && !ret; i++)
		ret = add_blocks(m, fsbno_of(&m->now->geo, fork->tree[i].agno, fork->tree[i].agbno), 1, &alone);
	alone.count = ordered_unique(alone.blocks, alone.count, MEMBERS(ELEMENT(alone.blocks)));
	for (size_t i = 0; i < alone.count && !ret; i++)
		ret = add_to_runs(own, alone.blocks[i]);
	free(alone.blocks);
	own->found = !ret;
	return ret;
}

int mend_own_take(struct mend *m, uint32_t least, uint32_t want, fsbno_t *ret_start, uint32_t *ret_len)
{
	struct mend_own *own = m->own;
	struct taken_range *range;
	size_t i;
	int ret = own ? 0 : -ENOSPC;

	if (!ret && !own->found)
		ret = find_blocks(m);
	if (ret)
		return ret;
	while (own->next < own->count && !own->ranges[own->next].len)
		own->next++;
	for (i = own->next; i < own->count && own->ranges[i].len < least; i++)
		;
	if (i == own->count)
		return -ENOSPC;
	range = &own->ranges[i];
	*ret_start = range->start;
	*ret_len = range->len < want ? (uint32_t)range->len : want;
	range->start.v += *ret_len;
	range->len -= *ret_len;
	own->begun = true;
	mend_space_claim(m, *ret_start, *ret_len);
	return 0;
}

int mend_own_write(struct mend *m, const void *bytes, uint64_t offset, size_t len)
{
	struct mend_own *own = m->own;
	struct waiting *w;

	if (!own || !own->begun)
		return mend_write(m, bytes, offset, len);
	if (array_grow(&own->waiting, &own->waiting_room, own->nwaiting, sizeof(*own->waiting)))
		return -ENOMEM;
	w = &own->waiting[own->nwaiting];
	*w = (struct waiting){ offset, len, malloc(len) };
	if (!w->bytes)
		return -ENOMEM;
	memcpy(w->bytes, bytes, len);
	own->nwaiting++;
	return 0;
}

/* Notes the AGs of the fork as it was, whose blocks are given up unless they were taken again. 0 or -ENOMEM. */
static int note_groups(struct mend *m, const struct mend_own *own)
{
	const struct mend_fork *fork = &own->inode->fork[own->fork];
	int ret = 0;

	for (size_t i = 0; i < own->nextents && !ret; i++)
		if (fsb_range_valid(&m->now->geo, fork->extents[i].start, 1))
			ret = group_set_put(&m->round.given_up, agno_of_fsbno(&m->now->geo, fork->extents[i].start));
	for (size_t i = 0; i < own->ntree && !ret; i++)
		ret = group_set_put(&m->round.given_up, fork->tree[i].agno);
	return ret;
}

int mend_own_end(struct mend *m, bool began, int error)
{
	struct mend_own *own = m->own;

	if (!began)
		return error;
	for (size_t i = 0; i < own->nwaiting; i++) {
		const struct waiting *w = &own->waiting[i];

		if (!error)
			error = mend_write(m, w->bytes, w->offset, w->len);
		free(w->bytes);
	}
	if (!error)
		error = note_groups(m, own);
	free(own->waiting);
	free(own->ranges);
	free(own);
	m->own = NULL;
	return error;
}

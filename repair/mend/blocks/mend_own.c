/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * On a file system without free blocks, a directory or attributes can only be written anew into their own blocks.  A
 * block may be taken for that if nobody else has it.  By a survey of all claims, this means that it has one claim, the
 * object's own, or none, if the object could not be gone into; or the block's header says whose it is.  What is written
 * waits until the object is complete, so that an object for which there are too few blocks stays as it is.
 */
#include "mend_own.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "libxfs/log_stamp.h"
#include "mend_space.h"
#include "repair.h"
#include "sets/ordered.h"

/* Bytes that wait until the object is complete. */
struct waiting {
	uint64_t offset;
	size_t len;
	uint8_t *bytes;
};

struct mend_own {
	const struct mend_inode *inode;
	enum fork fork;
	size_t nextents, ntree; /* of the fork, as it was */
	bool found;		/* blocks were looked for */
	fsbno_t *blocks;	/* that may be taken; next: the first that was not */
	size_t count, room, next;
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

/* Add those blocks of a run that nobody else has. 0 or negative errno. */
static int add_blocks(struct mend *m, fsbno_t start, uint64_t len)
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
			ret = array_add(own->blocks, own->room, own->count, block);
	}
	return ret;
}

/* Find all blocks of the fork that may be taken: each once, in order. 0 or negative errno. */
static int find_blocks(struct mend *m)
{
	struct mend_own *own = m->own;
	const struct mend_fork *fork = &own->inode->fork[own->fork];
	int ret = 0;

	for (size_t i = 0; i < own->nextents && !ret; i++)
		ret = add_blocks(m, fork->extents[i].start, fork->extents[i].len);
	for (size_t i = 0; i < own->ntree && !ret; i++)
		ret = add_blocks(m, fsbno_of(&m->now->geo, fork->tree[i].agno, fork->tree[i].agbno), 1);
	own->count = ordered_unique(own->blocks, own->count, MEMBERS(ELEMENT(own->blocks)));
	own->found = !ret;
	return ret;
}

int mend_own_take(struct mend *m, uint32_t want, fsbno_t *ret_start, uint32_t *ret_len)
{
	struct mend_own *own = m->own;
	int ret = own ? 0 : -ENOSPC;

	if (!ret && !own->found)
		ret = find_blocks(m);
	if (!ret && own->next == own->count)
		ret = -ENOSPC;
	if (ret)
		return ret;
	*ret_start = own->blocks[own->next];
	for (*ret_len = 0; *ret_len < want && own->next < own->count; ++*ret_len) {
		if (own->blocks[own->next].v != ret_start->v + *ret_len)
			break;
		mend_space_claim(m, own->blocks[own->next++], 1);
	}
	return 0;
}

int mend_own_write(struct mend *m, const void *bytes, uint64_t offset, size_t len)
{
	struct mend_own *own = m->own;
	struct waiting *w;

	if (!own || !own->next)
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
	free(own->waiting);
	free(own->blocks);
	free(own);
	m->own = NULL;
	return error;
}

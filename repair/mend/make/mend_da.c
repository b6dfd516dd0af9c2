/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes blocks of directories and attributes, and the hash tree that both may have (ondisk 06, 07).  Whenever
 * possible, they go to new blocks, so that the old contents stay intact until the inode is written, in one sector.
 */
#include "mend_da.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "disk/bmbt.h"
#include "disk/dir.h"
#include "mend/blocks/mend_space.h"
#include "repair.h"

void mend_da_begin(struct mend_da *w, struct mend *m, xino_t ino, enum fork fork)
{
	const struct geometry *geo = &m->now->geo;

	*w = (struct mend_da){ .m = m, .geo = geo, .ino = ino, .fork = fork };
	w->size = fork == DATA_FORK ? geo->dir_block_size : geo->block_size;
	w->may_split = !geo->crc;
	w->block = malloc(w->size);
	w->error = w->block ? 0 : -ENOMEM;
}

void mend_da_end(struct mend_da *w)
{
	free(w->block);
	free(w->extents);
}

/* True if the extent continues the last one, in the fork and on disk, and both fit into one record. */
static bool continues(const struct bmap_record *last, const struct bmap_record *e)
{
	return last->off.v + last->len == e->off.v && last->start.v + last->len == e->start.v &&
	       last->len <= BMBT_LEN_MAX - e->len;
}

/* Allocates up to `want` blocks from e->off on; all of them, unless the block may be in pieces. */
static int take(const struct mend_da *w, uint32_t want, struct bmap_record *e)
{
	const int ret = mend_space_take_whole(w->m, want, &e->start);

	e->len = want;
	return ret == -ENOSPC && w->may_split ? mend_space_take(w->m, want, &e->start, &e->len) : ret;
}

struct da_expect mend_da_place(struct mend_da *w, uint64_t off)
{
	struct da_expect place = { w->ino, { 0 }, { (uint32_t)off }, w->fork };
	uint32_t blocks = w->size >> w->geo->block_log;

	for (uint32_t done = 0; done < blocks && !w->error;) {
		struct bmap_record e = { .off = { off + done } };

		w->error = take(w, blocks - done, &e);
		if (w->error)
			break;
		if (done == 0)
			place.daddr = daddr_of_fsbno(w->geo, e.start);
		done += e.len;
		if (w->nextents && continues(&w->extents[w->nextents - 1], &e)) {
			w->extents[w->nextents - 1].len += e.len;
			continue;
		}
		w->error = array_add(w->extents, w->room, w->nextents, e);
	}
	return place;
}

void mend_da_put(struct mend_da *w)
{
	uint32_t blocks = w->size >> w->geo->block_log;
	uint64_t end = 0;
	size_t i = w->nextents;

	if (w->error)
		return;
	/* backwards: the block placed last is at the end of the extents */
	for (uint32_t left = blocks; left && i > 0 && !w->error;) {
		const struct bmap_record *e = &w->extents[--i];
		uint32_t len = e->len < left ? e->len : left;
		fsbno_t start = { e->start.v + (e->len - len) };

		end = (uint64_t)left << w->geo->block_log;
		left -= len;
		w->error =
			mend_own_write(w->m, w->block + end - ((size_t)len << w->geo->block_log),
				       bytes_of_daddr(daddr_of_fsbno(w->geo, start)), (size_t)len << w->geo->block_log);
	}
}

/* ---- the hash tree ---- */

/* The levels of a tree; leaves are level 0. Blocks are numbered from the root (0) down. */
struct levels {
	uint32_t count;
	uint32_t width[DA_MAX_DEPTH + 1];	     /* number of blocks of the level */
	uint32_t first[DA_MAX_DEPTH + 1];	     /* number of its first block */
	struct da_child *children[DA_MAX_DEPTH + 1]; /* its blocks, as entries for their parents */
};

static struct levels levels_of(const struct geometry *geo, enum fork fork, uint32_t leaves)
{
	size_t room = da_build_node_room(geo, fork);
	struct levels l = { .count = 1, .width = { leaves } };
	uint32_t next = 0;

	for (; l.width[l.count - 1] > 1 && l.count <= DA_MAX_DEPTH; l.count++)
		l.width[l.count] = (uint32_t)((l.width[l.count - 1] + room - 1) / room);
	for (uint32_t level = l.count; level-- > 0; next += l.width[level])
		l.first[level] = next;
	return l;
}

uint32_t mend_da_tree_blocks(const struct geometry *geo, enum fork fork, uint32_t leaves)
{
	const struct levels l = levels_of(geo, fork, leaves);

	return l.first[0] + l.width[0];
}

/* Returns the file block of tree block `number`. */
static dablk_t block_of_tree(const struct mend_da *w, uint32_t number)
{
	uint64_t root = w->fork == DATA_FORK ? DIR_LEAF_OFFSET : 0;

	return (dablk_t){ (uint32_t)((root + (uint64_t)number * w->size) >> w->geo->block_log) };
}

/* Writes the blocks of a level: leaves or nodes. */
static void put_level(struct mend_da *w, const struct levels *l, unsigned level, mend_da_leaf *leaf, void *ctx)
{
	uint32_t width = l->width[level];

	for (uint32_t i = 0; i < width && !w->error; i++) {
		uint32_t number = l->first[level] + i;
		const struct da_expect place = mend_da_place(w, block_of_tree(w, number).v);
		const struct da_siblings siblings = {
			.forw = { i + 1 < width ? block_of_tree(w, number + 1).v : 0 },
			.back = { i ? block_of_tree(w, number - 1).v : 0 },
		};

		if (level == 0) {
			leaf(ctx, w, &place, i, siblings);
		} else {
			size_t from = mend_da_share_start(l->width[level - 1], width, i);
			size_t to = mend_da_share_start(l->width[level - 1], width, i + 1);

			da_build_node(w->geo, w->block, &place, level,
				      (struct da_children){ l->children[level - 1] + from, to - from }, siblings);
		}
		mend_da_put(w);
	}
}

/*
 * Returns the entries of a level's blocks for their parents, to be freed by the caller.  below: those of the level
 * below; NULL: this is the level of leaves.  Returns NULL if out of memory.
 */
static struct da_child *name_level(const struct mend_da *w, const struct levels *l, unsigned level,
				   const struct da_child *below, const uint32_t *last_hash)
{
	uint32_t width = l->width[level];
	struct da_child *children = calloc(width, sizeof(*children));

	for (uint32_t i = 0; children && i < width; i++) {
		children[i].dablk = block_of_tree(w, l->first[level] + i);
		children[i].hash =
			below ? below[mend_da_share_start(l->width[level - 1], width, i + 1) - 1].hash : last_hash[i];
	}
	return children;
}

/*
 * Blocks must be placed in file order, with the root first, so they are written from the root down.  The file block and
 * last hash of each are computed before.
 */
void mend_da_put_tree(struct mend_da *w, const uint32_t *last_hash, uint32_t leaves, mend_da_leaf *leaf, void *ctx)
{
	struct levels l = levels_of(w->geo, w->fork, leaves);
	const struct da_child *below = NULL;

	for (uint32_t level = 0; level < l.count && !w->error; level++) {
		below = l.children[level] = name_level(w, &l, level, below, last_hash);
		if (!below)
			w->error = -ENOMEM;
	}
	for (uint32_t level = l.count; level-- > 0 && !w->error;)
		put_level(w, &l, level, leaf, ctx);
	for (uint32_t level = 0; level < l.count; level++)
		free(l.children[level]);
}

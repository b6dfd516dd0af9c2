/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directory written anew (ondisk 06).  All its blocks are new ones, so that the old directory stays as it was until
 * the inode is written, in one sector.
 */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "disk/dir.h"
#include "mend_dir.h"
#include "mend_space.h"

struct writer {
	struct mend *m;
	const struct geometry *geo;
	xino_t ino;
	uint8_t *block;
	struct bmap_record *extents;
	size_t nextents, room;
	int error;
};

/* Map the directory block at this file block; where it begins. */
static struct da_expect place_block(struct writer *w, uint64_t off)
{
	struct da_expect place = { w->ino, { 0 }, { (uint32_t)off }, DATA_FORK };
	uint32_t blocks = 1u << w->geo->dirblk_log;

	for (uint32_t done = 0; done < blocks && !w->error;) {
		struct bmap_record *last = w->nextents ? &w->extents[w->nextents - 1] : NULL;
		struct bmap_record e = { .off = { off + done } };

		w->error = mend_space_take(w->m, blocks - done, &e.start, &e.len);
		if (w->error)
			break;
		if (done == 0)
			place.daddr = daddr_of_fsbno(w->geo, e.start);
		done += e.len;
		if (last && last->off.v + last->len == e.off.v && last->start.v + last->len == e.start.v) {
			last->len += e.len;
			continue;
		}
		w->error = array_grow(&w->extents, &w->room, w->nextents, sizeof(*w->extents));
		if (!w->error)
			w->extents[w->nextents++] = e;
	}
	return place;
}

/* Stage what was built for the directory block that was placed last. */
static void put_block(struct writer *w)
{
	uint32_t blocks = 1u << w->geo->dirblk_log;
	uint64_t end = 0;
	size_t i = w->nextents;

	if (w->error)
		return;
	/* from behind: the last extents hold it */
	for (uint32_t left = blocks; left && i > 0 && !w->error;) {
		const struct bmap_record *e = &w->extents[--i];
		uint32_t len = e->len < left ? e->len : left;
		fsbno_t start = { e->start.v + (e->len - len) };

		end = (uint64_t)left << w->geo->block_log;
		left -= len;
		w->error = mend_write(w->m, w->block + end - ((size_t)len << w->geo->block_log),
				      bytes_of_daddr(daddr_of_fsbno(w->geo, start)), (size_t)len << w->geo->block_log);
	}
}

/* ---- the index of a directory in node form ---- */

static dablk_t index_dablk(const struct writer *w, uint32_t index)
{
	return (dablk_t){ (uint32_t)(DIR_LEAF_OFFSET >> w->geo->block_log) + (index << w->geo->dirblk_log) };
}

static dablk_t sibling(const struct writer *w, uint32_t first, uint32_t count, uint32_t i, int step)
{
	if ((step < 0 && i == 0) || (step > 0 && i + 1 == count))
		return (dablk_t){ 0 };
	return index_dablk(w, first + i + (uint32_t)step);
}

/* From `done` items on, the share of one of several blocks. */
static size_t share(size_t items, uint32_t blocks, uint32_t i)
{
	return items / blocks + (i < items % blocks);
}

/* Leaves of all names: blocks first, first + 1 ... of the index space. */
static void put_leaves(struct writer *w, const struct dir_names *names, uint32_t first, uint32_t count)
{
	size_t next = 0;

	for (uint32_t i = 0; i < count && !w->error; i++) {
		size_t n = share(names->count, count, i);
		const struct da_expect place = place_block(w, index_dablk(w, first + i).v);

		dir_build_leaf(w->geo, w->block, &place, names->names + next, n, NULL, 0,
			       sibling(w, first, count, i, -1), sibling(w, first, count, i, 1));
		next += n;
		put_block(w);
	}
}

static void put_nodes(struct writer *w, unsigned level, uint32_t first, uint32_t count, const struct dir_child *below,
		      size_t nbelow)
{
	size_t next = 0;

	for (uint32_t i = 0; i < count && !w->error; i++) {
		size_t n = share(nbelow, count, i);
		const struct da_expect place = place_block(w, index_dablk(w, first + i).v);

		dir_build_node(w->geo, w->block, &place, level, below + next, n, sibling(w, first, count, i, -1),
			       sibling(w, first, count, i, 1));
		next += n;
		put_block(w);
	}
}

static uint32_t blocks_for(size_t items, size_t room)
{
	return (uint32_t)((items + room - 1) / room);
}

/* Blocks of all levels of the tree, the root apart: it has the first place of the index space. */
static uint32_t levels_of(const struct writer *w, size_t leaves, uint32_t *width)
{
	uint32_t levels = 0;

	width[levels++] = (uint32_t)leaves;
	while (width[levels - 1] > 1 && levels < DA_MAX_DEPTH + 1) {
		width[levels] = blocks_for(width[levels - 1], dir_build_node_room(w->geo));
		levels++;
	}
	return levels;
}

/*
 * Extents come in the order of the file, where the root is first: blocks are written from the root down.  Where each
 * lies in the index space, and the last hash in it, is known before.
 */
static void put_index(struct writer *w, const struct dir_names *names)
{
	uint32_t width[DA_MAX_DEPTH + 2], first[DA_MAX_DEPTH + 2];
	uint32_t levels = levels_of(w, blocks_for(names->count, dir_build_leaf_room(w->geo, 0)), width);
	struct dir_child *children[DA_MAX_DEPTH + 2] = { 0 };
	uint32_t next = 0;

	for (uint32_t level = levels; level-- > 0;) {
		first[level] = next;
		next += width[level];
		children[level] = calloc(width[level], sizeof(*children[level]));
		if (!children[level])
			w->error = -ENOMEM;
	}
	/* hashes of children are known before the children are written */
	for (uint32_t i = 0, done = 0; i < width[0] && !w->error; i++) {
		done += (uint32_t)share(names->count, width[0], i);
		children[0][i] = (struct dir_child){ names->names[done - 1].hash, index_dablk(w, first[0] + i) };
	}
	for (uint32_t level = 1; level < levels && !w->error; level++) {
		for (uint32_t i = 0, done = 0; i < width[level]; i++) {
			done += (uint32_t)share(width[level - 1], width[level], i);
			children[level][i] = (struct dir_child){ children[level - 1][done - 1].hash,
								 index_dablk(w, first[level] + i) };
		}
	}
	for (uint32_t level = levels; level-- > 1 && !w->error;)
		put_nodes(w, level, first[level], width[level], children[level - 1], width[level - 1]);
	if (!w->error)
		put_leaves(w, names, first[0], width[0]);
	for (uint32_t level = 0; level < levels; level++)
		free(children[level]);
}

static void put_free_index(struct writer *w, const uint16_t *bests, size_t nbests)
{
	size_t room = dir_build_free_room(w->geo);

	for (size_t i = 0; i * room < nbests && !w->error; i++) {
		uint64_t off = (DIR_FREE_OFFSET >> w->geo->block_log) + (i << w->geo->dirblk_log);
		const struct da_expect place = place_block(w, off);
		size_t n = nbests - i * room < room ? nbests - i * room : room;

		dir_build_free(w->geo, w->block, &place, (uint32_t)(i * room), bests + i * room, n);
		put_block(w);
	}
}

/* Data blocks, then the index. *ret_blocks: data blocks. */
static void put_large(struct writer *w, struct dir_names *names, uint32_t *ret_blocks)
{
	uint16_t *bests = NULL;
	size_t room = 0, count = 0;

	for (size_t done = 0; done < names->count && !w->error; count++) {
		struct da_expect place;

		w->error = array_grow(&bests, &room, count, sizeof(*bests));
		if (w->error)
			break;
		place = place_block(w, (uint64_t)count << w->geo->dirblk_log);
		done += dir_build_data(w->geo, w->block, &place, names->names + done, names->count - done,
				       &bests[count]);
		put_block(w);
	}
	if (!w->error) {
		qsort(names->names, names->count, sizeof(*names->names), dir_name_order);
		if (names->count <= dir_build_leaf_room(w->geo, count)) {
			const struct da_expect place = place_block(w, index_dablk(w, 0).v);

			dir_build_leaf(w->geo, w->block, &place, names->names, names->count, bests, count,
				       (dablk_t){ 0 }, (dablk_t){ 0 });
			put_block(w);
		} else {
			put_index(w, names);
			put_free_index(w, bests, count);
		}
	}
	free(bests);
	*ret_blocks = (uint32_t)count;
}

static void put_blocks(struct writer *w, struct dir_names *names, uint32_t *ret_blocks)
{
	if (!dir_build_fits_block(w->geo, names->names, names->count)) {
		put_large(w, names, ret_blocks);
	} else {
		const struct da_expect place = place_block(w, 0);

		dir_build_block(w->geo, w->block, &place, names->names, names->count);
		put_block(w);
		*ret_blocks = 1;
	}
}

int dir_write(struct mend *m, struct mend_inode *inode, struct dir_names *names)
{
	const struct geometry *geo = &m->now->geo;
	const struct dinode_fork *of = &inode->inode.fork[DATA_FORK];
	struct dinode_disk *disk = mend_inode_disk(inode);
	struct writer w = { .m = m, .geo = geo, .ino = inode->ino, .block = malloc(geo->dir_block_size) };
	uint8_t *shortform = calloc(1, of->size);
	uint32_t size, blocks = 0;

	if (!w.block || !shortform) {
		w.error = -ENOMEM;
	} else if (dir_build_sf(geo, shortform, of->size, names->names, names->count, &size)) {
		w.error = mend_fork_store(m, inode, DATA_FORK, NULL, 0);
		memcpy(inode->bytes + (of->bytes - inode->bytes), shortform, of->size);
		disk->format = DINODE_FMT_LOCAL;
		disk->size = be64_put(size);
	} else {
		put_blocks(&w, names, &blocks);
		if (!w.error)
			w.error = mend_fork_store(m, inode, DATA_FORK, w.extents, w.nextents);
		disk->size = be64_put((uint64_t)blocks * geo->dir_block_size);
	}
	if (!w.error)
		w.error = mend_inode_store(m, inode);
	free(w.block);
	free(w.extents);
	free(shortform);
	return w.error;
}

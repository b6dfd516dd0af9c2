/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a directory for changing it, and writes it (ondisk 06).  Whenever possible, it goes to new blocks, so that the
 * old directory stays intact until the inode is written, in one sector.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "array.h"
#include "disk/dir.h"
#include "mend/base/mend.h"
#include "mend/base/mend_drop.h"
#include "mend/blocks/mend_space.h"
#include "mend_da.h"
#include "mend_dir.h"
#include "mend_dir_dates.h"
#include "repair.h"
#include "report/quote.h"
#include "sets/sort.h"

/* The entries of an index with several leaves. */
struct index {
	const struct dir_names *names;
	uint32_t leaves;
};

static void put_leaf(void *ctx, struct mend_da *w, const struct da_expect *place, uint32_t i,
		     struct da_siblings siblings)
{
	const struct index *index = ctx;
	size_t from = mend_da_share_start(index->names->count, index->leaves, i);
	size_t to = mend_da_share_start(index->names->count, index->leaves, i + 1);

	dir_build_leafn(w->geo, w->block, place, index->names->names + from, to - from, siblings);
}

static void put_index(struct mend_da *w, const struct dir_names *names)
{
	size_t room = dir_build_leaf_room(w->geo, 0);
	struct index index = { names, (uint32_t)((names->count + room - 1) / room) };
	uint32_t *last = calloc(index.leaves, sizeof(*last));

	if (!last) {
		w->error = -ENOMEM;
		return;
	}
	for (uint32_t i = 0; i < index.leaves; i++)
		last[i] = names->names[mend_da_share_start(names->count, index.leaves, i + 1) - 1].hash;
	mend_da_put_tree(w, last, index.leaves, put_leaf, &index);
	free(last);
}

static void put_free_index(struct mend_da *w, struct dir_bests bests)
{
	size_t room = dir_build_free_room(w->geo);

	for (size_t i = 0; i * room < bests.count && !w->error; i++) {
		uint64_t off = (DIR_FREE_OFFSET >> w->geo->block_log) + (i << w->geo->dirblk_log);
		const struct da_expect place = mend_da_place(w, off);
		const size_t left = bests.count - i * room;

		dir_build_free(w->geo, w->block, &place, (uint32_t)(i * room),
			       (struct dir_bests){ bests.v + i * room, left < room ? left : room });
		mend_da_put(w);
	}
}

static uint64_t place_in_index(const void *name, const void *ctx)
{
	const struct dir_name *n = name;

	(void)ctx;
	return (uint64_t)n->hash << 32 | n->address;
}

/* Writes the data blocks, then the index in leaf or node form. *ret_blocks: number of data blocks. */
static void put_large(struct mend_da *w, struct dir_names *names, uint32_t *ret_blocks)
{
	static const struct number_order order = { sizeof(*names->names), place_in_index, NULL, dir_name_order, NULL };
	uint16_t *bests = NULL;
	size_t room = 0, count = 0;

	for (size_t done = 0; done < names->count && !w->error; count++) {
		struct da_expect place;

		w->error = array_grow(&bests, &room, count, sizeof(*bests));
		if (w->error)
			break;
		place = mend_da_place(w, (uint64_t)count << w->geo->dirblk_log);
		done += dir_build_data(w->geo, w->block, &place, names->names + done, names->count - done,
				       &bests[count]);
		mend_da_put(w);
	}
	if (!w->error) {
		number_sort(names->names, names->count, &order);
		if (names->count <= dir_build_leaf_room(w->geo, count)) {
			const struct da_expect place = mend_da_place(w, DIR_LEAF_OFFSET >> w->geo->block_log);

			dir_build_leaf1(w->geo, w->block, &place, names->names, names->count,
					(struct dir_bests){ bests, count });
			mend_da_put(w);
		} else {
			put_index(w, names);
			put_free_index(w, (struct dir_bests){ bests, count });
		}
	}
	free(bests);
	*ret_blocks = (uint32_t)count;
}

/* Writes the directory in block form or, if it does not fit into one block, in a larger form. */
static void put_blocks(struct mend_da *w, struct dir_names *names, uint32_t *ret_blocks)
{
	if (!dir_build_fits_block(w->geo, names->names, names->count)) {
		put_large(w, names, ret_blocks);
	} else {
		const struct da_expect place = mend_da_place(w, 0);

		dir_build_block(w->geo, w->block, &place, names->names, names->count);
		mend_da_put(w);
		*ret_blocks = 1;
	}
}

/* Reports the new names of entries that had to be renamed. 0 or -ENOMEM. */
static int tell_renames(struct mend *m, const struct dir_edit *dir)
{
	struct found about = { .place = place_of(OBJ_DIRECTORY) };
	int ret = 0;

	about.place.agno = agno_of_ino(&m->now->geo, dir->inode.ino);
	about.place.ino = dir->inode.ino;
	for (size_t i = 0; i < dir->names.nrenames && !ret; i++) {
		const struct dir_rename *rename = &dir->names.renames[i];
		char *text = NULL;
		size_t size;
		FILE *out = open_memstream(&text, &size);

		if (!out)
			return -ENOMEM;
		fputs("name changed to \"", out);
		quote_print(out, rename->now, rename->now_len);
		fputs("\"", out);
		ret = fclose(out) ? -ENOMEM : 0;
		about.problem.finding = rename->twice ? F_DIR_ENTRY_DUPLICATE : F_DIR_ENTRY_NAME;
		about.place.name = (struct name_view){ rename->was, rename->was_len };
		if (!ret)
			mend_done_so(m, &about, SURE_GUESS, text);
		free(text);
	}
	return ret;
}

/*
 * Removes the entries of stale blocks that a newer index lacks, because a rebuilt index won't show this any more.  Not
 * for a directory of one block, which includes its index.  0 or negative errno.
 */
static int remove_outdated(struct mend *m, struct dir_edit *dir)
{
	const struct geometry *geo = &m->now->geo;
	struct dir_dates dates;
	int ret;

	if (!geo->crc || dir->inode.inode.size <= geo->dir_block_size)
		return 0;
	ret = dir_dates_collect(m, &dir->inode, &dates);
	for (size_t i = 2; i < dir->names.count && !ret; i++)
		if (dir->names.names[i].namelen && dir_dates_removed(geo, &dates, &dir->names.names[i]))
			dir_names_remove(&dir->names, i, DROP_OUTDATED);
	dir_dates_free(&dates);
	return ret;
}

int dir_edit_begin(struct mend *m, xino_t ino, struct dir_edit *ret)
{
	const struct dinode_fork *of = &ret->inode.inode.fork[DATA_FORK];
	int error = mend_inode_load(m, ino, &ret->inode);

	if (error)
		return error;
	ret->names = (struct dir_names){ 0 };
	error = ret->inode.inode.ftype == FT_DIR && of->present && of->ok ? 0 : -ENOENT;
	if (!error)
		error = dir_names_collect(m, &ret->inode, &ret->names);
	if (!error)
		error = remove_outdated(m, ret);
	if (error)
		dir_edit_end(ret);
	return error;
}

void dir_edit_end(struct dir_edit *dir)
{
	dir_names_free(&dir->names);
	mend_inode_free(&dir->inode);
}

/* Drops the entries that are missing in the directory, now that it is written. */
static void drop_names(struct mend *m, const struct dir_edit *dir)
{
	const struct dir_names *names = &dir->names;

	for (size_t i = 0; i < names->ngone; i++) {
		const struct dir_gone *gone = &names->gone[i];

		mend_drop_name(m, dir->inode.ino, gone->name.name, gone->name.namelen, gone->name.ino, gone->reason);
	}
	for (size_t i = 0; i < names->ninvalid; i++) {
		const struct dir_name *name = &names->invalid[i];

		mend_drop_name(m, dir->inode.ino, name->name, name->namelen, name->ino, DROP_INODE_IMPOSSIBLE);
	}
	for (size_t i = 0; i < names->count; i++) {
		const struct dir_name *name = &names->names[i];

		if (name->altered || name->unconfirmed)
			mend_drop_name(m, dir->inode.ino, name->name, name->namelen, name->ino,
				       name->altered ? DROP_ALTERED : DROP_UNCONFIRMED);
	}
}

/* True if the fs blocks of a directory block are not contiguous on disk. */
static bool is_split(const struct geometry *geo, const struct mend_fork *fork)
{
	const uint64_t blocks = geo->dir_block_size >> geo->block_log;

	for (size_t i = 1; i < fork->count; i++) {
		const struct bmap_record *last = &fork->extents[i - 1], *e = &fork->extents[i];

		if (e->off.v % blocks &&
		    (last->off.v + last->len != e->off.v || last->start.v + last->len != e->start.v))
			return true;
	}
	return false;
}

int dir_edit_write(struct mend *m, struct dir_edit *dir)
{
	const struct geometry *geo = &m->now->geo;
	struct mend_inode *inode = &dir->inode;
	struct dir_names *names = &dir->names;
	const struct dinode_fork *of = &inode->inode.fork[DATA_FORK];
	struct dinode_disk *disk = mend_inode_disk(inode);
	struct mend_da w;
	uint8_t *shortform = calloc(1, of->size);
	uint32_t size, blocks = 0;
	const bool began = mend_own_begin(m, inode, DATA_FORK);

	mend_da_begin(&w, m, inode->ino, DATA_FORK);
	w.may_split |= is_split(geo, &inode->fork[DATA_FORK]);
	if (!shortform)
		w.error = -ENOMEM;
	if (!w.error)
		w.error = dir_names_unique(geo, names);
	if (w.error) {
		/* nothing is written */
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
	if (!w.error)
		w.error = tell_renames(m, dir);
	if (!w.error)
		drop_names(m, dir);
	mend_da_end(&w);
	free(shortform);
	return mend_own_end(m, began, w.error);
}

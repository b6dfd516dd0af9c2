/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of directories.  Numbers and parents are packed separately: finding a directory needs only numbers, so
 * these always stay in memory, and parents may be in a file.
 */
#include "dir_table.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array.h"
#include "dir_runs.h"
#include "geometry.h"
#include "sets/byte_buffer.h"
#include "sets/number_set.h"
#include "sets/ordered.h"
#include "sets/packed.h"
#include "whole.h"

#define WRITE_AT_ONCE (1u << 20)

struct dir_packed {
	struct byte_buffer numbers, parents;
	int fd;	      /* of the temporary file for parents; negative: they are in memory */
	uint64_t end; /* of the file's contents */
	atomic_int error;
};

/* ---- making it ---- */

uint64_t dir_table_bytes(const struct dir_table *table)
{
	return table->count ? table->packed->numbers.len + table->packed->parents.len +
				      table->nblocks * sizeof(*table->blocks)
			    : 0;
}

uint64_t dir_table_spilled(const struct dir_table *table)
{
	return table->packed ? table->packed->end : 0;
}

/* Moves the parents in memory to the file.  Returns 0 or a negative errno. */
static int write_parents(struct dir_packed *packed)
{
	int ret = whole_write(packed->fd, packed->end, packed->parents.bytes, packed->parents.len);

	if (ret)
		return ret;
	packed->end += packed->parents.len;
	packed->parents.len = 0;
	return 0;
}

/* Makes parents go to a file from now on.  False: they must stay in memory, as there can be no file. */
static bool begin_file(struct dir_packed *packed)
{
	packed->fd = temporary_open();
	if (packed->fd < 0)
		return false;
	if (write_parents(packed)) {
		close(packed->fd);
		packed->fd = -1;
		return false;
	}
	free(packed->parents.bytes);
	packed->parents = (struct byte_buffer){ 0 };
	return true;
}

static int begin_block(struct dir_table *table, xino_t first)
{
	if (!table->packed) {
		table->packed = calloc(1, sizeof(*table->packed));
		if (!table->packed)
			return -ENOMEM;
		table->packed->fd = -1;
	}
	return array_add(table->blocks, table->blocks_room, table->nblocks,
			 (struct dir_block){ .first = first.v,
					     .numbers = table->packed->numbers.len,
					     .parents = table->packed->end + table->packed->parents.len });
}

/* Adds a number at the end.  Returns 0 or -ENOMEM. */
static int put(struct byte_buffer *b, uint64_t number)
{
	const int ret = byte_buffer_reserve(b, PACKED_MOST);

	if (!ret)
		b->len = (size_t)(packed_put(b->bytes + b->len, number) - b->bytes);
	return ret;
}

/* Adds a directory after the one before.  Returns 0 or a negative errno. */
static int append(struct dir_table *table, const struct dir_parent *before, const struct dir_parent *dir)
{
	const bool first = table->count % DIR_BLOCK == 0;
	/* the first parent of a block is stored as it is */
	const uint64_t parent = first ? 0 : before->parent.v;
	int ret = first ? begin_block(table, dir->dir) : put(&table->packed->numbers, dir->dir.v - before->dir.v);

	if (!ret)
		ret = put(&table->packed->parents, packed_fold(dir->parent.v - parent));
	if (ret)
		return ret;
	table->count++;
	return table->packed->fd >= 0 && table->packed->parents.len >= WRITE_AT_ONCE ? write_parents(table->packed) : 0;
}

/* Frees the unused part of an array. */
static void trim(struct byte_buffer *b)
{
	uint8_t *bytes = b->len ? realloc(b->bytes, b->len) : NULL;

	if (bytes) {
		b->bytes = bytes;
		b->room = b->len;
	}
}

int dir_table_make(struct dir_table *table, struct dir_runs *runs, size_t limit)
{
	struct dir_parent before = { 0 }, dir;
	bool may_spill = true;
	int ret = 0;

	while (!ret && (ret = dir_runs_next(runs, &dir)) > 0) {
		ret = append(table, &before, &dir);
		before = dir;
		if (!ret && may_spill && table->packed->fd < 0 && dir_table_bytes(table) > limit)
			may_spill = begin_file(table->packed);
	}
	if (!ret && table->count && table->packed->fd >= 0)
		ret = write_parents(table->packed);
	if (table->packed) {
		trim(&table->packed->numbers);
		trim(&table->packed->parents);
	}
	dir_runs_free(runs);
	return ret;
}

void dir_table_free(struct dir_table *table)
{
	if (table->packed) {
		free(table->packed->numbers.bytes);
		free(table->packed->parents.bytes);
		if (table->packed->fd >= 0)
			close(table->packed->fd);
	}
	free(table->packed);
	free(table->blocks);
	*table = (struct dir_table){ 0 };
}

/* ---- reading it ---- */

static unsigned in_block(const struct dir_table *table, size_t block)
{
	return block + 1 < table->nblocks ? DIR_BLOCK : (unsigned)(table->count - block * DIR_BLOCK);
}

/* Returns the packed parents of a block; may read them into `room`.  NULL: error. */
static const uint8_t *parents_of(const struct dir_table *table, size_t block,
				 uint8_t room[static DIR_BLOCK * PACKED_MOST])
{
	const uint64_t from = table->blocks[block].parents;
	uint64_t end;
	int ret;

	if (table->packed->fd < 0)
		return table->packed->parents.bytes + from;
	end = block + 1 < table->nblocks ? table->blocks[block + 1].parents : table->packed->end;
	ret = whole_read(table->packed->fd, from, room, (size_t)(end - from), -EIO);
	if (ret)
		atomic_store_explicit(&table->packed->error, ret, memory_order_relaxed);
	return ret ? NULL : room;
}

/* Reads the first directories of a block. */
static void read_block(const struct dir_table *table, size_t block, unsigned count, struct dir_parent *dirs)
{
	uint8_t room[DIR_BLOCK * PACKED_MOST];
	const uint8_t *numbers = table->packed->numbers.bytes + table->blocks[block].numbers,
		      *parents = parents_of(table, block, room);
	uint64_t number = table->blocks[block].first, parent = 0, value;

	for (unsigned i = 0; i < count; i++) {
		if (i) {
			numbers = packed_get(numbers, &value);
			number += value;
		}
		if (parents) {
			parents = packed_get(parents, &value);
			parent += packed_unfold(value);
		}
		dirs[i] = (struct dir_parent){ { number }, { parents ? parent : NULL_INO } };
	}
}

unsigned dir_table_block(const struct dir_table *table, size_t block, struct dir_parent dirs[static DIR_BLOCK])
{
	const unsigned count = in_block(table, block);

	read_block(table, block, count, dirs);
	return count;
}

struct dir_parent dir_table_at(const struct dir_table *table, size_t index)
{
	struct dir_parent dirs[DIR_BLOCK];

	read_block(table, index / DIR_BLOCK, index % DIR_BLOCK + 1, dirs);
	return dirs[index % DIR_BLOCK];
}

/* Returns the index of the first directory of a block that has this number; table->count: none. */
static size_t find_in(const struct dir_table *table, size_t block, uint64_t ino)
{
	const uint8_t *at = table->packed->numbers.bytes + table->blocks[block].numbers;
	const unsigned count = in_block(table, block);
	uint64_t number = table->blocks[block].first, further;
	unsigned i = 0;

	while (number < ino && ++i < count) {
		at = packed_get(at, &further);
		number += further;
	}
	return number == ino ? block * DIR_BLOCK + i : table->count;
}

size_t dir_table_find(const struct dir_table *table, xino_t ino)
{
	/* the first block that starts at or above this number; lower numbers are in the block before */
	const size_t block = ordered_from(table->blocks, table->nblocks, MEMBER(table->blocks, first), ino.v);
	size_t i = block ? find_in(table, block - 1, ino.v) : table->count;

	if (i == table->count && block < table->nblocks && table->blocks[block].first == ino.v)
		i = block * DIR_BLOCK;
	return i;
}

int dir_table_change(struct dir_table *table, const struct dir_table *of, const struct dir_parent *off, size_t noff,
		     const struct dir_parent *on, size_t non, size_t limit)
{
	struct dir_runs *runs = dir_runs_new(1);
	struct dir_parent dirs[DIR_BLOCK];
	size_t k = 0;
	int ret;

	if (!runs)
		return -ENOMEM;
	dir_runs_limit(runs, limit);
	for (size_t block = 0; block < of->nblocks; block++) {
		const unsigned count = dir_table_block(of, block, dirs);

		for (unsigned i = 0; i < count; i++) {
			if (k < noff && !memcmp(&dirs[i], &off[k], sizeof(*off)))
				k++;
			else
				dir_runs_add(runs, 0, dirs[i]);
		}
	}
	for (size_t i = 0; i < non; i++)
		dir_runs_add(runs, 0, on[i]);
	ret = k < noff ? -ENOENT : dir_runs_settle(runs);
	if (!ret)
		return dir_table_make(table, runs, limit);
	dir_runs_free(runs);
	return ret;
}

/* True if climbing from a directory by `..` reaches one for which is() is true. */
static bool is_below(const struct dir_table *table, xino_t dir, bool (*is)(const void *ctx, xino_t dir),
		     const void *ctx)
{
	size_t i = dir_table_find(table, dir), steps = 0, turn = 1, mark = table->count;

	/* a cycle is found when the last mark is reached again; marks are set after 1, 2, 4, ... steps */
	while (i < table->count && i != mark) {
		const struct dir_parent at = dir_table_at(table, i);

		if (is(ctx, at.dir))
			return true;
		if (++steps == turn) {
			turn *= 2;
			mark = i;
		}
		i = dir_table_find(table, at.parent);
	}
	return false;
}

static bool is_same(const void *ctx, xino_t dir)
{
	return dir.v == ((const xino_t *)ctx)->v;
}

bool dir_table_below(const struct dir_table *table, xino_t dir, xino_t other)
{
	return is_below(table, dir, is_same, &other);
}

static bool is_among(const void *ctx, xino_t dir)
{
	return ino_set_has(ctx, dir);
}

bool dir_table_below_any(const struct dir_table *table, xino_t dir, const struct ino_set *others)
{
	return is_below(table, dir, is_among, others);
}

int dir_table_error(const struct dir_table *table)
{
	return table->packed ? atomic_load_explicit(&table->packed->error, memory_order_relaxed) : 0;
}

bool dir_is_root(const struct geometry *geo, xino_t ino)
{
	return ino.v == geo->rootino.v || (geo->metadir && ino.v == geo->metadirino.v);
}

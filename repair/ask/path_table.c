/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table by inode number with one name per directory. If damage has given it several, the one with the smallest
 * parent, then the smallest name, is kept.
 */
#include "path_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "names/dir_table.h"
#include "sets/ordered.h"
#include "sets/sort.h"

/* A name of a directory. */
struct named {
	xino_t dir, parent;
	uint64_t at; /* offset of the name, in the bytes of its lane, later in those of the table */
	uint8_t len;
};

struct lane {
	struct named *all;
	size_t count, room;
	struct byte_buffer bytes;
	bool starved;
	uint8_t apart[64];
};

struct path_table {
	const struct geometry *geo;
	unsigned nlanes;
	struct lane *lanes;
	/* after path_table_settle() */
	struct named *all;
	uint32_t *parents; /* number of each directory's parent; count: none */
	uint32_t *depths;  /* number of names from the top to each */
	size_t count;
	uint8_t *bytes;
};

struct path_table *path_table_new(const struct geometry *geo, unsigned workers)
{
	struct path_table *table = calloc(1, sizeof(*table));

	if (table)
		table->lanes = calloc(workers, sizeof(*table->lanes));
	if (!table || !table->lanes) {
		free(table);
		return NULL;
	}
	table->geo = geo;
	table->nlanes = workers;
	return table;
}

static void free_lanes(struct path_table *table)
{
	for (unsigned i = 0; i < table->nlanes; i++) {
		free(table->lanes[i].all);
		free(table->lanes[i].bytes.bytes);
	}
	free(table->lanes);
	table->lanes = NULL;
	table->nlanes = 0;
}

void path_table_free(struct path_table *table)
{
	if (!table)
		return;
	free_lanes(table);
	free(table->all);
	free(table->parents);
	free(table->depths);
	free(table->bytes);
	free(table);
}

void path_table_add(struct path_table *table, unsigned worker, const struct entry_fact *entry)
{
	struct lane *lane = &table->lanes[worker];
	const struct named one = { entry->target, entry->directory, lane->bytes.len, entry->namelen };

	if (entry->dot || entry->dotdot || entry->metadata || !entry->name ||
	    (entry->ftype != FT_DIR && entry->ftype != FT_UNKNOWN))
		return;
	lane->starved |= byte_buffer_add(&lane->bytes, entry->name, entry->namelen) ||
			 array_add(lane->all, lane->room, lane->count, one);
}

/* ---- settling ---- */

static uint64_t number_of(const void *record, const void *ctx)
{
	(void)ctx;
	return ((const struct named *)record)->dir.v;
}

static int by_dir(const void *a, const void *b)
{
	return number_order(((const struct named *)a)->dir.v, ((const struct named *)b)->dir.v);
}

/* Copies the names of directories from all lanes to the table. 0 or -ENOMEM. */
static int join(struct path_table *table, const struct dir_table *dirs)
{
	size_t count = 1, used = 0, at = 0;

	for (unsigned i = 0; i < table->nlanes; i++) {
		if (table->lanes[i].starved)
			return -ENOMEM;
		count += table->lanes[i].count;
		used += table->lanes[i].bytes.len;
	}
	table->all = calloc(count, sizeof(*table->all));
	table->bytes = malloc(used + 1);
	if (!table->all || !table->bytes)
		return -ENOMEM;
	table->all[table->count++] = (struct named){ .dir = table->geo->rootino, .parent = { NULL_INO } };
	for (unsigned i = 0; i < table->nlanes; i++) {
		const struct lane *lane = &table->lanes[i];

		for (size_t k = 0; k < lane->count; k++) {
			struct named one = lane->all[k];

			if (one.dir.v == table->geo->rootino.v || dir_table_find(dirs, one.dir) == dirs->count)
				continue;
			memcpy(table->bytes + at, lane->bytes.bytes + one.at, one.len);
			one.at = at;
			at += one.len;
			table->all[table->count++] = one;
		}
	}
	return 0;
}

/* True if a name of a directory is preferred over another one. */
static bool is_better(const struct path_table *table, const struct named *a, const struct named *b)
{
	int order = number_order(a->parent.v, b->parent.v);

	if (!order)
		order = memcmp(table->bytes + a->at, table->bytes + b->at, a->len < b->len ? a->len : b->len);
	return order ? order < 0 : a->len < b->len;
}

/* Keeps one name per directory. */
static void keep_one(struct path_table *table)
{
	size_t kept = 0;

	for (size_t i = 0; i < table->count; i++) {
		if (kept && table->all[kept - 1].dir.v == table->all[i].dir.v) {
			if (is_better(table, &table->all[i], &table->all[kept - 1]))
				table->all[kept - 1] = table->all[i];
		} else {
			table->all[kept++] = table->all[i];
		}
	}
	table->count = kept;
}

/*
 * Breaks loops between directories, which damage may have made and which do not reach the root: one of them loses its
 * parent, so that all paths end. 0 or -ENOMEM.
 */
static int break_loops(struct path_table *table)
{
	uint32_t *visits = calloc(table->count + 1, sizeof(*visits)); /* number + 1 of the walk that first came there */

	if (!visits)
		return -ENOMEM;
	for (uint32_t i = 0; i < table->count; i++) {
		size_t at = i, before = table->count;

		for (; at < table->count && !visits[at]; at = table->parents[at]) {
			visits[at] = i + 1;
			before = at;
		}
		if (at < table->count && visits[at] == i + 1)
			table->parents[before] = (uint32_t)table->count;
	}
	free(visits);
	return 0;
}

/* True if a directory has a name, and so may have a parent. */
static bool has_way_up(const struct path_table *table, size_t at)
{
	return at < table->count && table->all[at].dir.v != table->geo->rootino.v;
}

/* Counts the names above each directory; visits each directory at most twice. 0 or -ENOMEM. */
static int measure(struct path_table *table)
{
	table->depths = calloc(table->count + 1, sizeof(*table->depths));
	if (!table->depths)
		return -ENOMEM;
	for (size_t i = 0; i < table->count; i++) {
		uint32_t depth = 0;
		size_t at;

		for (at = i; has_way_up(table, at) && !table->depths[at]; at = table->parents[at])
			depth++;
		depth += table->depths[at];
		for (at = i; has_way_up(table, at) && !table->depths[at]; at = table->parents[at])
			table->depths[at] = depth--;
	}
	return 0;
}

int path_table_settle(struct path_table *table, const struct dir_table *dirs)
{
	const struct number_order order = { .size = sizeof(*table->all), .number = number_of, .compare = by_dir };
	int ret = join(table, dirs);

	free_lanes(table);
	if (ret)
		return ret;
	number_sort(table->all, table->count, &order);
	keep_one(table);
	if (table->count >= UINT32_MAX)
		return -ENOMEM;
	table->parents = calloc(table->count + 1, sizeof(*table->parents));
	if (!table->parents)
		return -ENOMEM;
	for (size_t i = 0; i < table->count; i++)
		table->parents[i] = (uint32_t)path_table_find(table, table->all[i].parent);
	ret = break_loops(table);
	return ret ? ret : measure(table);
}

/* ---- paths ---- */

size_t path_table_count(const struct path_table *table)
{
	return table->count;
}

size_t path_table_find(const struct path_table *table, xino_t dir)
{
	return ordered_find(table->all, table->count, MEMBER(table->all, dir), dir.v);
}

xino_t path_table_ino(const struct path_table *table, size_t number)
{
	return table->all[number].dir;
}

size_t path_table_parent(const struct path_table *table, size_t number)
{
	return table->parents[number];
}

int path_table_path(const struct path_table *table, xino_t dir, struct byte_buffer *path)
{
	static const char unknown[] = "…";
	const size_t first = path_table_find(table, dir);
	size_t len = 0, at, end;

	for (at = first; has_way_up(table, at); at = table->parents[at])
		len += table->all[at].len + 1u;
	path->len = 0;
	if (byte_buffer_reserve(path, sizeof(unknown) + len))
		return -ENOMEM;
	if (at == table->count) {
		memcpy(path->bytes, unknown, sizeof(unknown) - 1);
		path->len = sizeof(unknown) - 1;
	}
	path->len += len;
	end = path->len;
	for (at = first; has_way_up(table, at); at = table->parents[at]) {
		end -= table->all[at].len;
		memcpy(path->bytes + end, table->bytes + table->all[at].at, table->all[at].len);
		path->bytes[--end] = '/';
	}
	return 0;
}

/* ---- paths from the previous one ---- */

struct path_step {
	uint32_t number; /* of a directory */
	size_t end;	 /* end of its name in the path */
};

/* Returns how many steps the current path shares with that of this directory. */
static size_t shared_with(const struct path_way *way, size_t at)
{
	size_t depth = way->table->depths[at];

	for (; depth && !(depth <= way->depth && way->steps[depth - 1].number == at); depth--)
		at = way->table->parents[at];
	return depth;
}

/* Sets the steps to this directory that are not shared. 0 or -ENOMEM. */
static int take_steps(struct path_way *way, size_t at, size_t shared)
{
	const size_t depth = way->table->depths[at];

	while (way->room < depth)
		if (array_grow(&way->steps, &way->room, way->room, sizeof(*way->steps)))
			return -ENOMEM;
	way->depth = depth;
	for (size_t i = depth; i > shared; i--, at = way->table->parents[at])
		way->steps[i - 1].number = (uint32_t)at;
	return 0;
}

int path_way_to(struct path_way *way, xino_t dir)
{
	const struct path_table *table = way->table;
	const size_t at = path_table_find(table, dir), shared = at < table->count ? shared_with(way, at) : 0;
	int ret = at < table->count ? take_steps(way, at, shared) : 0;

	if (at == table->count)
		way->depth = 0;
	way->path.len = shared ? way->steps[shared - 1].end : 0;
	for (size_t i = shared; i < way->depth && !ret; i++) {
		const struct named *named = &table->all[way->steps[i].number];

		ret = byte_buffer_add(&way->path, "/", 1);
		if (!ret)
			ret = byte_buffer_add(&way->path, table->bytes + named->at, named->len);
		way->steps[i].end = way->path.len;
	}
	way->top = dir;
	if (way->depth)
		way->top = table->all[way->steps[0].number].parent;
	if (ret)
		way->depth = 0;
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table by inode number, of one name for each directory: the one with the smallest parent, then name, if damage has
 * given it several.
 */
#include "path_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "names/dir_table.h"
#include "sets/number_sort.h"
#include "sets/sort.h"

/* A name as it was found. */
struct named {
	xino_t dir, parent;
	uint64_t at; /* where the name begins: first in the bytes of its lane, later in those of all */
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
	/* once it is settled */
	struct named *all;
	uint32_t *parents; /* the number of the directory that each is in; count: none */
	size_t count;
	uint8_t *bytes;
};

struct path_table *path_table_new(const struct geometry *geo, unsigned lanes)
{
	struct path_table *table = calloc(1, sizeof(*table));

	if (table)
		table->lanes = calloc(lanes, sizeof(*table->lanes));
	if (!table || !table->lanes) {
		free(table);
		return NULL;
	}
	table->geo = geo;
	table->nlanes = lanes;
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
	free(table->bytes);
	free(table);
}

void path_table_add(struct path_table *table, unsigned number, const struct entry_fact *entry)
{
	struct lane *lane = &table->lanes[number];
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

/* Copy what is a directory's from all lanes to one place. 0 or -ENOMEM. */
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

/* True if a name is to be preferred to another of the same directory. */
static bool is_better(const struct path_table *table, const struct named *a, const struct named *b)
{
	int order = number_order(a->parent.v, b->parent.v);

	if (!order)
		order = memcmp(table->bytes + a->at, table->bytes + b->at, a->len < b->len ? a->len : b->len);
	return order ? order < 0 : a->len < b->len;
}

/* Keep one name of each directory. */
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
 * Directories that damage has made lead to each other have no way to a root: let one of them be in no directory, so
 * that all ways end.  0 or -ENOMEM.
 */
static int break_loops(struct path_table *table)
{
	uint32_t *visits = calloc(table->count + 1, sizeof(*visits)); /* the number of the way that came there first */

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
	return break_loops(table);
}

/* ---- paths ---- */

size_t path_table_count(const struct path_table *table)
{
	return table->count;
}

static bool is_below(const void *element, const void *key)
{
	return ((const struct named *)element)->dir.v < ((const xino_t *)key)->v;
}

size_t path_table_find(const struct path_table *table, xino_t dir)
{
	const size_t at = array_lower_bound(table->all, table->count, sizeof(*table->all), &dir, is_below);

	return at < table->count && table->all[at].dir.v == dir.v ? at : table->count;
}

xino_t path_table_ino(const struct path_table *table, size_t number)
{
	return table->all[number].dir;
}

size_t path_table_parent(const struct path_table *table, size_t number)
{
	return table->parents[number];
}

/* True if a directory has a name, and so may be in another. */
static bool has_way_up(const struct path_table *table, size_t at)
{
	return at < table->count && table->all[at].dir.v != table->geo->rootino.v;
}

xino_t path_table_top(const struct path_table *table, xino_t dir)
{
	size_t at = path_table_find(table, dir);

	for (; has_way_up(table, at); at = table->parents[at])
		dir = table->all[at].parent;
	return at < table->count ? table->all[at].dir : dir;
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The refcount btree of an AG has its root in the AGF, that of a realtime group in an inode (ondisk 09).  The sweep
 * would reach that inode among others, so the metadata directories are followed to it first: from their root to
 * `rtgroups`, and from there to the files.  Damaged or missing objects on this way are skipped here, and reported by
 * the sweep.
 */
#include "rt_state.h"

#include <errno.h>
#include <stdlib.h>

#include "traverse.h"

static void refcount(void *ctx, unsigned worker, group_t group, const struct refcount_record *record)
{
	struct traverse *t = ctx;

	walk_shared(t->walkers[worker], group, record);
}

/* Walks a directory or file if its number is valid. */
static int look(struct traverse *t, xino_t ino)
{
	return ino.v && ino_valid(t->geo, ino) ? traverse_these(t, &ino, 1) : 0;
}

/* Walks the refcount files that were found by name. */
static int look_files(struct traverse *t)
{
	xino_t *inos = calloc(t->geo->rgcount, sizeof(*inos));
	size_t count = 0;
	int ret = inos ? 0 : -ENOMEM;

	for (uint32_t rgno = 0; rgno < t->geo->rgcount && !ret; rgno++) {
		const xino_t ino = t->rt.group[rgno].name[RTFILE_REFCOUNT].ino;

		if (ino.v && ino_valid(t->geo, ino))
			inos[count++] = ino;
	}
	if (count)
		ret = traverse_these(t, inos, count);
	free(inos);
	return ret;
}

int rt_shared_read(struct traverse *t)
{
	static const struct sink_ops ops = { .refcount = refcount };
	const struct scope scope = { .wary = true, .claims = true, .names = true };
	const struct sink sink = { &ops, t, t->sink.key };
	struct traverse *way;
	int ret = traverse_new(t->geo, t->device, t->primary, &scope, &sink, NULL, &t->options, &way);

	if (ret)
		return ret;
	ret = look(way, t->geo->metadirino);
	if (!ret)
		ret = look(way, way->rt.directory);
	if (!ret)
		ret = look_files(way);
	traverse_free(way);
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks down from the root, one directory at a time. */
#include "search.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "check/facts.h"
#include "repair.h"
#include "check/walk/walker.h"

/* The search for a name in a directory. */
struct step {
	xino_t directory;
	const char *name;
	size_t length;
	pthread_mutex_t lock;
	xino_t found; /* under lock; NULL_INO: not yet. The lowest of several */
};

static bool is_called(const struct entry_fact *entry, const char *name, size_t length)
{
	if (entry->dotdot)
		return length == 2 && !memcmp(name, "..", 2);
	return !entry->dot && entry->namelen == length && !memcmp(entry->name, name, length);
}

static void entry(void *ctx, unsigned worker, const struct entry_fact *entry)
{
	struct step *step = ctx;

	(void)worker;
	if (entry->directory.v != step->directory.v || !is_called(entry, step->name, step->length))
		return;
	pthread_mutex_lock(&step->lock);
	if (entry->target.v < step->found.v)
		step->found = entry->target;
	pthread_mutex_unlock(&step->lock);
}

static int step_down(const struct repair *rc, const char *name, size_t length, xino_t *ino)
{
	static const struct sink_ops ops = { .entry = entry };
	const struct scope scope = { .names = true };
	struct step step = { .directory = *ino, .name = name, .length = length, .found = { NULL_INO } };
	int ret;

	pthread_mutex_init(&step.lock, NULL);
	ret = facts_gather_near(rc, &scope, ino, 1, &ops, &step);
	pthread_mutex_destroy(&step.lock);
	if (ret)
		return ret;
	*ino = step.found;
	return ino_valid(&rc->geo, *ino) ? 0 : -ENOENT;
}

int resolve_path(const struct repair *rc, const char *path, xino_t *ret_ino)
{
	xino_t ino = rc->geo.rootino;
	int ret = ino_valid(&rc->geo, ino) ? 0 : -ENOENT;

	while (!ret && *path) {
		const size_t length = strcspn(path, "/");

		if (length > UINT8_MAX)
			ret = -ENOENT;
		else if (length && !(length == 1 && path[0] == '.'))
			ret = step_down(rc, path, length, &ino);
		path += length + strspn(path + length, "/");
	}
	*ret_ino = ino;
	return ret;
}

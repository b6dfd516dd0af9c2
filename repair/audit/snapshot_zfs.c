/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots of ZFS volumes by zfs(8). Snapshots have device nodes only if a property of the volume says so, so a
 * read-only clone is read, which is destroyed with its snapshot.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "snapshot.h"
#include "tool.h"

#define NODES "/dev/zvol/"
#define TRIES 50 /* until udev has created the node, or closed it again */
#define ROOM  (1u << 18)

/* Finds the name of the volume with this device. -ENODEV: not a ZFS volume. */
static int find_name(const struct volume *v, char *name, size_t room)
{
	static const char *const argv[] = { "zfs", "list", "-H", "-t", "volume", "-o", "name", NULL };
	char *list = malloc(ROOM), *at = list, path[PATH_MAX], ignored[256];
	int ret = -ENODEV;
	struct stat st;

	if (!list || !v->dev || tool_read(argv, list, ROOM, ignored, sizeof(ignored)))
		at = NULL;
	for (const char *line; ret && (line = strsep(&at, "\n"));) {
		snprintf(path, sizeof(path), NODES "%s", line);
		if (stat(path, &st) || !S_ISBLK(st.st_mode) || st.st_rdev != v->dev || strlen(line) >= room)
			continue;
		strcpy(name, line);
		ret = strchr(line, '/') ? 0 : -ENODEV;
	}
	free(list);
	return ret;
}

/* Destroys a snapshot and its clone. */
static int destroy(const char *snapshot, char *message, size_t size)
{
	const char *const argv[] = { "zfs", "destroy", "-R", snapshot, NULL };

	return snapshot_try(argv, TRIES, message, size);
}

/* Destroys snapshots of this volume that killed runs left behind. */
static int tidy(const char *name, char *message, size_t size)
{
	const char *const argv[] = { "zfs", "list", "-H", "-d", "1", "-t", "snapshot", "-o", "name", name, NULL };
	char *list = malloc(ROOM), *at = list;
	int ret = list ? tool_read(argv, list, ROOM, message, size) : -ENOMEM;

	for (const char *line; !ret && at && (line = strsep(&at, "\n"));)
		if (strstr(line, "@" VOLUME_OURS))
			ret = destroy(line, message, size);
	free(list);
	return ret;
}

static int make(const struct volume *v, struct snapshot *s, char *message, size_t size)
{
	char name[PATH_MAX / 2], clone[PATH_MAX], ignored[256];
	const char *const snapshot[] = { "zfs", "snapshot", s->name, NULL };
	const char *const copy[] = { "zfs", "clone", "-o", "readonly=on", s->name, clone, NULL };
	int ret = find_name(v, name, sizeof(name));

	if (!ret)
		ret = tidy(name, message, size);
	if (ret)
		return ret;
	snprintf(s->name, sizeof(s->name), "%s@" VOLUME_OURS "%u", name, (unsigned)getpid());
	/* beside the volume, since volumes have no children */
	*strrchr(name, '/') = '\0';
	snprintf(clone, sizeof(clone), "%s/" VOLUME_OURS "%u-%u", name, (unsigned)v->dev, (unsigned)getpid());
	snprintf(s->device, sizeof(s->device), NODES "%.4000s", clone);
	ret = tool_run(snapshot, message, size);
	if (ret)
		return ret;
	ret = tool_run(copy, message, size);
	for (unsigned i = 0; !ret && access(s->device, R_OK); i++) {
		const struct timespec moment = { .tv_nsec = 200000000 };

		if (i == TRIES) {
			snprintf(message, size, "%s does not appear", s->device);
			ret = -ENXIO;
		}
		nanosleep(&moment, NULL);
	}
	if (ret)
		destroy(s->name, ignored, sizeof(ignored));
	return ret;
}

static int drop(struct snapshot *s, char *message, size_t size)
{
	return destroy(s->name, message, size);
}

const struct snapshot_kind snapshot_zfs = { .name = "zfs", .make = make, .remove = drop };

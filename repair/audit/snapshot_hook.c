/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots by the administrator's programs, for arrays, clouds, ZFS, RBD. Each program in the hooks' directory is run:
 *
 *     NAME create DEVICE MOUNTPOINT         makes a snapshot, and prints the path of the device or image to read, or
 *                                           nothing if the volume is not its own; other exit statuses than 0 end the
 *                                           audit of this volume
 *     NAME remove DEVICE MOUNTPOINT PATH    removes it; PATH: as printed
 *
 * create also has to remove what an earlier run has left of the same volume.
 */
#define _GNU_SOURCE 1

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "snapshot.h"
#include "tool.h"

/* True if only its owner, root or this user, can write the program. */
static bool is_trusted(const char *path)
{
	struct stat st;

	return !stat(path, &st) && (st.st_uid == 0 || st.st_uid == geteuid()) && !(st.st_mode & (S_IWGRP | S_IWOTH));
}

static int is_hook(const struct dirent *entry)
{
	return !strchr(entry->d_name, '.') && entry->d_name[strlen(entry->d_name) - 1] != '~';
}

static int call(const char *hook, const char *verb, const struct volume *v, const char *made, char *answer, size_t room,
		char *message, size_t size)
{
	const char *const argv[] = { hook, verb, v->device, v->mount ? v->mount : "", made, NULL };
	const int ret = tool_read(argv, answer, room, message, size);

	answer[strcspn(answer, "\n")] = '\0';
	return ret;
}

static int try_hook(const char *name, const struct volume *v, struct snapshot *s, char *message, size_t size)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", s->hooks, name);
	if (!is_trusted(path) || access(path, X_OK))
		return 0;
	snprintf(s->name, sizeof(s->name), "%s", path);
	return call(path, "create", v, NULL, s->device, sizeof(s->device), message, size);
}

/* Asks hooks one by one; -ENODEV: none is for this volume. */
static int make(const struct volume *v, struct snapshot *s, char *message, size_t size)
{
	struct dirent **names = NULL;
	const int count = is_trusted(s->hooks) ? scandir(s->hooks, &names, is_hook, alphasort) : 0;
	int ret = -ENODEV;

	for (int i = 0; i < count; i++) {
		if (ret == -ENODEV) {
			ret = try_hook(names[i]->d_name, v, s, message, size);
			if (!ret && !s->device[0])
				ret = -ENODEV;
		}
		free(names[i]);
	}
	free(names);
	return ret;
}

static int drop(struct snapshot *s, char *message, size_t size)
{
	char answer[64];

	return call(s->name, "remove", s->of, s->device, answer, sizeof(answer), message, size);
}

const struct snapshot_kind snapshot_hook = { .name = "hook", .make = make, .remove = drop };

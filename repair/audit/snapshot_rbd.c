/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Snapshots of Ceph images by rbd(8), mapped read-only through NBD, since the kernel's client lacks features. */
#define _GNU_SOURCE 1

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/json_in.h"
#include "snapshot.h"
#include "tool.h"

#define ROOM (1u << 18)

/* Returns the JSON output of a command; NULL: it failed, or printed something else. */
static json_t *ask(const char *const argv[], char *message, size_t size)
{
	char *text = malloc(ROOM);
	json_t *answer = NULL;

	if (text && !tool_read(argv, text, ROOM, message, size))
		answer = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	free(text);
	return answer;
}

/* Finds POOL/NAMESPACE/IMAGE of a mapped device. -ENODEV: not mapped in this way. */
static int find_image(const struct volume *v, const char *how, char *image, size_t room)
{
	const char *const argv[] = { "rbd", "device", "list", "-t", how, "--format", "json", NULL };
	char ignored[256];
	json_t *list = ask(argv, ignored, sizeof(ignored));
	const json_t *one;
	int ret = -ENODEV;
	struct stat st;
	size_t i;

	json_array_foreach(list, i, one)
	{
		const char *space = json_in_text(one, "namespace");

		if (stat(json_in_text(one, "device"), &st) || !S_ISBLK(st.st_mode) || st.st_rdev != v->dev)
			continue;
		if (snprintf(image, room, "%s/%s%s%s", json_in_text(one, "pool"), space, *space ? "/" : "",
			     json_in_text(one, "name")) < (int)room)
			ret = 0;
	}
	json_decref(list);
	return ret;
}

/* Removes a snapshot, unmapping it first if it is mapped. */
static int remove_snapshot(const char *snapshot, bool mapped, char *message, size_t size)
{
	const char *const unmap[] = { "rbd", "device", "unmap", "-t", "nbd", snapshot, NULL };
	const char *const rm[] = { "rbd", "snap", "rm", "--no-progress", snapshot, NULL };
	const int ret = mapped ? tool_run(unmap, message, size) : 0;

	return ret ? ret : tool_run(rm, message, size);
}

/* Removes snapshots of this image that killed runs left behind. */
static int tidy(const char *image, char *message, size_t size)
{
	const char *const argv[] = { "rbd", "snap", "ls", "--format", "json", image, NULL };
	char snapshot[PATH_MAX], ignored[256];
	json_t *list;
	const json_t *one;
	int ret = 0;
	size_t i;

	message[0] = '\0';
	list = ask(argv, message, size);
	if (!json_is_array(list)) {
		if (!message[0])
			snprintf(message, size, "rbd snap ls does not list the snapshots of %s", image);
		ret = -EIO;
	}
	json_array_foreach(list, i, one)
	{
		const char *name = json_in_text(one, "name");

		if (strncmp(name, VOLUME_OURS, strlen(VOLUME_OURS)) != 0 || ret)
			continue;
		snprintf(snapshot, sizeof(snapshot), "%s@%s", image, name);
		ret = remove_snapshot(snapshot, true, ignored, sizeof(ignored));
		if (ret) /* it was not mapped */
			ret = remove_snapshot(snapshot, false, message, size);
	}
	json_decref(list);
	return ret;
}

static int make(const struct volume *v, struct snapshot *s, char *message, size_t size)
{
	char image[PATH_MAX / 2], ignored[256];
	const char *const create[] = { "rbd", "snap", "create", "--no-progress", s->name, NULL };
	const char *const map[] = { "rbd", "device", "map", "-t", "nbd", "--read-only", s->name, NULL };
	int ret = v->dev ? find_image(v, "krbd", image, sizeof(image)) : -ENODEV;

	if (ret && v->dev)
		ret = find_image(v, "nbd", image, sizeof(image));
	if (!ret)
		ret = tidy(image, message, size);
	if (ret)
		return ret;
	snprintf(s->name, sizeof(s->name), "%s@" VOLUME_OURS "%u", image, (unsigned)getpid());
	ret = tool_run(create, message, size);
	if (ret)
		return ret;
	ret = tool_read(map, s->device, sizeof(s->device), message, size);
	s->device[strcspn(s->device, "\n")] = '\0';
	if (ret)
		remove_snapshot(s->name, false, ignored, sizeof(ignored));
	return ret;
}

static int drop(struct snapshot *s, char *message, size_t size)
{
	return remove_snapshot(s->name, true, message, size);
}

const struct snapshot_kind snapshot_rbd = { .name = "rbd", .make = make, .remove = drop };

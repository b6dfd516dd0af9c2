/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the kind of snapshot for a volume. */
#define _GNU_SOURCE 1

#include "snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "tool.h"

/* An administrator's hook comes first, since it is there to override the others. */
static const struct snapshot_kind *const kinds[] = { &snapshot_hook, &snapshot_lvm, &snapshot_reflink, &snapshot_zfs,
						     &snapshot_rbd };

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* True if the image is open for writing: a read lease is refused then. */
static bool is_written(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const bool written = fd >= 0 && fcntl(fd, F_SETLEASE, F_RDLCK) < 0 && errno == EAGAIN;

	if (fd >= 0)
		close(fd);
	return written;
}

bool snapshot_needed(const struct volume *volume)
{
	return volume->mount || (!volume->dev && is_written(volume->device));
}

int snapshot_make(const struct volume *volume, const char *hooks, struct snapshot *ret_snapshot, char *message,
		  size_t size)
{
	struct snapshot *s = ret_snapshot;
	int ret;

	*s = (struct snapshot){ .of = volume, .hooks = hooks, .fd = -1 };
	snprintf(s->device, sizeof(s->device), "%s", volume->device);
	if (!snapshot_needed(volume))
		return 0;
	if (volume->other_device) {
		snprintf(message, size,
			 "%s has its log or its realtime section on another device: no snapshot is made of both at the "
			 "same moment. Unmount it, and check it",
			 volume->mount);
		return -EOPNOTSUPP;
	}
	for (size_t i = 0; i < KINDS; i++) {
		ret = kinds[i]->make(volume, s, message, size);
		s->kind = ret ? NULL : kinds[i];
		if (ret != -ENODEV)
			return ret;
	}
	snprintf(message, size,
		 "%s is in use, and no snapshot can be made of it: it is no volume of LVM, ZFS or Ceph, and no image "
		 "on a "
		 "file system with reflinks, and no program in %s makes one",
		 volume->mount ? volume->mount : volume->device, hooks);
	return -EOPNOTSUPP;
}

int snapshot_look(const struct snapshot *snapshot, char *message, size_t size)
{
	return snapshot->kind && snapshot->kind->look ? snapshot->kind->look(snapshot, message, size) : 0;
}

int snapshot_remove(struct snapshot *snapshot, char *message, size_t size)
{
	const int ret = snapshot->kind ? snapshot->kind->remove(snapshot, message, size) : 0;

	if (!ret)
		snapshot->kind = NULL;
	return ret;
}

int snapshot_try(const char *const argv[], unsigned tries, char *message, size_t size)
{
	const struct timespec moment = { .tv_nsec = 200000000 };
	int ret = 0;

	for (unsigned i = 0; i < tries; i++) {
		ret = tool_run(argv, message, size);
		if (ret != -EIO)
			return ret;
		nanosleep(&moment, NULL);
	}
	return ret;
}

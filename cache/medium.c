/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out what a device is made of, and so what a seek costs: on a rotating disk as much as reading a megabyte. sysfs
 * tells this of real disks; a loop device is what its file lies on; a virtual disk calls itself rotational whatever is
 * below it.
 */
#define _GNU_SOURCE 1

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "medium.h"

#define MAX_LOOPS 8 /* loop devices on top of each other */

/* Open an attribute of a block device, or of the disk that a partition is on. */
static FILE *open_attribute(dev_t devno, const char *name)
{
	static const char *const parents[] = { "", "../" };
	char path[128];
	FILE *file = NULL;

	for (size_t i = 0; i < sizeof(parents) / sizeof(parents[0]) && !file; i++) {
		snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/%s%s", major(devno), minor(devno), parents[i], name);
		file = fopen(path, "re");
	}
	return file;
}

/* The device under the file that a loop device lies on.  False: it is no loop device, or its file is gone. */
static bool loop_backing(dev_t devno, dev_t *ret_devno)
{
	FILE *file = open_attribute(devno, "loop/backing_file");
	char path[PATH_MAX];
	struct stat st;
	bool found;

	if (!file)
		return false;
	found = fgets(path, sizeof(path), file) != NULL;
	fclose(file);
	if (!found)
		return false;
	path[strcspn(path, "\n")] = '\0';
	if (stat(path, &st))
		return false;
	*ret_devno = S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev;
	return true;
}

static bool is_virtual(dev_t devno)
{
	static const char *const places[] = { "device/subsystem", "../device/subsystem" };
	char path[128], bus[PATH_MAX];

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		ssize_t len;

		snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/%s", major(devno), minor(devno), places[i]);
		len = readlink(path, bus, sizeof(bus) - 1);
		if (len <= 0)
			continue;
		bus[len] = '\0';
		return strstr(bus, "/bus/virtio") || strstr(bus, "/bus/xen");
	}
	return false;
}

enum device_medium medium_find(const struct stat *st)
{
	dev_t devno = S_ISBLK(st->st_mode) ? st->st_rdev : st->st_dev;
	FILE *file;
	int c;

	for (int i = 0; i < MAX_LOOPS && loop_backing(devno, &devno); i++)
		;
	file = open_attribute(devno, "queue/rotational");
	if (!file)
		return MEDIUM_UNKNOWN;
	c = fgetc(file);
	fclose(file);
	if (c == '0')
		return MEDIUM_FLASH;
	return is_virtual(devno) ? MEDIUM_UNKNOWN : MEDIUM_DISK;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the part of a device or image that the user means: a partition, or what begins at some byte. */
#define _GNU_SOURCE 1

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "part.h"
#include "partitions.h"
#include "source.h"

bool part_wanted(const struct device_options *options)
{
	return options->partition || options->offset || options->size;
}

static int cannot_use_part(const struct device *device, const char *why, char *message, size_t size)
{
	snprintf(message, size, "%s: %s", device->path, why);
	return -EINVAL;
}

/* Name the part that the user has asked for: for messages. 0 or -ENOMEM. */
static int name_part(struct device *device, unsigned partition)
{
	char *name = NULL;
	const int length =
		partition ? asprintf(&name, "partition %u of %s", partition, device->path)
			  : asprintf(&name, "%s from byte %llu on", device->path, (unsigned long long)device->base);

	if (length < 0)
		return -ENOMEM;
	free(device->name);
	device->name = name;
	return 0;
}

static int find_partition(struct device *device, unsigned number, char *why, size_t size)
{
	uint64_t base;
	const int fd = device->source->probe(device, &base);
	const int ret = fd < 0 ? fd : partitions_find(fd, number, &device->base, &device->bytes, why, size);

	if (fd < 0)
		snprintf(why, size, "its table of partitions can't be read: %s", strerror(-fd));
	else
		close(fd);
	return ret;
}

int part_find(struct device *device, const struct device_options *options, char *message, size_t size)
{
	const uint64_t whole = device->bytes;
	char why[640];

	if (!part_wanted(options))
		return 0;
	if (options->partition && find_partition(device, options->partition, why, sizeof(why)))
		return cannot_use_part(device, why, message, size);
	if (!options->partition) {
		device->base = options->offset;
		device->bytes = options->size;
	}
	if (device->base >= whole) {
		snprintf(why, sizeof(why), "it ends at byte %llu, so there is nothing at byte %llu",
			 (unsigned long long)whole, (unsigned long long)device->base);
		return cannot_use_part(device, why, message, size);
	}
	device->part = device->bytes != 0;
	if (!device->bytes)
		device->bytes = whole - device->base;
	if (device->bytes > whole - device->base && !options->partition) {
		snprintf(why, sizeof(why), "from byte %llu to its end it has only %llu bytes",
			 (unsigned long long)device->base, (unsigned long long)(whole - device->base));
		return cannot_use_part(device, why, message, size);
	}
	/* of a disk or image that is cut off, what is left of its last partition can be checked as any that is too
	 * short */
	if (device->bytes > whole - device->base)
		device->bytes = whole - device->base;
	return name_part(device, options->partition);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The partitions of a disk, or of its image. */
#ifndef XFSCK_CACHE_PARTITIONS_H
#define XFSCK_CACHE_PARTITIONS_H

#include <stddef.h>
#include <stdint.h>

#include "device.h"

struct device;

/* Writes to advice, of size bytes, the commands that check its partitions with XFS, or their contents. fd: reads it. */
void partitions_advise(const struct device *device, int fd, char *advice, size_t size);
/* Calls fn for each partition of the disk that fd reads, with its offset and size in bytes. */
void partitions_each(int fd, void (*fn)(void *ctx, uint64_t offset, uint64_t bytes), void *ctx);

/* The part of a device or image that the user means. */

/* True if the user wants a part of the device. */
bool part_wanted(const struct device_options *options);
/*
 * Sets base, bytes, part and name of a device to those of the wanted part, which must lie within the whole. The source
 * must be readable, and bytes that of the whole. 0, or negative errno with a sentence in message.
 */
int part_find(struct device *device, const struct device_options *options, char *message, size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The partitions of a whole disk, or of its image. */
#ifndef XFSCK_CACHE_PARTITIONS_H
#define XFSCK_CACHE_PARTITIONS_H

#include <stddef.h>
#include <stdint.h>

#include "device.h"

struct device;

/* Put into advice, of size bytes, how each of its partitions with XFS is checked, or what they hold; fd: reads it. */
void partitions_advise(const struct device *device, int fd, char *advice, size_t size);
/* Call fn for each partition of the disk that fd reads: where it lies, byte, bytes. */
void partitions_each(int fd, void (*fn)(void *ctx, uint64_t offset, uint64_t bytes), void *ctx);

/* The part of a device or image that the user means. */

/* True if the user has asked for a part of the device. */
bool part_wanted(const struct device_options *options);
/*
 * Of a device whose source can be read, and whose bytes are those of the whole: set base, bytes, part and name to those
 * of the part that is wanted, which must lie in the whole.  0, or negative errno with a sentence in message.
 */
int part_find(struct device *device, const struct device_options *options, char *message, size_t size);

#endif

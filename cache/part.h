/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of a device or image that the user means. */
#ifndef XFSCK_CACHE_PART_H
#define XFSCK_CACHE_PART_H

#include "device.h"

/* True if the user has asked for a part of the device. */
bool part_wanted(const struct device_options *options);
/*
 * Of a device whose source can be read, and whose bytes are those of the whole: set base, bytes, part and name to those
 * of the part that is wanted, which must lie in the whole.  0, or negative errno with a sentence in message.
 */
int part_find(struct device *device, const struct device_options *options, char *message, size_t size);

#endif

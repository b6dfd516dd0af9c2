/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing to a device that is open for it, see device_open_write(). */
#ifndef XFSCK_CACHE_WRITE_H
#define XFSCK_CACHE_WRITE_H

#include "device.h"

/*
 * As device_write(), for a range that starts on a unit of device->align, and ends on one or with the device; the
 * address of bytes is aligned, too.
 */
int write_units(struct device *device, const uint8_t *bytes, uint64_t offset, size_t len);
/* Note that a write of this range has failed, for device_write_failed(). Returns the error. */
int write_failed(struct device *device, uint64_t offset, size_t len, int error);

#endif

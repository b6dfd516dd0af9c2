/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which bytes of a device can't be read: unreadable and not staged, or beyond the end. */
#include <errno.h>

#include "device.h"
#include "overlay.h"
#include "read.h"
#include "unreadable.h"

/* Finds the first range in [start, end) that is unreadable and not staged. */
static bool find_unreadable(const struct device *device, uint64_t start, uint64_t end, uint64_t *ret_offset,
			    uint64_t *ret_len)
{
	uint64_t gap, gap_end;

	while (unreadable_find(device->unreadable, start, end, ret_offset, ret_len)) {
		if (!overlay_any(device->overlay))
			return true;
		start = *ret_offset + *ret_len;
		if (overlay_gap(device->overlay, *ret_offset, start, &gap, &gap_end)) {
			*ret_offset = gap;
			*ret_len = gap_end - gap;
			return true;
		}
	}
	return false;
}

/* Reads the unit at this offset: 1 if it is readable, 0 if not, or -ENOMEM. */
static int is_readable(struct device *device, uint8_t *unit, uint64_t offset)
{
	const size_t len = device_available(device, offset, device->align);
	const ssize_t n = len ? read_request(device, unit, offset, device->align) : 0;

	return n == -ENOMEM ? -ENOMEM : n > 0 && n >= (ssize_t)len;
}

#define BOTH_ENDS 32u /* units; both ends of longer ranges are read, which is relatively cheap */

int device_still_unreadable(struct device *device, uint64_t *ret_offset, uint64_t *ret_len)
{
	uint8_t *unit = device_buffer(device, device->align);
	uint64_t at = 0, start, len;
	int ret = unit ? 0 : -ENOMEM;

	while (!ret && unreadable_find(device->unreadable, at, UINT64_MAX, &start, &len)) {
		at = start + len;
		if (len > device->bad_unit)
			ret = is_readable(device, unit, align_down(at - 1, device->align));
		if (!ret && len >= (uint64_t)BOTH_ENDS * device->bad_unit)
			ret = is_readable(device, unit, align_down(start, device->align));
	}
	device_buffer_free(unit);
	if (ret <= 0)
		return ret;
	*ret_offset = start;
	*ret_len = len;
	return -EAGAIN;
}

bool device_next_unreadable(const struct device *device, uint64_t offset, uint64_t *ret_offset, uint64_t *ret_len)
{
	return unreadable_find(device->unreadable, offset, UINT64_MAX, ret_offset, ret_len);
}

int device_was_unreadable(struct device *device, uint64_t offset, uint64_t len)
{
	uint8_t *unit;
	int ret;

	if (!len)
		return 0;
	unit = device_buffer(device, device->align);
	ret = unit ? is_readable(device, unit, align_down(offset, device->align)) : -ENOMEM;
	if (!ret && len > device->align)
		ret = is_readable(device, unit, align_down(offset + len - 1, device->align));
	device_buffer_free(unit);
	if (ret)
		return ret > 0 ? -EAGAIN : ret;
	read_lost(device, offset, len, -EIO);
	return 0;
}

bool device_unreadable(const struct device *device, uint64_t offset, uint64_t len, uint64_t *ret_offset,
		       uint64_t *ret_len)
{
	uint64_t end = len < UINT64_MAX - offset ? offset + len : UINT64_MAX;

	if (find_unreadable(device, offset, end, ret_offset, ret_len))
		return true;
	if (end <= device->bytes || offset >= end)
		return false;
	*ret_offset = offset > device->bytes ? offset : device->bytes;
	*ret_len = end - *ret_offset;
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the device can't give: what could not be read, and nothing is staged over; what lies behind its end. */
#include "device.h"
#include "overlay.h"
#include "unreadable.h"

/* The first range in [start, end) that could not be read and that nothing is staged over. */
static bool find_lost(const struct device *device, uint64_t start, uint64_t end, uint64_t *ret_offset,
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

bool device_unreadable(const struct device *device, uint64_t offset, uint64_t len, uint64_t *ret_offset,
		       uint64_t *ret_len)
{
	uint64_t end = len < UINT64_MAX - offset ? offset + len : UINT64_MAX;

	if (find_lost(device, offset, end, ret_offset, ret_len))
		return true;
	if (end <= device->bytes || offset >= end)
		return false;
	*ret_offset = offset > device->bytes ? offset : device->bytes;
	*ret_len = end - *ret_offset;
	return true;
}

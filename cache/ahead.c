/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads pages ahead for callers that know what they will read one after the other, and would wait for each.  The pages
 * go to a cache of their own (kept.c), since the cache of what is read again and again drops nothing for them.
 */
#include "device.h"
#include "kept.h"
#include "parallel.h"
#include "read.h"

#define TOGETHER 8u	     /* threads, which wait for the device most of the time */
#define LIMIT	 (24u << 20) /* bytes: enough wherever the pages lie; unused room takes no memory */

struct ahead {
	struct device *device;
	const uint64_t *pages;
};

static void read_page(void *ctx, size_t i)
{
	const struct ahead *a = ctx;
	uint8_t bytes[AHEAD_PAGE];

	if (!device_kept(a->device, bytes, a->pages[i], sizeof(bytes)) &&
	    !read_staged(a->device, bytes, a->pages[i], sizeof(bytes)))
		kept_put(a->device->ahead, bytes, a->pages[i], sizeof(bytes), false);
}

void device_ahead(struct device *device, const uint64_t *pages, size_t count)
{
	struct ahead ahead = { device, pages };

	kept_limit(device->ahead, 0);
	if (!count)
		return;
	kept_limit(device->ahead, LIMIT);
	parallel_each(TOGETHER, count < AHEAD_MAX ? count : AHEAD_MAX, read_page, &ahead);
}

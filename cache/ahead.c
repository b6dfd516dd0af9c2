/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads pages ahead for callers that know what they will read next, and would otherwise wait for each page. The pages
 * go to a cache of their own (kept.c), since the main cache does not drop anything for them.
 */
#include "device.h"
#include "kept.h"
#include "parallel.h"
#include "read.h"

#define TOGETHER 8u	     /* threads, which mostly wait for the device */
#define LIMIT	 (24u << 20) /* bytes: enough for any set of pages; unused room takes no memory */

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

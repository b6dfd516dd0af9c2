/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the blocks of the log lie, and reading them. */
#include "log_source.h"

struct log_source log_source_of(const struct geometry *geo, struct device *device, struct device *log_device)
{
	if (log_device)
		return (struct log_source){ log_device, 0 };
	return (struct log_source){ device, bytes_of_daddr(daddr_of_fsbno(geo, geo->logstart)) };
}

int log_source_read(void *ctx, void *buf, uint64_t bb, uint32_t count)
{
	const struct log_source *log = ctx;

	return device_read(log->device, buf, log->start + (bb << SECTOR_LOG), (size_t)count << SECTOR_LOG);
}

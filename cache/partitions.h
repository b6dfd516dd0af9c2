/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What to do with a whole disk whose partitions hold file systems. */
#ifndef XFSCK_CACHE_PARTITIONS_H
#define XFSCK_CACHE_PARTITIONS_H

#include <stddef.h>

struct device;

/* Put into advice, of size bytes, how each of its partitions with XFS is checked, or what they hold; fd: reads it. */
void partitions_advise(const struct device *device, int fd, char *advice, size_t size);

#endif

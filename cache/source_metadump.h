/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A device that is only there as a metadump. */
#ifndef XFSCK_CACHE_SOURCE_METADUMP_H
#define XFSCK_CACHE_SOURCE_METADUMP_H

#include "source.h"
#include "unpack.h"

/*
 * Look whether a name leads to a metadump, and how that is compressed: a descriptor for it; -ENOENT if not, as far as
 * can be told; -EIO if its beginning can't be read.
 */
int source_metadump_find(const char *path, enum packing *ret_packing);
/* As source_open(), of what that has found: fd belongs to the device from now on, also if this fails. */
int source_metadump_open(struct device *device, int fd, enum packing packing, const struct device_options *options,
			 char *message, size_t size);
/* As source_open(), of a device that options->carrier carries. */
int source_metadump_open_inner(struct device *device, const struct device_options *options, char *message, size_t size);

#endif

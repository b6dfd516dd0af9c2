/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A device behind an NBD server. */
#ifndef XFSCK_CACHE_SOURCE_NBD_H
#define XFSCK_CACHE_SOURCE_NBD_H

#include "source.h"

struct nbd_io;

/* True if the name of a device is the URI of an NBD export. */
bool source_nbd_is_uri(const char *path);
/* As source_open(). */
int source_nbd_open(struct device *device, const struct device_options *options, char *message, size_t size);
/* The connection of such a device. */
struct nbd_io *source_nbd_io(const struct device *device);

#endif

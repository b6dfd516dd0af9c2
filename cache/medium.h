/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef XFSCK_CACHE_MEDIUM_H
#define XFSCK_CACHE_MEDIUM_H

#include <sys/stat.h>

#include "cache.h"

/* Of a block device, or of the device under the file system of a regular file. */
enum device_medium medium_find(const struct stat *st);

#endif

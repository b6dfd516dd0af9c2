/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef XFSCK_CACHE_MEDIUM_H
#define XFSCK_CACHE_MEDIUM_H

#include <sys/stat.h>

#include "cache.h"

/* The medium of a block device, or of the device under the file system that a regular file is on. */
enum device_medium medium_find(const struct stat *st);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef XFSCK_CACHE_ROTATIONAL_H
#define XFSCK_CACHE_ROTATIONAL_H

#include <stdbool.h>
#include <sys/stat.h>

/* For a block device the device itself, for a regular file the device under its file system. False if nobody knows. */
bool rotational_find(const struct stat *st);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who else uses a device or image. */
#ifndef XFSCK_CACHE_IN_USE_H
#define XFSCK_CACHE_IN_USE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/*
 * 0 if what st describes may be read, else -EBUSY, or what keeps us from finding out, and in message (of size bytes)
 * why not.
 * *ret_exclusive: it is a block device that must be opened with O_EXCL, which finds the users we can't see.
 */
int in_use_check(const char *path, const struct stat *st, bool allow_readonly_mounted, bool *ret_exclusive,
		 char *message, size_t size);

#endif

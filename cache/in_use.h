/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out whether somebody else uses a device or image. */
#ifndef XFSCK_CACHE_IN_USE_H
#define XFSCK_CACHE_IN_USE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/*
 * 0 if the file or device that st describes may be read; else -EBUSY, or another negative errno if that can't be found
 * out, and a sentence in message, which has room for size bytes.  *ret_exclusive: it is a block device that must be
 * opened with O_EXCL, which fails if users hold it that can't be found otherwise.
 */
int in_use_check(const char *path, const struct stat *st, bool allow_readonly_mounted, bool *ret_exclusive,
		 char *message, size_t size);

/*
 * Lock an open file or device against other runs: nobody else may have it open at all (alone), or nobody who is alone.
 * -EBUSY: somebody has.  0: it is locked as long as fd is open, or its file system knows no locks.
 */
int in_use_lock(int fd, bool alone);
/*
 * The same for a part of a file, which in_use_lock() has locked for more than one: `bytes` from `base` on.  To lock it
 * alone takes a descriptor for writing, *ret_lock_fd, which the caller closes to unlock; negative: there is none.
 */
int in_use_lock_part(int fd, uint64_t base, uint64_t bytes, bool alone, int *ret_lock_fd);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields of an inode in an image, for inodes that the kernel refuses to show. */
#ifndef XFSCK_TESTS_ACCOUNT_DISK_H
#define XFSCK_TESTS_ACCOUNT_DISK_H

#include "tree.h"

/*
 * Reads a field in the form of the --json records: a number, or a time in seconds.  sound: an image with the same
 * geometry and a valid superblock.  False: it is unreadable.
 */
bool disk_field(int image, int sound, uint64_t ino, enum field field, int64_t *ret_value);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields of an inode as an image has them, for inodes that the kernel refuses to show. */
#ifndef XFSCK_TESTS_ACCOUNT_DISK_H
#define XFSCK_TESTS_ACCOUNT_DISK_H

#include "tree.h"

/*
 * A field as the records of --json give it: a number, a time in seconds.  sound: an image with the same geometry whose
 * superblock can be relied on.  False: it can't be read.
 */
bool disk_field(int image, int sound, uint64_t ino, enum field field, int64_t *ret_value);

#endif

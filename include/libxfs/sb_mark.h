/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mark in a superblock that keeps the kernel from mounting: a repair is under way (ondisk 00).  Version 4 has none
 * for that, but the one that mkfs is under way: with it, too, kernels refuse to mount.
 */
#ifndef XFSCK_LIBXFS_SB_MARK_H
#define XFSCK_LIBXFS_SB_MARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Set or take away the mark in the size bytes (at least 512) of a primary superblock. True if it now is as asked for;
 * false: the superblock has no such mark, or its checksum is wrong, so that nobody mounts it anyway.
 */
bool sb_mark_needsrepair(uint8_t *sector, size_t size, bool on);

#endif

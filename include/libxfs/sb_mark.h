/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mark in a superblock that a repair is under way, with which kernels refuse to mount (ondisk 00): the feature bit
 * NEEDSREPAIR.  Version 4 does not have it; there `inprogress` is set, which mkfs sets while it runs, to the same
 * effect.
 */
#ifndef XFSCK_LIBXFS_SB_MARK_H
#define XFSCK_LIBXFS_SB_MARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Set or clear the mark in the size bytes (at least 512) of a primary superblock.  False, with nothing changed: it is
 * no superblock of a known version, or, in version 5, its checksum is wrong, so that no kernel mounts it anyway.
 */
bool sb_mark_needsrepair(uint8_t *sector, size_t size, bool on);

#endif

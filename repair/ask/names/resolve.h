/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a path to its inode, by the names in the directories on the way. */
#ifndef XFSCK_REPAIR_RESOLVE_H
#define XFSCK_REPAIR_RESOLVE_H

#include "units.h"

struct repair;

/*
 * Find the inode of a path from the root, which begins with a /; symbolic links are not followed.  0, -ENOENT, or
 * another negative errno.
 */
int resolve_path(const struct repair *rc, const char *path, xino_t *ret_ino);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the inode of a path, through the directories on the way. */
#ifndef XFSCK_REPAIR_RESOLVE_H
#define XFSCK_REPAIR_RESOLVE_H

#include "units.h"

struct repair;

/* Finds the inode of an absolute path, without following symlinks. 0, -ENOENT, or another negative errno. */
int resolve_path(const struct repair *rc, const char *path, xino_t *ret_ino);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and empties folders of the target. */
#ifndef XFSCK_REPAIR_EXTRACT_FOLDER_H
#define XFSCK_REPAIR_EXTRACT_FOLDER_H

#include <dirent.h>
#include <stdbool.h>

/*
 * Calls one() for each name in a folder, including "." and "..", until it returns false. dir: a descriptor, also of
 * O_PATH. 0 or negative errno.
 */
int folder_each(int dir, bool (*one)(void *ctx, const struct dirent *d), void *ctx);
/* Removes all files in a folder; except: the name of a folder there that stays. 0 or negative errno. */
int folder_clear(int dir, const char *except);

#endif

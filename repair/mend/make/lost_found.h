/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The directory lost+found, for orphans that no parent pointer or log tells a place for. */
#ifndef XFSCK_REPAIR_LOST_FOUND_H
#define XFSCK_REPAIR_LOST_FOUND_H

#include "mend/base/mend.h"

/* Whether these bytes are the name of lost+found. */
bool lost_found_is_name(const uint8_t *name, size_t len);

/*
 * Find lost+found, and make it if the root has none.  home: the inode that is about to go back to the root under that
 * name, or NULL_INO.  If lost+found can't be made, since something else has the name or no inode is free, *ret_ino is
 * the root; it is NULL_INO if there is no room for the name in the root, or if the root can't be read, either.  0 or
 * negative errno.
 */
int lost_found_find(struct mend *m, xino_t home, xino_t *ret_ino);

#endif

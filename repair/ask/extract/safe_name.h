/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and paths from the disk, as names of files that are made here: no name leads out of its folder. */
#ifndef XFSCK_REPAIR_SAFE_NAME_H
#define XFSCK_REPAIR_SAFE_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SAFE_NAME_ROOM 256u /* bytes of a name, with the NUL behind it */

/* Make a name one that a folder can have: '/', NUL, "." and ".." become underscores. True if it was changed. */
bool safe_name_make(uint8_t *name, size_t len);

/*
 * Take the next name of a path, whose names are separated by "/", from *at on, before `end`.  1; 0: there are no more;
 * -EINVAL: it is one that no folder can have, or is too long.
 */
int safe_name_next(const uint8_t **at, const uint8_t *end, char ret_name[static SAFE_NAME_ROOM]);

#endif

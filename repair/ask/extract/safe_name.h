/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes names and paths from the disk safe as file names here: no name leads out of its directory. */
#ifndef XFSCK_REPAIR_SAFE_NAME_H
#define XFSCK_REPAIR_SAFE_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SAFE_NAME_ROOM 256u /* bytes of a name, including the NUL */

/* Makes a name usable: '/', NUL, "." and ".." become underscores. True if it was changed. */
bool safe_name_make(uint8_t *name, size_t len);

/* Takes the next component of a path, from *at to `end`. 1; 0: there are no more; -EINVAL: invalid, or too long. */
int safe_name_next(const uint8_t **at, const uint8_t *end, char ret_name[static SAFE_NAME_ROOM]);

#endif

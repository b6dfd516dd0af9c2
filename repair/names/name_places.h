/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In which directories names of a few inodes may be, when it is known only after a traversal which inodes these are.
 * Kept are pairs of an inode chunk and a directory that names inodes of it, 16 bytes for each: few, since the kernel
 * allocates the files of a directory together.
 */
#ifndef XFSCK_REPAIR_NAME_PLACES_H
#define XFSCK_REPAIR_NAME_PLACES_H

#include "sets/number_set.h"

struct name_places;

/* lanes: threads that may add at the same time; limit: bytes of memory for all of them. NULL: out of memory. */
struct name_places *name_places_new(unsigned lanes, size_t limit);
void name_places_free(struct name_places *places);
/* A directory names an inode. */
void name_places_add(struct name_places *places, unsigned lane, xino_t directory, xino_t target);
/*
 * Add to *dirs all directories that may name one of these inodes; none if not all could be kept. 0 or -ENOMEM.
 */
int name_places_find(const struct name_places *places, const struct ino_set *inos, struct ino_set *dirs);

#endif

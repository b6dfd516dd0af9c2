/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the directories that may have entries for a few inodes that are known only after a traversal.  Keeps pairs of
 * an inode chunk and a directory with entries for its inodes, 16 bytes each.  They are few, since the kernel allocates
 * the files of a directory together.
 */
#ifndef XFSCK_REPAIR_NAME_PLACES_H
#define XFSCK_REPAIR_NAME_PLACES_H

#include "sets/number_set.h"

struct name_places;

/* Makes an empty collection.  workers: threads that may add to it.  limit: bytes for all.  NULL: no memory. */
struct name_places *name_places_new(unsigned workers, size_t limit);
void name_places_free(struct name_places *places);
/* Notes that a directory has an entry for an inode. */
void name_places_add(struct name_places *places, unsigned worker, xino_t directory, xino_t target);
/* Adds to *dirs all directories that may name one of these inodes; none if pairs were dropped.  0 or -ENOMEM. */
int name_places_find(const struct name_places *places, const struct ino_set *inos, struct ino_set *dirs);

#endif
